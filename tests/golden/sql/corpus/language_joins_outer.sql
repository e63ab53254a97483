== to an end, first batch
rows A
  rows of A
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(`v` AS INT) AS w1, CAST(NULL AS STRING) AS w2)

rows B
  rows of B
  selectExpr(1 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(`w` AS INT) AS w1, CAST(NULL AS STRING) AS w2)

rows Names
  rows of Names
  selectExpr(2 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(`name` AS STRING) AS w2)

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

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 WHEN 2 THEN 5 END AS _port, _start, w0 AS w0, CASE _source WHEN 0 THEN w1 WHEN 1 THEN w1 WHEN 2 THEN CAST(NULL AS INT) END AS w1, CASE _source WHEN 0 THEN CAST(NULL AS STRING) WHEN 1 THEN CAST(NULL AS STRING) WHEN 2 THEN w2 END AS w2, pmod(hash(w0), 4) AS _shard, CASE _source WHEN 0 THEN CAST(NULL AS STRING) WHEN 1 THEN CAST(NULL AS STRING) WHEN 2 THEN _file END AS _file, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 2 THEN _block END AS _block, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 2 THEN _line END AS _line
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1) OR (_source = 2)
    UNION ALL SELECT CASE _source WHEN 1 THEN 2 WHEN 0 THEN 3 END AS _port, _start, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, CASE _source WHEN 1 THEN pmod(hash(w0), 4) WHEN 0 THEN CAST(0 AS INT) END AS _shard, CASE _source WHEN 1 THEN CAST(NULL AS STRING) WHEN 0 THEN _file END AS _file, CASE _source WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 0 THEN _block END AS _block, CASE _source WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 0 THEN _line END AS _line
    FROM <arrived 0>
    WHERE (_source = 1 AND (w1 > 1)) OR (_source = 0)
    UNION ALL SELECT CASE _source WHEN 1 THEN 4 WHEN 0 THEN 6 END AS _port, _start, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, CASE _source WHEN 1 THEN CAST(0 AS INT) WHEN 0 THEN pmod(hash(w1), 4) END AS _shard, CASE _source WHEN 1 THEN _file WHEN 0 THEN CAST(NULL AS STRING) END AS _file, CASE _source WHEN 1 THEN _block WHEN 0 THEN CAST(NULL AS BIGINT) END AS _block, CASE _source WHEN 1 THEN _line WHEN 0 THEN CAST(NULL AS BIGINT) END AS _line
    FROM <arrived 0>
    WHERE (_source = 1) OR (_source = 0)
    UNION ALL SELECT 7 AS _port, _start, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, pmod(hash(w1), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 1)
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 2
  SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS INT) AS w3, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_0_0
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, CAST(NULL AS STRING) AS w0, w0 AS w1, w1 AS w2, CAST(NULL AS INT) AS w3, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_0_1
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, CAST(NULL AS STRING) AS w0, w0 AS w1, w1 AS w2, w2 AS w3, pmod(hash(w0, w1, w2), 4) AS _shard
    FROM tailrace_stage_0_2
    UNION ALL SELECT 3 AS _port, _start, _until, _weight, CAST(NULL AS STRING) AS w0, w0 AS w1, w1 AS w2, w2 AS w3, pmod(hash(w1), 4) AS _shard
    FROM tailrace_stage_0_3
    UNION ALL SELECT 4 AS _port, _start, _until, _weight, w1 AS w0, w0 AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS INT) AS w3, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_4
    UNION ALL SELECT 5 AS _port, _start, _until, _weight, CAST(NULL AS STRING) AS w0, w0 AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS INT) AS w3, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_5
    UNION ALL SELECT 6 AS _port, _start, _until, _weight, CAST(NULL AS STRING) AS w0, w0 AS w1, w1 AS w2, w2 AS w3, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_3
    UNION ALL SELECT 7 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS INT) AS w3, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_6
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 3
  SELECT _start, _until, _weight, w0 AS w0, w1 AS w1, w2 AS w2, pmod(hash(w0, w1, w2), 4) AS _shard
    FROM tailrace_stage_1_0
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output left_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`, w2 AS `w`
    FROM tailrace_stage_0_7

output left_outer_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `w`
    FROM tailrace_stage_0_8

output right_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `k`, w2 AS `w`
    FROM tailrace_stage_0_9

output right_outer_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `name`, w1 AS `v`
    FROM tailrace_stage_1_1

output full_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `ka`, w1 AS `kb`
    FROM tailrace_stage_1_2

output full_outer_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`, w2 AS `w`
    FROM tailrace_stage_1_3

output antijoin
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_10

output chained
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `w`, w2 AS `name`
    FROM tailrace_stage_2_0

output counted
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `name`, w1 AS `readings`
    FROM tailrace_stage_1_4

output streamed
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `name`
    FROM tailrace_stage_0_11

== to an end, later batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

output left_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`, w2 AS `w`
    FROM (SELECT *
    FROM tailrace_stage_0_7
    WHERE _start <= 36000)

output left_outer_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `w`
    FROM (SELECT *
    FROM tailrace_stage_0_8
    WHERE _start <= 36000)

output right_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `k`, w2 AS `w`
    FROM (SELECT *
    FROM tailrace_stage_0_9
    WHERE _start <= 36000)

output right_outer_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `name`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_1_1
    WHERE _start <= 36000)

output full_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `ka`, w1 AS `kb`
    FROM (SELECT *
    FROM tailrace_stage_1_2
    WHERE _start <= 36000)

output full_outer_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`, w2 AS `w`
    FROM (SELECT *
    FROM tailrace_stage_1_3
    WHERE _start <= 36000)

output antijoin
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_10
    WHERE _start <= 36000)

output chained
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `w`, w2 AS `name`
    FROM (SELECT *
    FROM tailrace_stage_2_0
    WHERE _start <= 36000)

output counted
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `name`, w1 AS `readings`
    FROM (SELECT *
    FROM tailrace_stage_1_4
    WHERE _start <= 36000)

output streamed
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `name`
    FROM (SELECT *
    FROM tailrace_stage_0_11
    WHERE _start <= 36000)
