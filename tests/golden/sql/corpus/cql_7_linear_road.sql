== to an end, first batch
rows PosSpeedStr
  rows of PosSpeedStr
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _unreadable AS _unreadable, CAST(`vehicleId` AS INT) AS w0, CAST(`speed` AS INT) AS w1, CAST(`xPos` AS INT) AS w2)

asked
  count(1) AS rows
  min(IF(_unreadable IS NULL, _moment, NULL)) AS first0
  max(IF(_unreadable IS NULL, _moment, NULL)) AS last0
  count(IF(_unreadable IS NULL, _moment, NULL)) AS timed0

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view messages for stage 1
  SELECT 0 AS _port, _start, w0 AS w0, CAST(CAST(w2 AS BIGINT) DIV 5280L AS BIGINT) AS w1, CAST(NULL AS BIGINT) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, pmod(hash(CAST(CAST(w2 AS BIGINT) DIV 5280L AS BIGINT)), 4) AS _shard
    FROM <arrived 0>
    UNION ALL SELECT 1 AS _port, _start, CAST(NULL AS INT) AS w0, p0 AS w1, p1 AS w2, p2 AS w3, p3 AS w4, _shard AS _shard
    FROM (SELECT CAST(CAST(w2 AS BIGINT) DIV 5280L AS BIGINT) AS p0, _start AS _life0, pmod(hash(CAST(CAST(w2 AS BIGINT) DIV 5280L AS BIGINT)), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1, CAST(count(w1) AS BIGINT) AS p2, CAST(sum(w1) AS BIGINT) AS p3
    FROM <arrived 0>
    GROUP BY CAST(CAST(w2 AS BIGINT) DIV 5280L AS BIGINT), _start, pmod(hash(CAST(CAST(w2 AS BIGINT) DIV 5280L AS BIGINT)), 4))
    UNION ALL SELECT 2 AS _port, _start, CAST(NULL AS INT) AS w0, p0 AS w1, p1 AS w2, p2 AS w3, CAST(NULL AS BIGINT) AS w4, _shard AS _shard
    FROM (SELECT CAST(CAST(w2 AS BIGINT) DIV 5280L AS BIGINT) AS p0, _start AS _life0, pmod(hash(CAST(CAST(w2 AS BIGINT) DIV 5280L AS BIGINT)), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1, CAST(count(w0) AS BIGINT) AS p2
    FROM <arrived 0>
    GROUP BY CAST(CAST(w2 AS BIGINT) DIV 5280L AS BIGINT), _start, pmod(hash(CAST(CAST(w2 AS BIGINT) DIV 5280L AS BIGINT)), 4))
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 2
  SELECT _start, _until, _weight, w0 AS w0, w1 AS w1, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_0_0
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output TollStr
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `vehicleId`, w1 AS `toll`
    FROM tailrace_stage_1_0

== to an end, later batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

output TollStr
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `vehicleId`, w1 AS `toll`
    FROM (SELECT *
    FROM tailrace_stage_1_0
    WHERE _start <= 36000)
