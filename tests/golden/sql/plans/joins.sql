== to an end, first batch
rows S
  rows of S
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, 1L AS _weight, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(`k` AS INT) AS w0, CAST(`v` AS INT) AS w1, CAST(NULL AS BIGINT) AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS DECIMAL(8,2)) AS w4)

rows T
  rows of T
  selectExpr(1 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, 1L AS _weight, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(`w` AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(`k` AS BIGINT) AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS DECIMAL(8,2)) AS w4)

rows Latest
  rows of Latest
  selectExpr(3 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, 1L AS _weight, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(`k` AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BIGINT) AS w2, CAST(NULL AS STRING) AS w3, CAST(`price` AS DECIMAL(8,2)) AS w4)

rows Kept
  rows of Kept
  selectExpr(4 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, CASE trim(`op`) WHEN '+' THEN 1L WHEN '-' THEN -1L END AS _weight, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(`k` AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BIGINT) AS w2, CAST(`state` AS STRING) AS w3, CAST(NULL AS DECIMAL(8,2)) AS w4)

asked
  count(1) AS rows
  min(IF(_source = 0 AND _weight IS NOT NULL, _moment, NULL)) AS first0
  max(IF(_source = 0 AND _weight IS NOT NULL, _moment, NULL)) AS last0
  count(IF(_source = 0 AND _weight IS NOT NULL, _moment, NULL)) AS timed0
  min(IF(_source = 1 AND _weight IS NOT NULL, _moment, NULL)) AS first1
  max(IF(_source = 1 AND _weight IS NOT NULL, _moment, NULL)) AS last1
  count(IF(_source = 1 AND _weight IS NOT NULL, _moment, NULL)) AS timed1
  min(IF(_source = 3 AND _weight IS NOT NULL, _moment, NULL)) AS first3
  max(IF(_source = 3 AND _weight IS NOT NULL, _moment, NULL)) AS last3
  count(IF(_source = 3 AND _weight IS NOT NULL, _moment, NULL)) AS timed3
  min(IF(_source = 4 AND _weight IS NOT NULL, _moment, NULL)) AS first4
  max(IF(_source = 4 AND _weight IS NOT NULL, _moment, NULL)) AS last4
  count(IF(_source = 4 AND _weight IS NOT NULL, _moment, NULL)) AS timed4

<arrived 2>
  (SELECT 0L AS _start, 0L + 1L AS _until, _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3, w4
    FROM tailrace_source_2
    WHERE true AND _weight IS NOT NULL)

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3, w4
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _weight IS NOT NULL)

view tailrace_rows
  rows of all

