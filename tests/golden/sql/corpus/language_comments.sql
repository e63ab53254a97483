== to an end, first batch
rows S
  rows of S
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(`v` AS INT) AS w1)

asked
  count(1) AS rows
  min(IF(_unreadable IS NULL, _moment, NULL)) AS first0
  max(IF(_unreadable IS NULL, _moment, NULL)) AS last0
  count(IF(_unreadable IS NULL, _moment, NULL)) AS timed0

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view messages for stage 1
  SELECT 0 AS _port, _start, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS STRING) AS w4, CAST(NULL AS STRING) AS w5, pmod(hash(w0), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    WHERE w1 > 0
    UNION ALL SELECT 1 AS _port, _start, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS STRING) AS w4, CAST(NULL AS STRING) AS w5, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM <arrived 0>
    UNION ALL SELECT 2 AS _port, _start, CAST(w0 - (-1) AS INT) AS w0, w1 AS w1, CAST('-- no comment' AS STRING) AS w2, CAST('/* nor */ this' AS STRING) AS w3, CAST('a;b' AS STRING) AS w4, CAST('it\'s -- fine' AS STRING) AS w5, pmod(hash(CAST('-- no comment' AS STRING), CAST('/* nor */ this' AS STRING), CAST('a;b' AS STRING), CAST('it\'s -- fine' AS STRING), CAST(w0 - (-1) AS INT), w1), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    UNION ALL SELECT 3 AS _port, _start, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS STRING) AS w4, CAST(NULL AS STRING) AS w5, pmod(hash(w0), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output windows
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_0

output separators
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `n`
    FROM tailrace_stage_0_1

output texts
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `a`, w1 AS `b`, w2 AS `c`, w3 AS `d`, w4 AS `e`, w5 AS `f`
    FROM tailrace_stage_0_2

output to_stream
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`
    FROM tailrace_stage_0_3

output around
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`
    FROM tailrace_stage_0_4

output sequences
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `n`
    FROM tailrace_stage_0_5

== to an end, later batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

output windows
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_0
    WHERE _start <= 36000)

output separators
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_0_1
    WHERE _start <= 36000)

output texts
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `a`, w1 AS `b`, w2 AS `c`, w3 AS `d`, w4 AS `e`, w5 AS `f`
    FROM (SELECT *
    FROM tailrace_stage_0_2
    WHERE _start <= 36000)

output to_stream
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0_3
    WHERE _start <= 36000)

output around
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0_4
    WHERE _start <= 36000)

output sequences
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_0_5
    WHERE _start <= 36000)
