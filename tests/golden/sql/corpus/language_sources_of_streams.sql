== to an end, first batch
rows everything
  rows of everything
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(`v` AS INT) AS w1, CAST(NULL AS BIGINT) AS w2, CAST(NULL AS DOUBLE) AS w3, CAST(NULL AS STRING) AS w4)

rows no_header
  rows of no_header
  selectExpr(1 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(`v` AS INT) AS w1, CAST(`ts` AS BIGINT) AS w2, CAST(NULL AS DOUBLE) AS w3, CAST(NULL AS STRING) AS w4)

rows delay_minutes
  rows of delay_minutes
  selectExpr(2 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BIGINT) AS w2, CAST(NULL AS DOUBLE) AS w3, CAST(NULL AS STRING) AS w4)

rows delay_ticks
  rows of delay_ticks
  selectExpr(3 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BIGINT) AS w2, CAST(NULL AS DOUBLE) AS w3, CAST(NULL AS STRING) AS w4)

rows from_parquet
  rows of from_parquet
  selectExpr(4 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, CAST(NULL AS STRING) AS _unreadable, CAST(`k` AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BIGINT) AS w2, CAST(`v` AS DOUBLE) AS w3, CAST(NULL AS STRING) AS w4)

rows mirrored
  rows of mirrored
  selectExpr(5 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(`Ts` AS BIGINT) AS w2, CAST(NULL AS DOUBLE) AS w3, CAST(NULL AS STRING) AS w4)

rows lower_case
  rows of lower_case
  selectExpr(6 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(`v` AS BIGINT) AS w2, CAST(NULL AS DOUBLE) AS w3, CAST(NULL AS STRING) AS w4)

rows from_json
  rows of from_json
  selectExpr(7 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BIGINT) AS w2, CAST(NULL AS DOUBLE) AS w3, CAST(`s` AS STRING) AS w4)