view tailrace_source_2
  rows of Still
  selectExpr(2 AS _source, 0L AS _moment, 1L AS _weight, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(`k` AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BIGINT) AS w2, CAST(`name` AS STRING) AS w3, CAST(NULL AS DECIMAL(8,2)) AS w4)

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 WHEN 3 THEN 6 WHEN 4 THEN 8 END AS _port, _start, _until, _weight, w0 AS w0, CASE _source WHEN 0 THEN w1 WHEN 1 THEN CAST(NULL AS INT) WHEN 3 THEN CAST(NULL AS INT) WHEN 4 THEN CAST(NULL AS INT) END AS w1, CASE _source WHEN 0 THEN CAST(CAST(w0 AS BIGINT) AS BIGINT) WHEN 1 THEN w2 WHEN 3 THEN CAST(NULL AS BIGINT) WHEN 4 THEN CAST(NULL AS BIGINT) END AS w2, CASE _source WHEN 0 THEN CAST(NULL AS STRING) WHEN 1 THEN CAST(NULL AS STRING) WHEN 3 THEN CAST(NULL AS STRING) WHEN 4 THEN w3 END AS w3, CASE _source WHEN 0 THEN CAST(NULL AS DECIMAL(8,2)) WHEN 1 THEN CAST(NULL AS DECIMAL(8,2)) WHEN 3 THEN w4 WHEN 4 THEN CAST(NULL AS DECIMAL(8,2)) END AS w4, CAST(NULL AS BIGINT) AS w5, CASE _source WHEN 0 THEN pmod(hash(CAST(CAST(w0 AS BIGINT) AS BIGINT)), 4) WHEN 1 THEN pmod(hash(w2), 4) WHEN 3 THEN pmod(hash(w0), 4) WHEN 4 THEN pmod(hash(w0), 4) END AS _shard, CASE _source WHEN 0 THEN CAST(NULL AS STRING) WHEN 1 THEN CAST(NULL AS STRING) WHEN 3 THEN _file WHEN 4 THEN CAST(NULL AS STRING) END AS _file, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 3 THEN _block WHEN 4 THEN CAST(NULL AS BIGINT) END AS _block, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 3 THEN _line WHEN 4 THEN CAST(NULL AS BIGINT) END AS _line
    FROM <arrived 0>
    WHERE (_source = 0 AND (w1 > 3)) OR (_source = 1) OR (_source = 3) OR (_source = 4)
    UNION ALL SELECT CASE _source WHEN 1 THEN 2 WHEN 0 THEN 3 WHEN 4 THEN 10 END AS _port, _start, _until, _weight, w0 AS w0, CASE _source WHEN 1 THEN CAST(NULL AS INT) WHEN 0 THEN w1 WHEN 4 THEN CAST(NULL AS INT) END AS w1, CASE _source WHEN 1 THEN w2 WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 4 THEN CAST(NULL AS BIGINT) END AS w2, CASE _source WHEN 1 THEN CAST(NULL AS STRING) WHEN 0 THEN CAST(NULL AS STRING) WHEN 4 THEN w3 END AS w3, CAST(NULL AS DECIMAL(8,2)) AS w4, CAST(NULL AS BIGINT) AS w5, CASE _source WHEN 1 THEN CAST(0 AS INT) WHEN 0 THEN pmod(hash(w0), 4) WHEN 4 THEN pmod(hash(w3), 4) END AS _shard, CASE _source WHEN 1 THEN _file WHEN 0 THEN CAST(NULL AS STRING) WHEN 4 THEN CAST(NULL AS STRING) END AS _file, CASE _source WHEN 1 THEN _block WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 4 THEN CAST(NULL AS BIGINT) END AS _block, CASE _source WHEN 1 THEN _line WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 4 THEN CAST(NULL AS BIGINT) END AS _line
    FROM <arrived 0>
    WHERE (_source = 1) OR (_source = 0 AND (w1 > 3)) OR (_source = 4)
    UNION ALL SELECT CASE _source WHEN 0 THEN 5 WHEN 4 THEN 12 END AS _port, _start, _until, _weight, CASE _source WHEN 0 THEN w0 WHEN 4 THEN CAST(NULL AS INT) END AS w0, CASE _source WHEN 0 THEN w1 WHEN 4 THEN CAST(NULL AS INT) END AS w1, CAST(NULL AS BIGINT) AS w2, CASE _source WHEN 0 THEN CAST(NULL AS STRING) WHEN 4 THEN w3 END AS w3, CAST(NULL AS DECIMAL(8,2)) AS w4, CAST(NULL AS BIGINT) AS w5, CASE _source WHEN 0 THEN pmod(hash(w1), 4) WHEN 4 THEN CAST(0 AS INT) END AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 4)
    UNION ALL SELECT 7 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS BIGINT) AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS DECIMAL(8,2)) AS w4, CAST(NULL AS BIGINT) AS w5, pmod(hash(w0), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    UNION ALL SELECT 14 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(CAST(w0 AS BIGINT) AS BIGINT) AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS DECIMAL(8,2)) AS w4, CAST(NULL AS BIGINT) AS w5, pmod(hash(CAST(CAST(w0 AS BIGINT) AS BIGINT)), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    UNION ALL SELECT 4 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BIGINT) AS w2, w3 AS w3, CAST(NULL AS DECIMAL(8,2)) AS w4, CAST(NULL AS BIGINT) AS w5, pmod(hash(w0), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 2>
    UNION ALL SELECT 9 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BIGINT) AS w2, w3 AS w3, CAST(NULL AS DECIMAL(8,2)) AS w4, CAST(NULL AS BIGINT) AS w5, pmod(hash(w3), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 2>
    UNION ALL SELECT 11 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BIGINT) AS w2, w3 AS w3, CAST(NULL AS DECIMAL(8,2)) AS w4, CAST(NULL AS BIGINT) AS w5, CAST(0 AS INT) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 2>
    UNION ALL SELECT 13 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, p0 AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS DECIMAL(8,2)) AS w4, p1 AS w5, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT w2 AS p0, _start AS _life0, pmod(hash(w2), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 1)
    GROUP BY w2, _start, pmod(hash(w2), 4))
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 2
  SELECT 1 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(CAST(w0 AS BIGINT) AS BIGINT) AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS STRING) AS w4, CAST(NULL AS INT) AS w5, pmod(hash(CAST(CAST(w0 AS BIGINT) AS BIGINT)), 4) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    WHERE w1 > 3
    UNION ALL SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS BIGINT) AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS STRING) AS w4, CAST(NULL AS INT) AS w5, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_0_0
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w1 AS w0, CAST(NULL AS INT) AS w1, w0 AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS STRING) AS w4, CAST(NULL AS INT) AS w5, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_1
    UNION ALL SELECT 3 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BIGINT) AS w2, w1 AS w3, CAST(NULL AS STRING) AS w4, CAST(NULL AS INT) AS w5, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_0_2
    UNION ALL SELECT 4 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BIGINT) AS w2, w1 AS w3, w2 AS w4, CAST(NULL AS INT) AS w5, pmod(hash(w0, w1, w2), 4) AS _shard
    FROM tailrace_stage_0_3
    UNION ALL SELECT 5 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS BIGINT) AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS STRING) AS w4, CAST(NULL AS INT) AS w5, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_0_4
    UNION ALL SELECT 6 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, w3 AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS STRING) AS w4, w2 AS w5, pmod(hash(w0, w1, w2, w3), 4) AS _shard
    FROM tailrace_stage_0_5
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 3
  SELECT _start, _until, _weight, w0 AS w0, w1 AS w1, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_1_0
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output comma
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `w`
    FROM tailrace_stage_1_1

