== to an end, first batch
rows S
  rows of S
  selectExpr(0 AS _source, unix_micros(CAST(`moment` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(`v` AS INT) AS w1, CAST(`moment` AS TIMESTAMP) AS w2)

asked
  count(1) AS rows
  min(IF(_unreadable IS NULL, _moment, NULL)) AS first0
  max(IF(_unreadable IS NULL, _moment, NULL)) AS last0
  count(IF(_unreadable IS NULL, _moment, NULL)) AS timed0

<arrived 0>
  (SELECT (((_moment - 1709287200000000L) - pmod((_moment - 1709287200000000L), 500000L)) div 500000L) AS _start, (((_moment - 1709287200000000L) - pmod((_moment - 1709287200000000L), 500000L)) div 500000L) + 1L AS _until, 1L AS _weight, _source, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709287200000000L) - pmod((_moment - 1709287200000000L), 500000L)) div 500000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view messages for stage 1
  SELECT 0 AS _port, _start, w0 AS w0, w1 AS w1, CAST(NULL AS BIGINT) AS w2, CAST(NULL AS TIMESTAMP) AS w3, pmod(hash(w0, w1), 4) AS _shard
    FROM <arrived 0>
    UNION ALL SELECT 1 AS _port, _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, p0 AS w2, p1 AS w3, _shard AS _shard
    FROM (SELECT greatest(((_start + 119L) - pmod(_start + 119L, 120L)), 119L) AS _life0, ((_start + 121L + 119L) - pmod(_start + 121L + 119L, 120L)) AS _life1, CAST(0 AS INT) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p0, CAST(min(w2) AS TIMESTAMP) AS p1
    FROM <arrived 0>
    GROUP BY greatest(((_start + 119L) - pmod(_start + 119L, 120L)), 119L), ((_start + 121L + 119L) - pmod(_start + 121L + 119L, 120L)), CAST(0 AS INT))
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output two_seconds
  SELECT timestamp_micros(_start * 500000L + 1709287200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_0

output one_tick
  SELECT timestamp_micros(_start * 500000L + 1709287200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_1

output in_ticks
  SELECT timestamp_micros(_start * 500000L + 1709287200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_2

output minutes_from_origin
  SELECT timestamp_micros(_start * 500000L + 1709287200000000L) AS _ts, w0 AS `first_one`, w1 AS `n`
    FROM tailrace_stage_0_3

== to an end, later batch
<arrived 0>
  (SELECT (((_moment - 1709287200000000L) - pmod((_moment - 1709287200000000L), 500000L)) div 500000L) AS _start, (((_moment - 1709287200000000L) - pmod((_moment - 1709287200000000L), 500000L)) div 500000L) + 1L AS _until, 1L AS _weight, _source, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709287200000000L) - pmod((_moment - 1709287200000000L), 500000L)) div 500000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709287200000000L) - pmod((_moment - 1709287200000000L), 500000L)) div 500000L) AS _start, (((_moment - 1709287200000000L) - pmod((_moment - 1709287200000000L), 500000L)) div 500000L) + 1L AS _until, 1L AS _weight, _source, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709287200000000L) - pmod((_moment - 1709287200000000L), 500000L)) div 500000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

output two_seconds
  SELECT timestamp_micros(_start * 500000L + 1709287200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_0
    WHERE _start <= 0)

output one_tick
  SELECT timestamp_micros(_start * 500000L + 1709287200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_1
    WHERE _start <= 0)

output in_ticks
  SELECT timestamp_micros(_start * 500000L + 1709287200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_2
    WHERE _start <= 0)

output minutes_from_origin
  SELECT timestamp_micros(_start * 500000L + 1709287200000000L) AS _ts, w0 AS `first_one`, w1 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_0_3
    WHERE _start <= 0)
