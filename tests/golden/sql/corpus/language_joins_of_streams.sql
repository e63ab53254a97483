== to an end, first batch
rows Names
  rows of Names
  selectExpr(0 AS _source, unix_micros(CAST(`at` AS TIMESTAMP)) AS _moment, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(`sym` AS STRING) AS w0, CAST(`name` AS STRING) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS BIGINT) AS w3)

rows Trades
  rows of Trades
  selectExpr(1 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(`sym` AS STRING) AS w0, CAST(NULL AS STRING) AS w1, CAST(`px` AS INT) AS w2, CAST(`ts` AS BIGINT) AS w3)

rows Clicks
  rows of Clicks
  selectExpr(2 AS _source, unix_micros(current_timestamp()) AS _moment, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(`sym` AS STRING) AS w0, CAST(NULL AS STRING) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS BIGINT) AS w3)

rows Quotes
  rows of Quotes
  selectExpr(3 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(`sym` AS STRING) AS w0, CAST(NULL AS STRING) AS w1, CAST(`bid` AS INT) AS w2, CAST(`ts` AS BIGINT) AS w3)

asked
  count(1) AS rows
  min(IF(_source = 0, _moment, NULL)) AS first0
  max(IF(_source = 0, _moment, NULL)) AS last0
  count(IF(_source = 0, _moment, NULL)) AS timed0
  min(IF(_source = 1, _moment, NULL)) AS first1
  max(IF(_source = 1, _moment, NULL)) AS last1
  count(IF(_source = 1, _moment, NULL)) AS timed1
  min(IF(_source = 2, _moment, NULL)) AS first2
  max(IF(_source = 2, _moment, NULL)) AS last2
  count(IF(_source = 2, _moment, NULL)) AS timed2
  min(IF(_source = 3, _moment, NULL)) AS first3
  max(IF(_source = 3, _moment, NULL)) AS last3
  count(IF(_source = 3, _moment, NULL)) AS timed3

<arrived 0>
  (SELECT _moment AS _start, _moment + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3
    FROM tailrace_rows
    WHERE NOT _moment <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)])

view tailrace_rows
  rows of all

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 WHEN 2 THEN 2 WHEN 3 THEN 5 END AS _port, _start, w0 AS w0, CASE _source WHEN 0 THEN w1 WHEN 1 THEN CAST(NULL AS STRING) WHEN 2 THEN CAST(NULL AS STRING) WHEN 3 THEN CAST(NULL AS STRING) END AS w1, CASE _source WHEN 0 THEN CAST(NULL AS INT) WHEN 1 THEN w2 WHEN 2 THEN CAST(NULL AS INT) WHEN 3 THEN w2 END AS w2, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN w3 WHEN 2 THEN CAST(NULL AS BIGINT) WHEN 3 THEN w3 END AS w3, pmod(hash(w0), 4) AS _shard, CASE _source WHEN 0 THEN _file WHEN 1 THEN CAST(NULL AS STRING) WHEN 2 THEN CAST(NULL AS STRING) WHEN 3 THEN _file END AS _file, CASE _source WHEN 0 THEN _block WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 2 THEN CAST(NULL AS BIGINT) WHEN 3 THEN _block END AS _block, CASE _source WHEN 0 THEN _line WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 2 THEN CAST(NULL AS BIGINT) WHEN 3 THEN _line END AS _line
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1) OR (_source = 2) OR (_source = 3)
    UNION ALL SELECT CASE _source WHEN 2 THEN 3 WHEN 1 THEN 4 WHEN 3 THEN 7 END AS _port, _start, w0 AS w0, CAST(NULL AS STRING) AS w1, CASE _source WHEN 2 THEN CAST(NULL AS INT) WHEN 1 THEN CAST(NULL AS INT) WHEN 3 THEN w2 END AS w2, CASE _source WHEN 2 THEN CAST(NULL AS BIGINT) WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 3 THEN w3 END AS w3, CASE _source WHEN 2 THEN pmod(spark_partition_id(), 4) WHEN 1 THEN pmod(hash(w0), 4) WHEN 3 THEN CAST(0 AS INT) END AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    WHERE (_source = 2) OR (_source = 1 AND (w2 > 100)) OR (_source = 3)
    UNION ALL SELECT 6 AS _port, _start, CAST(NULL AS STRING) AS w0, CAST(NULL AS STRING) AS w1, w2 AS w2, CAST(NULL AS BIGINT) AS w3, CAST(0 AS INT) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 1)
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 2
  SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS INT) AS w2, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_0_0
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, w0 AS w1, CAST(NULL AS INT) AS w2, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_1
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, w0 AS w1, CAST(NULL AS INT) AS w2, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_2
    UNION ALL SELECT 3 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS STRING) AS w1, w1 AS w2, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_0_3
    UNION ALL SELECT 4 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS STRING) AS w1, w1 AS w2, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_0_4
    UNION ALL SELECT 5 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS STRING) AS w1, w1 AS w2, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_0_5
    UNION ALL SELECT 6 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS STRING) AS w1, w1 AS w2, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_0_6
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output named
  SELECT _start AS _ts, w0 AS `px`, w1 AS `name`
    FROM tailrace_stage_1_0