output inner_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `w`
    FROM tailrace_stage_2_0

output left_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `name`
    FROM tailrace_stage_1_2

output right_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`, w2 AS `price`
    FROM tailrace_stage_0_6

output full_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `name`, w2 AS `state`
    FROM tailrace_stage_1_3

output crossed
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `name`, w1 AS `state`
    FROM tailrace_stage_0_7

output with_itself
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `v_2`
    FROM tailrace_stage_1_4

output three
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`, w2 AS `w`, w3 AS `n`
    FROM tailrace_stage_1_5

== to an end, later batch
<arrived 2>
  is gone

view tailrace_source_2
  is gone

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3, w4
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _weight IS NOT NULL)

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 WHEN 3 THEN 6 WHEN 4 THEN 8 END AS _port, _start, _until, _weight, w0 AS w0, CASE _source WHEN 0 THEN w1 WHEN 1 THEN CAST(NULL AS INT) WHEN 3 THEN CAST(NULL AS INT) WHEN 4 THEN CAST(NULL AS INT) END AS w1, CASE _source WHEN 0 THEN CAST(CAST(w0 AS BIGINT) AS BIGINT) WHEN 1 THEN w2 WHEN 3 THEN CAST(NULL AS BIGINT) WHEN 4 THEN CAST(NULL AS BIGINT) END AS w2, CASE _source WHEN 0 THEN CAST(NULL AS STRING) WHEN 1 THEN CAST(NULL AS STRING) WHEN 3 THEN CAST(NULL AS STRING) WHEN 4 THEN w3 END AS w3, CASE _source WHEN 0 THEN CAST(NULL AS DECIMAL(8,2)) WHEN 1 THEN CAST(NULL AS DECIMAL(8,2)) WHEN 3 THEN w4 WHEN 4 THEN CAST(NULL AS DECIMAL(8,2)) END AS w4, CAST(NULL AS BIGINT) AS w5, CASE _source WHEN 0 THEN pmod(hash(CAST(CAST(w0 AS BIGINT) AS BIGINT)), 4) WHEN 1 THEN pmod(hash(w2), 4) WHEN 3 THEN pmod(hash(w0), 4) WHEN 4 THEN pmod(hash(w0), 4) END AS _shard, CASE _source WHEN 0 THEN CAST(NULL AS STRING) WHEN 1 THEN CAST(NULL AS STRING) WHEN 3 THEN _file WHEN 4 THEN CAST(NULL AS STRING) END AS _file, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 3 THEN _block WHEN 4 THEN CAST(NULL AS BIGINT) END AS _block, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 3 THEN _line WHEN 4 THEN CAST(NULL AS BIGINT) END AS _line
    FROM <arrived 0>
    WHERE (_source = 0 AND (w1 > 3)) OR (_source = 1) OR (_source = 3) OR (_source = 4)
    UNION ALL SELECT CASE _source WHEN 1 THEN 2 WHEN 0 THEN 3 WHEN 4 THEN 10 END AS _port, _start, _until, _weight, w0 AS w0, CASE _source WHEN 1 THEN CAST(NULL AS INT) WHEN 0 THEN w1 WHEN 4 THEN CAST(NULL AS INT) END AS w1, CASE _source WHEN 1 THEN w2 WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 4 THEN CAST(NULL AS BIGINT) END AS w2, CASE _source WHEN 1 THEN CAST(NULL AS STRING) WHEN 0 THEN CAST(NULL AS STRING) WHEN 4 THEN w3 END AS w3, CAST(NULL AS DECIMAL(8,2)) AS w4, CAST(NULL AS BIGINT) AS w5, CASE _source WHEN 1 THEN CAST(0 AS INT) WHEN 0 THEN pmod(hash(w0), 4) WHEN 4 THEN pmod(hash(w3), 4) END AS _shard, CASE _source WHEN 1 THEN _file WHEN 0 THEN CAST(NULL AS STRING) WHEN 4 THEN CAST(NULL AS STRING) END AS _file, CASE _source WHEN 1 THEN _block WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 4 THEN CAST(NULL AS BIGINT) END AS _block, CASE _source WHEN 1 THEN _line WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 4 THEN CAST(NULL AS BIGINT) END AS _line
    FROM <arrived 0>
    WHERE (_source = 1) OR (_source = 0 AND (w1 > 3)) OR (_source = 4)
    UNION ALL SELECT CASE _source WHEN 0 THEN 5 WHEN 4 THEN 12 END AS _port, _start, _until, _weight, CASE _source WHEN 0 THEN w0 WHEN 4 THEN CAST(NULL AS INT) END AS w0, CASE _source WHEN 0 THEN w1 WHEN 4 THEN CAST(NULL AS INT) END AS w1, CAST(NULL AS BIGINT) AS w2, CASE _source WHEN 0 THEN CAST(NULL AS STRING) WHEN 4 THEN w3 END AS w3, CAST(NULL AS DECIMAL(8,2)) AS w4, CAST(NULL AS BIGINT) AS w5, CASE _source WHEN 0 THEN pmod(hash(w1), 4) WHEN 4 THEN CAST(0 AS INT) END AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 4)
    UNION ALL SELECT 7 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS BIGINT) AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS DECIMAL(8,2)) AS w4, CAST(NULL AS BIGINT) AS w5, pmod(hash(w0), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    UNION ALL SELECT 14 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(CAST(w0 AS BIGINT) AS BIGINT) AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS DECIMAL(8,2)) AS w4, CAST(NULL AS BIGINT) AS w5, pmod(hash(CAST(CAST(w0 AS BIGINT) AS BIGINT)), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    UNION ALL SELECT 13 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, p0 AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS DECIMAL(8,2)) AS w4, p1 AS w5, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT w2 AS p0, _start AS _life0, pmod(hash(w2), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 1)
    GROUP BY w2, _start, pmod(hash(w2), 4))
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3, w4
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _weight IS NOT NULL)

