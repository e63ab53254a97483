== to an end, first batch
rows S
  rows of S
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(`g` AS STRING) AS w1, CAST(`v` AS INT) AS w2, CAST(`d` AS DOUBLE) AS w3)

asked
  count(1) AS rows
  min(IF(_unreadable IS NULL, _moment, NULL)) AS first0
  max(IF(_unreadable IS NULL, _moment, NULL)) AS last0
  count(IF(_unreadable IS NULL, _moment, NULL)) AS timed0

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view messages for stage 1
  SELECT 0 AS _port, _start, w2 AS w0, CAST(1 AS INT) AS w1, w3 AS w2, w0 AS w3, w1 AS w4, CAST(w2 * 2 + 1 AS INT) AS w5, CAST(CAST(w2 AS BIGINT) DIV 2L AS BIGINT) AS w6, CAST(w2 % 10 AS INT) AS w7, CAST(NULL AS STRING) AS w8, CAST(NULL AS BIGINT) AS w9, CAST(NULL AS BIGINT) AS w10, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM <arrived 0>
    UNION ALL SELECT 1 AS _port, _start, w0 AS w0, w2 AS w1, CAST(NULL AS DOUBLE) AS w2, CAST(NULL AS INT) AS w3, w1 AS w4, CAST(NULL AS INT) AS w5, CAST(NULL AS BIGINT) AS w6, CAST(NULL AS INT) AS w7, CAST(NULL AS STRING) AS w8, CAST(NULL AS BIGINT) AS w9, CAST(NULL AS BIGINT) AS w10, pmod(hash(w0), 4) AS _shard, _file, _block, _line
    FROM <arrived 0>
    UNION ALL SELECT 2 AS _port, _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, p1 AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS STRING) AS w4, CAST(NULL AS INT) AS w5, p0 AS w6, CAST(NULL AS INT) AS w7, CAST(NULL AS STRING) AS w8, CAST(NULL AS BIGINT) AS w9, CAST(NULL AS BIGINT) AS w10, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT _start AS _life0, CAST(0 AS INT) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p0, CAST(max(w3) AS DOUBLE) AS p1
    FROM <arrived 0>
    GROUP BY _start, CAST(0 AS INT))
    UNION ALL SELECT 3 AS _port, _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS DOUBLE) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS STRING) AS w4, CAST(NULL AS INT) AS w5, p0 AS w6, CAST(NULL AS INT) AS w7, CAST(NULL AS STRING) AS w8, CAST(NULL AS BIGINT) AS w9, CAST(NULL AS BIGINT) AS w10, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT _start AS _life0, CAST(0 AS INT) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p0
    FROM <arrived 0>
    GROUP BY _start, CAST(0 AS INT))
    UNION ALL SELECT 4 AS _port, _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS DOUBLE) AS w2, CAST(NULL AS INT) AS w3, p1 AS w4, CAST(NULL AS INT) AS w5, p0 AS w6, CAST(NULL AS INT) AS w7, p2 AS w8, CAST(NULL AS BIGINT) AS w9, CAST(NULL AS BIGINT) AS w10, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT _start AS _life0, CAST(0 AS INT) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p0, CAST(min(w1) AS STRING) AS p1, CAST(max(w1) AS STRING) AS p2
    FROM <arrived 0>
    GROUP BY _start, CAST(0 AS INT))
    UNION ALL SELECT 5 AS _port, _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS DOUBLE) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS STRING) AS w4, CAST(NULL AS INT) AS w5, p0 AS w6, CAST(NULL AS INT) AS w7, CAST(NULL AS STRING) AS w8, p1 AS w9, p2 AS w10, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT greatest(((_start + 9L) - pmod(_start + 9L, 10L)), 9L) AS _life0, ((_start + 61L + 9L) - pmod(_start + 61L + 9L, 10L)) AS _life1, CAST(0 AS INT) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p0, CAST(count(w2) AS BIGINT) AS p1, CAST(sum(w2) AS BIGINT) AS p2
    FROM <arrived 0>
    GROUP BY greatest(((_start + 9L) - pmod(_start + 9L, 10L)), 9L), ((_start + 61L + 9L) - pmod(_start + 61L + 9L, 10L)), CAST(0 AS INT))
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 2
  SELECT _start, _until, _weight, w0 AS w0, w1 AS w1, w2 AS w2, CAST(0 AS INT) AS _shard
    FROM tailrace_stage_0_0
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output every_one
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `n`, w1 AS `c`, w2 AS `ones`, w3 AS `t`, w4 AS `a`, w5 AS `lo`, w6 AS `hi`, w7 AS `sd`, w8 AS `vr`, w9 AS `md`, w10 AS `ks`
    FROM tailrace_stage_0_1