output clicked
  SELECT _start AS _ts, w0 AS `name`
    FROM tailrace_stage_1_1

output twice
  SELECT _start AS _ts, w0 AS `name`
    FROM tailrace_stage_1_2

output close_by
  SELECT _start AS _ts, w0 AS `px`, w1 AS `bid`
    FROM tailrace_stage_1_3

output soon
  SELECT _start AS _ts, w0 AS `px`, w1 AS `bid`
    FROM tailrace_stage_1_4

output nearest
  SELECT _start AS _ts, w0 AS `px`, w1 AS `bid`
    FROM tailrace_stage_1_5

output matched
  SELECT _start AS _ts, w0 AS `px`, w1 AS `bid`
    FROM tailrace_stage_1_6

output by_columns
  SELECT _start AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `sym`, w1 AS `ts`, w2 AS `px`, w3 AS `bid`
    FROM tailrace_stage_0_7

output later
  SELECT _start AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `px`, w1 AS `bid`
    FROM tailrace_stage_0_8

== to an end, later batch
<arrived 0>
  (SELECT _moment AS _start, _moment + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3
    FROM tailrace_rows
    WHERE NOT _moment <= array(9L)[CAST(pmod(_moment, 1L) AS INT)])

== to an end, large batch
<arrived 0>
  (SELECT _moment AS _start, _moment + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3
    FROM tailrace_rows
    WHERE NOT _moment <= array(19L)[CAST(pmod(_moment, 1L) AS INT)])

output named
  SELECT _start AS _ts, w0 AS `px`, w1 AS `name`
    FROM (SELECT *
    FROM tailrace_stage_1_0
    WHERE _start <= 500)

output clicked
  SELECT _start AS _ts, w0 AS `name`
    FROM (SELECT *
    FROM tailrace_stage_1_1
    WHERE _start <= 500)

output twice
  SELECT _start AS _ts, w0 AS `name`
    FROM (SELECT *
    FROM tailrace_stage_1_2
    WHERE _start <= 500)

output close_by
  SELECT _start AS _ts, w0 AS `px`, w1 AS `bid`
    FROM (SELECT *
    FROM tailrace_stage_1_3
    WHERE _start <= 500)

output soon
  SELECT _start AS _ts, w0 AS `px`, w1 AS `bid`
    FROM (SELECT *
    FROM tailrace_stage_1_4
    WHERE _start <= 500)

output nearest
  SELECT _start AS _ts, w0 AS `px`, w1 AS `bid`
    FROM (SELECT *
    FROM tailrace_stage_1_5
    WHERE _start <= 500)

output matched
  SELECT _start AS _ts, w0 AS `px`, w1 AS `bid`
    FROM (SELECT *
    FROM tailrace_stage_1_6
    WHERE _start <= 500)

output by_columns
  SELECT _start AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `sym`, w1 AS `ts`, w2 AS `px`, w3 AS `bid`
    FROM (SELECT *
    FROM tailrace_stage_0_7
    WHERE _start <= 500)

output later
  SELECT _start AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `px`, w1 AS `bid`
    FROM (SELECT *
    FROM tailrace_stage_0_8
    WHERE _start <= 500)