output comma
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `w`
    FROM (SELECT *
    FROM tailrace_stage_1_1
    WHERE _start <= 36000)

output inner_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `w`
    FROM (SELECT *
    FROM tailrace_stage_2_0
    WHERE _start <= 36000)

output left_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `name`
    FROM (SELECT *
    FROM tailrace_stage_1_2
    WHERE _start <= 36000)

output right_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`, w2 AS `price`
    FROM (SELECT *
    FROM tailrace_stage_0_6
    WHERE _start <= 36000)

output full_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `name`, w2 AS `state`
    FROM (SELECT *
    FROM tailrace_stage_1_3
    WHERE _start <= 36000)

output crossed
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `name`, w1 AS `state`
    FROM (SELECT *
    FROM tailrace_stage_0_7
    WHERE _start <= 36000)

output with_itself
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `v_2`
    FROM (SELECT *
    FROM tailrace_stage_1_4
    WHERE _start <= 36000)

output three
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`, w2 AS `w`, w3 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_1_5
    WHERE _start <= 36000)

== continuously, first batch
rows S
  rows of S
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, 1L AS _weight, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(`k` AS INT) AS w0, CAST(`v` AS INT) AS w1, CAST(NULL AS BIGINT) AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS DECIMAL(8,2)) AS w4)