output every_one_grouped
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `g`, w1 AS `count`, w2 AS `count_2`, w3 AS `sum`, w4 AS `avg`, w5 AS `min`, w6 AS `max`, w7 AS `stddev`, w8 AS `variance`, w9 AS `median`, w10 AS `count_3`
    FROM tailrace_stage_0_2

output two_distincts
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `dk`, w1 AS `dv`, w2 AS `dg`
    FROM tailrace_stage_1_0

output of_expressions
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `s`, w1 AS `a`, w2 AS `digits`
    FROM tailrace_stage_0_3

output in_expressions
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `spread`, w1 AS `whole`, w2 AS `sd`, w3 AS `pct`
    FROM tailrace_stage_0_4

output over_unbounded
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `n`, w1 AS `top`
    FROM tailrace_stage_0_5

output over_now
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `n`
    FROM tailrace_stage_0_6

output of_strings
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `first_one`, w1 AS `last_one`
    FROM tailrace_stage_0_7

output with_slide
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `s`
    FROM tailrace_stage_0_8

output lower_case
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `n`, w1 AS `s`
    FROM tailrace_stage_0_9

== to an end, later batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

output every_one
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `n`, w1 AS `c`, w2 AS `ones`, w3 AS `t`, w4 AS `a`, w5 AS `lo`, w6 AS `hi`, w7 AS `sd`, w8 AS `vr`, w9 AS `md`, w10 AS `ks`
    FROM (SELECT *
    FROM tailrace_stage_0_1
    WHERE _start <= 36000)

output every_one_grouped
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `g`, w1 AS `count`, w2 AS `count_2`, w3 AS `sum`, w4 AS `avg`, w5 AS `min`, w6 AS `max`, w7 AS `stddev`, w8 AS `variance`, w9 AS `median`, w10 AS `count_3`
    FROM (SELECT *
    FROM tailrace_stage_0_2
    WHERE _start <= 36000)

output two_distincts
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `dk`, w1 AS `dv`, w2 AS `dg`
    FROM (SELECT *
    FROM tailrace_stage_1_0
    WHERE _start <= 36000)

output of_expressions
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `s`, w1 AS `a`, w2 AS `digits`
    FROM (SELECT *
    FROM tailrace_stage_0_3
    WHERE _start <= 36000)

output in_expressions
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `spread`, w1 AS `whole`, w2 AS `sd`, w3 AS `pct`
    FROM (SELECT *
    FROM tailrace_stage_0_4
    WHERE _start <= 36000)

output over_unbounded
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `n`, w1 AS `top`
    FROM (SELECT *
    FROM tailrace_stage_0_5
    WHERE _start <= 36000)

output over_now
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_0_6
    WHERE _start <= 36000)

output of_strings
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `first_one`, w1 AS `last_one`
    FROM (SELECT *
    FROM tailrace_stage_0_7
    WHERE _start <= 36000)

output with_slide
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `s`
    FROM (SELECT *
    FROM tailrace_stage_0_8
    WHERE _start <= 36000)

output lower_case
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `n`, w1 AS `s`
    FROM (SELECT *
    FROM tailrace_stage_0_9
    WHERE _start <= 36000)
