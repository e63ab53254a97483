== to an end, first batch
rows A
  rows of A
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, 1L AS _weight, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(`v` AS INT) AS w1, CAST(NULL AS STRING) AS w2)

rows B
  rows of B
  selectExpr(1 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, 1L AS _weight, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(`w` AS INT) AS w1, CAST(NULL AS STRING) AS w2)

rows R
  rows of R
  selectExpr(2 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, CASE trim(`op`) WHEN '+' THEN 1L WHEN '-' THEN -1L END AS _weight, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(`label` AS STRING) AS w2)

asked
  count(1) AS rows
  min(IF(_source = 0 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS first0
  max(IF(_source = 0 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS last0
  count(IF(_source = 0 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS timed0
  min(IF(_source = 1 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS first1
  max(IF(_source = 1 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS last1
  count(IF(_source = 1 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS timed1
  min(IF(_source = 2 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS first2
  max(IF(_source = 2 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS last2
  count(IF(_source = 2 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS timed2

<arrived 3>
  (SELECT 0L AS _start, 0L + 1L AS _until, _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2
    FROM tailrace_source_3
    WHERE true AND _weight IS NOT NULL AND _unreadable IS NULL)

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _weight IS NOT NULL AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view tailrace_source_3
  rows of Names
  selectExpr(3 AS _source, 0L AS _moment, 1L AS _weight, _metadata.file_path AS _file, _metadata.file_block_start AS _block, IF(`k` IS NULL, _unreadable, concat(_unreadable, '')) AS _unreadable, CAST(`k` AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(`name` AS STRING) AS w2)

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 WHEN 2 THEN 4 END AS _port, _start, _until, _weight, w0 AS w0, CASE _source WHEN 0 THEN w1 WHEN 1 THEN w1 WHEN 2 THEN CAST(NULL AS INT) END AS w1, CASE _source WHEN 0 THEN CAST(NULL AS STRING) WHEN 1 THEN CAST(NULL AS STRING) WHEN 2 THEN w2 END AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS BIGINT) AS w5, pmod(hash(w0), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1) OR (_source = 2)
    UNION ALL SELECT CASE _source WHEN 0 THEN 2 WHEN 1 THEN 3 END AS _port, _start, _until, _weight, w1 AS w0, w0 AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS BIGINT) AS w5, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1)
    UNION ALL SELECT 5 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, w2 AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS BIGINT) AS w5, pmod(hash(w0), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 3>
    UNION ALL SELECT 6 AS _port, _start, _until, _weight, p0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS STRING) AS w2, p1 AS w3, p2 AS w4, p3 AS w5, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT w0 AS p0, _start AS _life0, pmod(hash(w0), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1, CAST(count(w1) AS BIGINT) AS p2, CAST(sum(w1) AS BIGINT) AS p3
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    GROUP BY w0, _start, pmod(hash(w0), 4))
    UNION ALL SELECT 7 AS _port, _start, _until, _weight, p0 AS w0, p2 AS w1, CAST(NULL AS STRING) AS w2, p1 AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS BIGINT) AS w5, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT w0 AS p0, _start AS _life0, pmod(hash(w0), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1, CAST(max(w1) AS INT) AS p2
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 1)
    GROUP BY w0, _start, pmod(hash(w0), 4))
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 2
  SELECT 2 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS BIGINT) AS w4, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    UNION ALL SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS BIGINT) AS w4, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_0_0
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS BIGINT) AS w4, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_0_1
    UNION ALL SELECT 3 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS BIGINT) AS w4, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_2
    UNION ALL SELECT 4 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS BIGINT) AS w4, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_0_3
    UNION ALL SELECT 5 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, w1 AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS BIGINT) AS w4, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_0_4
    UNION ALL SELECT 6 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, w0 AS w2, w1 AS w3, CAST(NULL AS BIGINT) AS w4, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_0_5
    UNION ALL SELECT 7 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS STRING) AS w3, w1 AS w4, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_0_6
    UNION ALL SELECT 8 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS BIGINT) AS w4, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_0_7
    UNION ALL SELECT 9 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, w2 AS w2, w3 AS w3, CAST(NULL AS BIGINT) AS w4, pmod(hash(w0, w1, w2, w3), 4) AS _shard
    FROM tailrace_stage_0_8
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 3
  SELECT _start, _until, _weight, w0 AS w0, w1 AS w1, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_1_0
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output comma
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`, w2 AS `w`
    FROM tailrace_stage_0_9

output comma_no_condition
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `w`
    FROM tailrace_stage_0_10

output plain_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `w`
    FROM tailrace_stage_1_1

output inner_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `w`
    FROM tailrace_stage_1_2

output cross_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `w`
    FROM tailrace_stage_0_11

output theta_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `w`
    FROM tailrace_stage_0_12

output expression_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `w`
    FROM tailrace_stage_0_13

output either_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `w`
    FROM tailrace_stage_0_14

output self_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v1`, w1 AS `v2`
    FROM tailrace_stage_2_0

output unbounded_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `v`, w1 AS `w`
    FROM tailrace_stage_1_3

output relation_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `v`, w1 AS `label`
    FROM tailrace_stage_1_4

output relations_only
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `label`, w1 AS `name`
    FROM tailrace_stage_1_5

output view_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `w`, w1 AS `total`
    FROM tailrace_stage_1_6

output subquery_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `top`
    FROM tailrace_stage_1_7

output four_sources
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `w`, w2 AS `label`, w3 AS `name`
    FROM tailrace_stage_1_8

output star_of_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`, w2 AS `k_2`, w3 AS `w`
    FROM tailrace_stage_0_15

output star_of_one_side
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `w`, w2 AS `v`
    FROM tailrace_stage_0_16

== to an end, later batch
<arrived 3>
  is gone

view tailrace_source_3
  is gone

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _weight IS NOT NULL AND _unreadable IS NULL)

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 WHEN 2 THEN 4 END AS _port, _start, _until, _weight, w0 AS w0, CASE _source WHEN 0 THEN w1 WHEN 1 THEN w1 WHEN 2 THEN CAST(NULL AS INT) END AS w1, CASE _source WHEN 0 THEN CAST(NULL AS STRING) WHEN 1 THEN CAST(NULL AS STRING) WHEN 2 THEN w2 END AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS BIGINT) AS w5, pmod(hash(w0), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1) OR (_source = 2)
    UNION ALL SELECT CASE _source WHEN 0 THEN 2 WHEN 1 THEN 3 END AS _port, _start, _until, _weight, w1 AS w0, w0 AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS BIGINT) AS w5, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1)
    UNION ALL SELECT 6 AS _port, _start, _until, _weight, p0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS STRING) AS w2, p1 AS w3, p2 AS w4, p3 AS w5, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT w0 AS p0, _start AS _life0, pmod(hash(w0), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1, CAST(count(w1) AS BIGINT) AS p2, CAST(sum(w1) AS BIGINT) AS p3
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    GROUP BY w0, _start, pmod(hash(w0), 4))
    UNION ALL SELECT 7 AS _port, _start, _until, _weight, p0 AS w0, p2 AS w1, CAST(NULL AS STRING) AS w2, p1 AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS BIGINT) AS w5, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT w0 AS p0, _start AS _life0, pmod(hash(w0), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1, CAST(max(w1) AS INT) AS p2
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 1)
    GROUP BY w0, _start, pmod(hash(w0), 4))
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _weight IS NOT NULL AND _unreadable IS NULL)

output comma
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`, w2 AS `w`
    FROM (SELECT *
    FROM tailrace_stage_0_9
    WHERE _start <= 36000)

output comma_no_condition
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `w`
    FROM (SELECT *
    FROM tailrace_stage_0_10
    WHERE _start <= 36000)

output plain_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `w`
    FROM (SELECT *
    FROM tailrace_stage_1_1
    WHERE _start <= 36000)

output inner_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `w`
    FROM (SELECT *
    FROM tailrace_stage_1_2
    WHERE _start <= 36000)

output cross_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `w`
    FROM (SELECT *
    FROM tailrace_stage_0_11
    WHERE _start <= 36000)

output theta_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `w`
    FROM (SELECT *
    FROM tailrace_stage_0_12
    WHERE _start <= 36000)

output expression_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `w`
    FROM (SELECT *
    FROM tailrace_stage_0_13
    WHERE _start <= 36000)

output either_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `w`
    FROM (SELECT *
    FROM tailrace_stage_0_14
    WHERE _start <= 36000)

output self_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v1`, w1 AS `v2`
    FROM (SELECT *
    FROM tailrace_stage_2_0
    WHERE _start <= 36000)

output unbounded_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `v`, w1 AS `w`
    FROM (SELECT *
    FROM tailrace_stage_1_3
    WHERE _start <= 36000)

output relation_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `v`, w1 AS `label`
    FROM (SELECT *
    FROM tailrace_stage_1_4
    WHERE _start <= 36000)

output relations_only
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `label`, w1 AS `name`
    FROM (SELECT *
    FROM tailrace_stage_1_5
    WHERE _start <= 36000)

output view_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `w`, w1 AS `total`
    FROM (SELECT *
    FROM tailrace_stage_1_6
    WHERE _start <= 36000)

output subquery_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `top`
    FROM (SELECT *
    FROM tailrace_stage_1_7
    WHERE _start <= 36000)

output four_sources
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `w`, w2 AS `label`, w3 AS `name`
    FROM (SELECT *
    FROM tailrace_stage_1_8
    WHERE _start <= 36000)

output star_of_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`, w2 AS `k_2`, w3 AS `w`
    FROM (SELECT *
    FROM tailrace_stage_0_15
    WHERE _start <= 36000)

output star_of_one_side
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `w`, w2 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_16
    WHERE _start <= 36000)