rows T
  rows of T
  selectExpr(1 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, 1L AS _weight, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(`w` AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(`k` AS BIGINT) AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS DECIMAL(8,2)) AS w4)

rows Latest
  rows of Latest
  selectExpr(3 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, 1L AS _weight, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(`k` AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BIGINT) AS w2, CAST(NULL AS STRING) AS w3, CAST(`price` AS DECIMAL(8,2)) AS w4)

rows Kept
  rows of Kept
  selectExpr(4 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, CASE trim(`op`) WHEN '+' THEN 1L WHEN '-' THEN -1L END AS _weight, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(`k` AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BIGINT) AS w2, CAST(`state` AS STRING) AS w3, CAST(NULL AS DECIMAL(8,2)) AS w4)

asked
  count(1) AS rows
  min(IF(_source = 0 AND _weight IS NOT NULL, _moment, NULL)) AS first0
  max(IF(_source = 0 AND _weight IS NOT NULL, _moment, NULL)) AS last0
  count(IF(_source = 0 AND _weight IS NOT NULL, _moment, NULL)) AS timed0
  min(IF(_source = 1 AND _weight IS NOT NULL, _moment, NULL)) AS first1
  max(IF(_source = 1 AND _weight IS NOT NULL, _moment, NULL)) AS last1
  count(IF(_source = 1 AND _weight IS NOT NULL, _moment, NULL)) AS timed1
  min(IF(_source = 3 AND _weight IS NOT NULL, _moment, NULL)) AS first3
  max(IF(_source = 3 AND _weight IS NOT NULL, _moment, NULL)) AS last3
  count(IF(_source = 3 AND _weight IS NOT NULL, _moment, NULL)) AS timed3
  min(IF(_source = 4 AND _weight IS NOT NULL, _moment, NULL)) AS first4
  max(IF(_source = 4 AND _weight IS NOT NULL, _moment, NULL)) AS last4
  count(IF(_source = 4 AND _weight IS NOT NULL, _moment, NULL)) AS timed4

<arrived 2>
  (SELECT 0L AS _start, 0L + 1L AS _until, _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3, w4
    FROM tailrace_source_2
    WHERE true AND _weight IS NOT NULL)

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3, w4
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _weight IS NOT NULL)

view tailrace_rows
  rows of all