asked
  count(1) AS rows
  min(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS first0
  max(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS last0
  count(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS timed0
  min(IF(_source = 1 AND _unreadable IS NULL, _moment, NULL)) AS first1
  max(IF(_source = 1 AND _unreadable IS NULL, _moment, NULL)) AS last1
  count(IF(_source = 1 AND _unreadable IS NULL, _moment, NULL)) AS timed1
  min(IF(_source = 2 AND _unreadable IS NULL, _moment, NULL)) AS first2
  max(IF(_source = 2 AND _unreadable IS NULL, _moment, NULL)) AS last2
  count(IF(_source = 2 AND _unreadable IS NULL, _moment, NULL)) AS timed2
  min(IF(_source = 3 AND _unreadable IS NULL, _moment, NULL)) AS first3
  max(IF(_source = 3 AND _unreadable IS NULL, _moment, NULL)) AS last3
  count(IF(_source = 3 AND _unreadable IS NULL, _moment, NULL)) AS timed3
  min(IF(_source = 4 AND _unreadable IS NULL, _moment, NULL)) AS first4
  max(IF(_source = 4 AND _unreadable IS NULL, _moment, NULL)) AS last4
  count(IF(_source = 4 AND _unreadable IS NULL, _moment, NULL)) AS timed4
  min(IF(_source = 5 AND _unreadable IS NULL, _moment, NULL)) AS first5
  max(IF(_source = 5 AND _unreadable IS NULL, _moment, NULL)) AS last5
  count(IF(_source = 5 AND _unreadable IS NULL, _moment, NULL)) AS timed5
  min(IF(_source = 6 AND _unreadable IS NULL, _moment, NULL)) AS first6
  max(IF(_source = 6 AND _unreadable IS NULL, _moment, NULL)) AS last6
  count(IF(_source = 6 AND _unreadable IS NULL, _moment, NULL)) AS timed6
  min(IF(_source = 7 AND _unreadable IS NULL, _moment, NULL)) AS first7
  max(IF(_source = 7 AND _unreadable IS NULL, _moment, NULL)) AS last7
  count(IF(_source = 7 AND _unreadable IS NULL, _moment, NULL)) AS timed7

<arrived 0>
  (SELECT _moment AS _start, _moment + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3, w4
    FROM tailrace_rows
    WHERE NOT _moment <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 WHEN 2 THEN 2 WHEN 3 THEN 3 WHEN 4 THEN 4 WHEN 5 THEN 5 END AS _port, _start, w0 AS w0, CASE _source WHEN 0 THEN w1 WHEN 1 THEN w1 WHEN 2 THEN CAST(NULL AS INT) WHEN 3 THEN CAST(NULL AS INT) WHEN 4 THEN CAST(NULL AS INT) WHEN 5 THEN CAST(NULL AS INT) END AS w1, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN w2 WHEN 2 THEN CAST(NULL AS BIGINT) WHEN 3 THEN CAST(NULL AS BIGINT) WHEN 4 THEN CAST(NULL AS BIGINT) WHEN 5 THEN w2 END AS w2, CASE _source WHEN 0 THEN CAST(NULL AS DOUBLE) WHEN 1 THEN CAST(NULL AS DOUBLE) WHEN 2 THEN CAST(NULL AS DOUBLE) WHEN 3 THEN CAST(NULL AS DOUBLE) WHEN 4 THEN w3 WHEN 5 THEN CAST(NULL AS DOUBLE) END AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS BIGINT) AS w5, CASE _source WHEN 0 THEN CAST(0 AS INT) WHEN 1 THEN pmod(hash(w0, w1, w2), 4) WHEN 2 THEN pmod(hash(w0), 4) WHEN 3 THEN pmod(hash(w0), 4) WHEN 4 THEN CAST(0 AS INT) WHEN 5 THEN pmod(hash(w0, w2), 4) END AS _shard, CASE _source WHEN 0 THEN _file WHEN 1 THEN CAST(NULL AS STRING) WHEN 2 THEN CAST(NULL AS STRING) WHEN 3 THEN CAST(NULL AS STRING) WHEN 4 THEN _file WHEN 5 THEN CAST(NULL AS STRING) END AS _file, CASE _source WHEN 0 THEN _block WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 2 THEN CAST(NULL AS BIGINT) WHEN 3 THEN CAST(NULL AS BIGINT) WHEN 4 THEN _block WHEN 5 THEN CAST(NULL AS BIGINT) END AS _block, CASE _source WHEN 0 THEN _line WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 2 THEN CAST(NULL AS BIGINT) WHEN 3 THEN CAST(NULL AS BIGINT) WHEN 4 THEN _line WHEN 5 THEN CAST(NULL AS BIGINT) END AS _line
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1) OR (_source = 2) OR (_source = 3) OR (_source = 4) OR (_source = 5)
    UNION ALL SELECT 6 AS _port, _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, w2 AS w2, CAST(NULL AS DOUBLE) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS BIGINT) AS w5, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 5)
    UNION ALL SELECT 7 AS _port, _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, p0 AS w2, CAST(NULL AS DOUBLE) AS w3, p1 AS w4, p2 AS w5, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT _start AS _life0, CAST(0 AS INT) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p0, CAST(count(w2) AS BIGINT) AS p1, CAST(sum(w2) AS BIGINT) AS p2
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 6)
    GROUP BY _start, CAST(0 AS INT))
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 2
  SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w4 AS w1, CAST(NULL AS DOUBLE) AS w2, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 7)
    UNION ALL SELECT 3 AS _port, _start, _until, _weight, w0 AS w0, w4 AS w1, CAST(NULL AS DOUBLE) AS w2, pmod(hash(w4), 4) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 7)
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS STRING) AS w1, w1 AS w2, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_0
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS STRING) AS w1, CAST(NULL AS DOUBLE) AS w2, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_1
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 3
  SELECT _start, _until, _weight, w0 AS w0, w1 AS w1, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_1_0
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output q1
  SELECT _start AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_2

output q2
  SELECT _start AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`, w2 AS `ts`
    FROM tailrace_stage_0_3

output q3
  SELECT _start AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `k2`
    FROM tailrace_stage_0_4

output q4
  SELECT _start AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `s`, w1 AS `v`
    FROM tailrace_stage_2_0

output q5
  SELECT _start AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `Ts`
    FROM tailrace_stage_0_5

output q6
  SELECT _start AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `span`
    FROM tailrace_stage_0_6

output q7
  SELECT _start AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `s`
    FROM tailrace_stage_0_7

== to an end, later batch
<arrived 0>
  (SELECT _moment AS _start, _moment + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3, w4
    FROM tailrace_rows
    WHERE NOT _moment <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

== to an end, large batch
<arrived 0>
  (SELECT _moment AS _start, _moment + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3, w4
    FROM tailrace_rows
    WHERE NOT _moment <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

output q1
  SELECT _start AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_2
    WHERE _start <= 500)

output q2
  SELECT _start AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`, w2 AS `ts`
    FROM (SELECT *
    FROM tailrace_stage_0_3
    WHERE _start <= 500)

output q3
  SELECT _start AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `k2`
    FROM (SELECT *
    FROM tailrace_stage_0_4
    WHERE _start <= 500)

output q4
  SELECT _start AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `s`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_2_0
    WHERE _start <= 500)

output q5
  SELECT _start AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `Ts`
    FROM (SELECT *
    FROM tailrace_stage_0_5
    WHERE _start <= 500)

output q6
  SELECT _start AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `span`
    FROM (SELECT *
    FROM tailrace_stage_0_6
    WHERE _start <= 500)

output q7
  SELECT _start AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `s`
    FROM (SELECT *
    FROM tailrace_stage_0_7
    WHERE _start <= 500)
