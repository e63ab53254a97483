== to an end, first batch
rows PosSpeedStr
  rows of PosSpeedStr
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _unreadable AS _unreadable)

asked
  count(1) AS rows
  min(IF(_unreadable IS NULL, _moment, NULL)) AS first0
  max(IF(_unreadable IS NULL, _moment, NULL)) AS last0
  count(IF(_unreadable IS NULL, _moment, NULL)) AS timed0

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view messages for stage 1
  SELECT 0 AS _port, _start, p0 AS w0, _shard AS _shard
    FROM (SELECT _start AS _life0, CAST(0 AS INT) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p0
    FROM <arrived 0>
    GROUP BY _start, CAST(0 AS INT))
    UNION ALL SELECT 1 AS _port, _start, p0 AS w0, _shard AS _shard
    FROM (SELECT greatest(((_start + 59L) - pmod(_start + 59L, 60L)), 59L) AS _life0, ((_start + 61L + 59L) - pmod(_start + 61L + 59L, 60L)) AS _life1, CAST(0 AS INT) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p0
    FROM <arrived 0>
    GROUP BY greatest(((_start + 59L) - pmod(_start + 59L, 60L)), 59L), ((_start + 61L + 59L) - pmod(_start + 61L + 59L, 60L)), CAST(0 AS INT))
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output count_on_change
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `count`
    FROM tailrace_stage_0_0

output count_each_minute
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `count`
    FROM tailrace_stage_0_1

== to an end, later batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

output count_on_change
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `count`
    FROM (SELECT *
    FROM tailrace_stage_0_0
    WHERE _start <= 36000)

output count_each_minute
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `count`
    FROM (SELECT *
    FROM tailrace_stage_0_1
    WHERE _start <= 36000)