view tailrace_source_2
  rows of Still
  selectExpr(2 AS _source, 0L AS _moment, 1L AS _weight, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(`k` AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BIGINT) AS w2, CAST(`name` AS STRING) AS w3, CAST(NULL AS DECIMAL(8,2)) AS w4)

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 WHEN 3 THEN 6 WHEN 4 THEN 8 END AS _port, _start, _until, _weight, w0 AS w0, CASE _source WHEN 0 THEN w1 WHEN 1 THEN CAST(NULL AS INT) WHEN 3 THEN CAST(NULL AS INT) WHEN 4 THEN CAST(NULL AS INT) END AS w1, CASE _source WHEN 0 THEN CAST(CAST(w0 AS BIGINT) AS BIGINT) WHEN 1 THEN w2 WHEN 3 THEN CAST(NULL AS BIGINT) WHEN 4 THEN CAST(NULL AS BIGINT) END AS w2, CASE _source WHEN 0 THEN CAST(NULL AS STRING) WHEN 1 THEN CAST(NULL AS STRING) WHEN 3 THEN CAST(NULL AS STRING) WHEN 4 THEN w3 END AS w3, CASE _source WHEN 0 THEN CAST(NULL AS DECIMAL(8,2)) WHEN 1 THEN CAST(NULL AS DECIMAL(8,2)) WHEN 3 THEN w4 WHEN 4 THEN CAST(NULL AS DECIMAL(8,2)) END AS w4, CASE _source WHEN 0 THEN pmod(hash(CAST(CAST(w0 AS BIGINT) AS BIGINT)), 4) WHEN 1 THEN pmod(hash(w2), 4) WHEN 3 THEN pmod(hash(w0), 4) WHEN 4 THEN pmod(hash(w0), 4) END AS _shard, CASE _source WHEN 0 THEN CAST(NULL AS STRING) WHEN 1 THEN CAST(NULL AS STRING) WHEN 3 THEN _file WHEN 4 THEN CAST(NULL AS STRING) END AS _file, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 3 THEN _block WHEN 4 THEN CAST(NULL AS BIGINT) END AS _block, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 3 THEN _line WHEN 4 THEN CAST(NULL AS BIGINT) END AS _line
    FROM <arrived 0>
    WHERE (_source = 0 AND (w1 > 3)) OR (_source = 1) OR (_source = 3) OR (_source = 4)
    UNION ALL SELECT CASE _source WHEN 1 THEN 2 WHEN 0 THEN 3 WHEN 4 THEN 10 END AS _port, _start, _until, _weight, w0 AS w0, CASE _source WHEN 1 THEN CAST(NULL AS INT) WHEN 0 THEN w1 WHEN 4 THEN CAST(NULL AS INT) END AS w1, CASE _source WHEN 1 THEN w2 WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 4 THEN CAST(NULL AS BIGINT) END AS w2, CASE _source WHEN 1 THEN CAST(NULL AS STRING) WHEN 0 THEN CAST(NULL AS STRING) WHEN 4 THEN w3 END AS w3, CAST(NULL AS DECIMAL(8,2)) AS w4, CASE _source WHEN 1 THEN CAST(0 AS INT) WHEN 0 THEN pmod(hash(w0), 4) WHEN 4 THEN pmod(hash(w3), 4) END AS _shard, CASE _source WHEN 1 THEN _file WHEN 0 THEN CAST(NULL AS STRING) WHEN 4 THEN CAST(NULL AS STRING) END AS _file, CASE _source WHEN 1 THEN _block WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 4 THEN CAST(NULL AS BIGINT) END AS _block, CASE _source WHEN 1 THEN _line WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 4 THEN CAST(NULL AS BIGINT) END AS _line
    FROM <arrived 0>
    WHERE (_source = 1) OR (_source = 0 AND (w1 > 3)) OR (_source = 4)
    UNION ALL SELECT CASE _source WHEN 0 THEN 5 WHEN 4 THEN 12 END AS _port, _start, _until, _weight, CASE _source WHEN 0 THEN w0 WHEN 4 THEN CAST(NULL AS INT) END AS w0, CASE _source WHEN 0 THEN w1 WHEN 4 THEN CAST(NULL AS INT) END AS w1, CAST(NULL AS BIGINT) AS w2, CASE _source WHEN 0 THEN CAST(NULL AS STRING) WHEN 4 THEN w3 END AS w3, CAST(NULL AS DECIMAL(8,2)) AS w4, CASE _source WHEN 0 THEN pmod(hash(w1), 4) WHEN 4 THEN CAST(0 AS INT) END AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 4)
    UNION ALL SELECT 7 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS BIGINT) AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS DECIMAL(8,2)) AS w4, pmod(hash(w0), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    UNION ALL SELECT 4 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BIGINT) AS w2, w3 AS w3, CAST(NULL AS DECIMAL(8,2)) AS w4, pmod(hash(w0), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 2>
    UNION ALL SELECT 9 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BIGINT) AS w2, w3 AS w3, CAST(NULL AS DECIMAL(8,2)) AS w4, pmod(hash(w3), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 2>
    UNION ALL SELECT 11 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BIGINT) AS w2, w3 AS w3, CAST(NULL AS DECIMAL(8,2)) AS w4, CAST(0 AS INT) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 2>
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 2
  SELECT 1 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(CAST(w0 AS BIGINT) AS BIGINT) AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS STRING) AS w4, pmod(hash(CAST(CAST(w0 AS BIGINT) AS BIGINT)), 4) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    WHERE w1 > 3
    UNION ALL SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS BIGINT) AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS STRING) AS w4, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_0_0
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w1 AS w0, CAST(NULL AS INT) AS w1, w0 AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS STRING) AS w4, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_1
    UNION ALL SELECT 3 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BIGINT) AS w2, w1 AS w3, CAST(NULL AS STRING) AS w4, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_0_2
    UNION ALL SELECT 4 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BIGINT) AS w2, w1 AS w3, w2 AS w4, pmod(hash(w0, w1, w2), 4) AS _shard
    FROM tailrace_stage_0_3
    UNION ALL SELECT 5 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS BIGINT) AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS STRING) AS w4, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_0_4
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 3
  SELECT _start, _until, _weight, w0 AS w0, w1 AS w1, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_1_0
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output comma
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `w`
    FROM tailrace_stage_1_1

