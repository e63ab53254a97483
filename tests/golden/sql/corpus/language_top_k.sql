== to an end, first batch
rows U
  rows of U
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`id` AS INT) AS w0, CAST(`k` AS INT) AS w1, CAST(`v` AS INT) AS w2, CAST(NULL AS STRING) AS w3)

asked
  count(1) AS rows
  min(IF(_unreadable IS NULL, _moment, NULL)) AS first0
  max(IF(_unreadable IS NULL, _moment, NULL)) AS last0
  count(IF(_unreadable IS NULL, _moment, NULL)) AS timed0

<arrived 1>
  (SELECT 0L AS _start, 0L + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3
    FROM tailrace_source_1
    WHERE true AND _unreadable IS NULL)

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view tailrace_source_1
  rows of Names
  selectExpr(1 AS _source, 0L AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, IF(`k` IS NULL, _unreadable, concat(_unreadable, '')) AS _unreadable, CAST(`k` AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(`name` AS STRING) AS w3)

view messages for stage 1
  SELECT 0 AS _port, _start, w0 AS w0, w2 AS w1, CAST(`abs`(w2 - 50) AS INT) AS w2, CAST(w2 * w2 AS INT) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS BIGINT) AS w5, CAST(NULL AS BIGINT) AS w6, CAST(NULL AS STRING) AS w7, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM <arrived 0>
    UNION ALL SELECT 3 AS _port, _start, w1 AS w0, w2 AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS BIGINT) AS w5, CAST(NULL AS BIGINT) AS w6, CAST(NULL AS STRING) AS w7, pmod(hash(w1), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    UNION ALL SELECT 1 AS _port, _start, p0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS INT) AS w3, p1 AS w4, CAST(NULL AS BIGINT) AS w5, CAST(NULL AS BIGINT) AS w6, CAST(NULL AS STRING) AS w7, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT w1 AS p0, _start AS _life0, pmod(hash(w1), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1
    FROM <arrived 0>
    GROUP BY w1, _start, pmod(hash(w1), 4))
    UNION ALL SELECT 2 AS _port, _start, p0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS INT) AS w3, p1 AS w4, p2 AS w5, p3 AS w6, CAST(NULL AS STRING) AS w7, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT w1 AS p0, _start AS _life0, pmod(hash(w1), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1, CAST(count(w2) AS BIGINT) AS p2, CAST(sum(w2) AS BIGINT) AS p3
    FROM <arrived 0>
    GROUP BY w1, _start, pmod(hash(w1), 4))
    UNION ALL SELECT 4 AS _port, _start, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS BIGINT) AS w5, CAST(NULL AS BIGINT) AS w6, w3 AS w7, pmod(hash(w0), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 1>
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 2
  SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, CAST(0 AS INT) AS _shard
    FROM tailrace_stage_0_0
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, CAST(0 AS INT) AS _shard
    FROM tailrace_stage_0_1
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS BIGINT) AS w1, CAST(NULL AS STRING) AS w2, CAST(0 AS INT) AS _shard
    FROM tailrace_stage_0_2
    UNION ALL SELECT 3 AS _port, _start, _until, _weight, w1 AS w0, CAST(NULL AS BIGINT) AS w1, w0 AS w2, CAST(0 AS INT) AS _shard
    FROM tailrace_stage_0_3
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output largest
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`, w1 AS `v`
    FROM tailrace_stage_0_4

output smallest
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`, w1 AS `v`
    FROM tailrace_stage_0_5

output nulls_last
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`, w1 AS `v`
    FROM tailrace_stage_0_4

output nulls_first
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`, w1 AS `v`
    FROM tailrace_stage_0_6

output by_expression
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`, w1 AS `v`
    FROM tailrace_stage_0_7

output by_alias
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`, w1 AS `square`
    FROM tailrace_stage_0_8

output by_position
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`, w1 AS `v`
    FROM tailrace_stage_0_4

output by_unselected
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`
    FROM tailrace_stage_0_9

output of_groups
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `n`
    FROM tailrace_stage_1_0

output of_groups_by_aggregate
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM tailrace_stage_1_1

output of_distinct
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM tailrace_stage_1_2

output of_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `name`, w1 AS `v`
    FROM tailrace_stage_1_3

output of_unbounded
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`, w1 AS `v`
    FROM tailrace_stage_0_10

output of_top
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`, w1 AS `v`
    FROM tailrace_stage_0_11

output entering
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `id`
    FROM tailrace_stage_0_12

== to an end, later batch
<arrived 1>
  is gone

view tailrace_source_1
  is gone

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view messages for stage 1
  SELECT 0 AS _port, _start, w0 AS w0, w2 AS w1, CAST(`abs`(w2 - 50) AS INT) AS w2, CAST(w2 * w2 AS INT) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS BIGINT) AS w5, CAST(NULL AS BIGINT) AS w6, CAST(NULL AS STRING) AS w7, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM <arrived 0>
    UNION ALL SELECT 3 AS _port, _start, w1 AS w0, w2 AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS BIGINT) AS w5, CAST(NULL AS BIGINT) AS w6, CAST(NULL AS STRING) AS w7, pmod(hash(w1), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    UNION ALL SELECT 1 AS _port, _start, p0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS INT) AS w3, p1 AS w4, CAST(NULL AS BIGINT) AS w5, CAST(NULL AS BIGINT) AS w6, CAST(NULL AS STRING) AS w7, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT w1 AS p0, _start AS _life0, pmod(hash(w1), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1
    FROM <arrived 0>
    GROUP BY w1, _start, pmod(hash(w1), 4))
    UNION ALL SELECT 2 AS _port, _start, p0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS INT) AS w3, p1 AS w4, p2 AS w5, p3 AS w6, CAST(NULL AS STRING) AS w7, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT w1 AS p0, _start AS _life0, pmod(hash(w1), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1, CAST(count(w2) AS BIGINT) AS p2, CAST(sum(w2) AS BIGINT) AS p3
    FROM <arrived 0>
    GROUP BY w1, _start, pmod(hash(w1), 4))
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

output largest
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_4
    WHERE _start <= 36000)

output smallest
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_5
    WHERE _start <= 36000)

output nulls_last
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_4
    WHERE _start <= 36000)

output nulls_first
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_6
    WHERE _start <= 36000)

output by_expression
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_7
    WHERE _start <= 36000)

output by_alias
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`, w1 AS `square`
    FROM (SELECT *
    FROM tailrace_stage_0_8
    WHERE _start <= 36000)

output by_position
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_4
    WHERE _start <= 36000)

output by_unselected
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`
    FROM (SELECT *
    FROM tailrace_stage_0_9
    WHERE _start <= 36000)

output of_groups
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_1_0
    WHERE _start <= 36000)

output of_groups_by_aggregate
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_1_1
    WHERE _start <= 36000)

output of_distinct
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_1_2
    WHERE _start <= 36000)

output of_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `name`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_1_3
    WHERE _start <= 36000)

output of_unbounded
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_10
    WHERE _start <= 36000)

output of_top
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_11
    WHERE _start <= 36000)

output entering
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `id`
    FROM (SELECT *
    FROM tailrace_stage_0_12
    WHERE _start <= 36000)