output inner_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `w`
    FROM tailrace_stage_2_0

output left_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `name`
    FROM tailrace_stage_1_2

output right_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`, w2 AS `price`
    FROM tailrace_stage_0_5

output full_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `name`, w2 AS `state`
    FROM tailrace_stage_1_3

output crossed
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `name`, w1 AS `state`
    FROM tailrace_stage_0_6

output with_itself
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `v_2`
    FROM tailrace_stage_1_4

== continuously, later batch, three joins
<arrived 2>
  is gone

view tailrace_source_2
  is gone

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3, w4
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _weight IS NOT NULL)

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 WHEN 3 THEN 6 WHEN 4 THEN 8 END AS _port, _start, _until, _weight, w0 AS w0, CASE _source WHEN 0 THEN w1 WHEN 1 THEN CAST(NULL AS INT) WHEN 3 THEN CAST(NULL AS INT) WHEN 4 THEN CAST(NULL AS INT) END AS w1, CASE _source WHEN 0 THEN CAST(CAST(w0 AS BIGINT) AS BIGINT) WHEN 1 THEN w2 WHEN 3 THEN CAST(NULL AS BIGINT) WHEN 4 THEN CAST(NULL AS BIGINT) END AS w2, CASE _source WHEN 0 THEN CAST(NULL AS STRING) WHEN 1 THEN CAST(NULL AS STRING) WHEN 3 THEN CAST(NULL AS STRING) WHEN 4 THEN w3 END AS w3, CASE _source WHEN 0 THEN CAST(NULL AS DECIMAL(8,2)) WHEN 1 THEN CAST(NULL AS DECIMAL(8,2)) WHEN 3 THEN w4 WHEN 4 THEN CAST(NULL AS DECIMAL(8,2)) END AS w4, CAST(NULL AS BIGINT) AS w5, CASE _source WHEN 0 THEN pmod(hash(CAST(CAST(w0 AS BIGINT) AS BIGINT)), 4) WHEN 1 THEN pmod(hash(w2), 4) WHEN 3 THEN pmod(hash(w0), 4) WHEN 4 THEN pmod(hash(w0), 4) END AS _shard, CASE _source WHEN 0 THEN CAST(NULL AS STRING) WHEN 1 THEN CAST(NULL AS STRING) WHEN 3 THEN _file WHEN 4 THEN CAST(NULL AS STRING) END AS _file, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 3 THEN _block WHEN 4 THEN CAST(NULL AS BIGINT) END AS _block, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 3 THEN _line WHEN 4 THEN CAST(NULL AS BIGINT) END AS _line
    FROM <arrived 0>
    WHERE (_source = 0 AND (w1 > 3)) OR (_source = 1) OR (_source = 3) OR (_source = 4)
    UNION ALL SELECT CASE _source WHEN 1 THEN 2 WHEN 0 THEN 3 WHEN 4 THEN 10 END AS _port, _start, _until, _weight, w0 AS w0, CASE _source WHEN 1 THEN CAST(NULL AS INT) WHEN 0 THEN w1 WHEN 4 THEN CAST(NULL AS INT) END AS w1, CASE _source WHEN 1 THEN w2 WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 4 THEN CAST(NULL AS BIGINT) END AS w2, CASE _source WHEN 1 THEN CAST(NULL AS STRING) WHEN 0 THEN CAST(NULL AS STRING) WHEN 4 THEN w3 END AS w3, CAST(NULL AS DECIMAL(8,2)) AS w4, CAST(NULL AS BIGINT) AS w5, CASE _source WHEN 1 THEN CAST(0 AS INT) WHEN 0 THEN pmod(hash(w0), 4) WHEN 4 THEN pmod(hash(w3), 4) END AS _shard, CASE _source WHEN 1 THEN _file WHEN 0 THEN CAST(NULL AS STRING) WHEN 4 THEN CAST(NULL AS STRING) END AS _file, CASE _source WHEN 1 THEN _block WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 4 THEN CAST(NULL AS BIGINT) END AS _block, CASE _source WHEN 1 THEN _line WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 4 THEN CAST(NULL AS BIGINT) END AS _line
    FROM <arrived 0>
    WHERE (_source = 1) OR (_source = 0 AND (w1 > 3)) OR (_source = 4)
    UNION ALL SELECT CASE _source WHEN 0 THEN 5 WHEN 4 THEN 12 END AS _port, _start, _until, _weight, CASE _source WHEN 0 THEN w0 WHEN 4 THEN CAST(NULL AS INT) END AS w0, CASE _source WHEN 0 THEN w1 WHEN 4 THEN CAST(NULL AS INT) END AS w1, CAST(NULL AS BIGINT) AS w2, CASE _source WHEN 0 THEN CAST(NULL AS STRING) WHEN 4 THEN w3 END AS w3, CAST(NULL AS DECIMAL(8,2)) AS w4, CAST(NULL AS BIGINT) AS w5, CASE _source WHEN 0 THEN pmod(hash(w1), 4) WHEN 4 THEN CAST(0 AS INT) END AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 4)
    UNION ALL SELECT 7 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS BIGINT) AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS DECIMAL(8,2)) AS w4, CAST(NULL AS BIGINT) AS w5, pmod(hash(w0), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    UNION ALL SELECT 14 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(CAST(w0 AS BIGINT) AS BIGINT) AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS DECIMAL(8,2)) AS w4, CAST(NULL AS BIGINT) AS w5, pmod(hash(CAST(CAST(w0 AS BIGINT) AS BIGINT)), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    UNION ALL SELECT 13 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, p0 AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS DECIMAL(8,2)) AS w4, p1 AS w5, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT w2 AS p0, _start AS _life0, pmod(hash(w2), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 1 AND _start >= 12)
    GROUP BY w2, _start, pmod(hash(w2), 4))
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 2
  SELECT 1 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(CAST(w0 AS BIGINT) AS BIGINT) AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS STRING) AS w4, CAST(NULL AS INT) AS w5, pmod(hash(CAST(CAST(w0 AS BIGINT) AS BIGINT)), 4) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    WHERE w1 > 3
    UNION ALL SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS BIGINT) AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS STRING) AS w4, CAST(NULL AS INT) AS w5, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_0_0
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w1 AS w0, CAST(NULL AS INT) AS w1, w0 AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS STRING) AS w4, CAST(NULL AS INT) AS w5, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_1
    UNION ALL SELECT 3 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BIGINT) AS w2, w1 AS w3, CAST(NULL AS STRING) AS w4, CAST(NULL AS INT) AS w5, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_0_2
    UNION ALL SELECT 4 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BIGINT) AS w2, w1 AS w3, w2 AS w4, CAST(NULL AS INT) AS w5, pmod(hash(w0, w1, w2), 4) AS _shard
    FROM tailrace_stage_0_3
    UNION ALL SELECT 5 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS BIGINT) AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS STRING) AS w4, CAST(NULL AS INT) AS w5, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_0_4
    UNION ALL SELECT 6 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, w3 AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS STRING) AS w4, w2 AS w5, pmod(hash(w0, w1, w2, w3), 4) AS _shard
    FROM tailrace_stage_0_5
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output right_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`, w2 AS `price`
    FROM tailrace_stage_0_6

output crossed
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `name`, w1 AS `state`
    FROM tailrace_stage_0_7

output three
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`, w2 AS `w`, w3 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_1_5
    WHERE _start >= 12)
