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

view tailrace_stage_0
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS BIGINT) AS w5, CAST(NULL AS BIGINT) AS w6, CAST(NULL AS STRING) AS w7, CAST(id AS INT) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT 0 AS _port, _start, w0 AS w0, w2 AS w1, CAST(`abs`(w2 - 50) AS INT) AS w2, CAST(w2 * w2 AS INT) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS BIGINT) AS w5, CAST(NULL AS BIGINT) AS w6, CAST(NULL AS STRING) AS w7, CAST(0 AS INT) AS _shard, _file, _block, _line
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
  repartitionById(4, _shard)
  sortWithinPartitions(_start, _file, _block, _line)
  drop(_shard, _file, _block, _line)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:bigint,w2:string,w3:int>)

view tailrace_stage_1
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS BIGINT) AS _until, CAST(NULL AS BIGINT) AS _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS BIGINT) AS w1, CAST(NULL AS STRING) AS w2, CAST(id AS INT) AS _shard
    FROM range(0, 1, 1, 1)
    UNION ALL SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 0)
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 1)
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS BIGINT) AS w1, CAST(NULL AS STRING) AS w2, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 2)
    UNION ALL SELECT 3 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS BIGINT) AS w1, w2 AS w2, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 3)
  repartition(1)
  drop(_shard)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:bigint,w2:string>)

output largest
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`, w3 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 4)
  select(*)

output smallest
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`, w3 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 5)
  select(*)

output nulls_last
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`, w3 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 4)
  select(*)

output nulls_first
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`, w3 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 6)
  select(*)

output by_expression
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`, w3 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 7)
  select(*)

output by_alias
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`, w3 AS `square`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 8)
  select(*)

output by_position
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`, w3 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 4)
  select(*)

output by_unselected
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 9)
  select(*)

output of_groups
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 0)
  select(*)

output of_groups_by_aggregate
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 1)
  select(*)

output of_distinct
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 2)
  select(*)

output of_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w2 AS `name`, w0 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 3)
  select(*)

output of_unbounded
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`, w3 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 10)
  select(*)

output of_top
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`, w3 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 11)
  select(*)

output entering
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `id`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 12)
  select(*)

== to an end, later batch
<arrived 1>
  is gone

view tailrace_source_1
  is gone

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_stage_0
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS BIGINT) AS w5, CAST(NULL AS BIGINT) AS w6, CAST(NULL AS STRING) AS w7, CAST(id AS INT) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT 0 AS _port, _start, w0 AS w0, w2 AS w1, CAST(`abs`(w2 - 50) AS INT) AS w2, CAST(w2 * w2 AS INT) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS BIGINT) AS w5, CAST(NULL AS BIGINT) AS w6, CAST(NULL AS STRING) AS w7, CAST(0 AS INT) AS _shard, _file, _block, _line
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
  repartitionById(4, _shard)
  sortWithinPartitions(_start, _file, _block, _line)
  drop(_shard, _file, _block, _line)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:bigint,w2:string,w3:int>)

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_stage_1
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS BIGINT) AS _until, CAST(NULL AS BIGINT) AS _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS BIGINT) AS w1, CAST(NULL AS STRING) AS w2, CAST(id AS INT) AS _shard
    FROM range(0, 1, 1, 1)
    UNION ALL SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 0)
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 1)
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS BIGINT) AS w1, CAST(NULL AS STRING) AS w2, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 2)
    UNION ALL SELECT 3 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS BIGINT) AS w1, w2 AS w2, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 3)
  repartition(1)
  sortWithinPartitions(_start)
  drop(_shard)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:bigint,w2:string>)

output largest
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`, w3 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 4 AND _start <= 36000)
  select(*)

output smallest
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`, w3 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 5 AND _start <= 36000)
  select(*)

output nulls_last
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`, w3 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 4 AND _start <= 36000)
  select(*)

output nulls_first
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`, w3 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 6 AND _start <= 36000)
  select(*)

output by_expression
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`, w3 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 7 AND _start <= 36000)
  select(*)

output by_alias
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`, w3 AS `square`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 8 AND _start <= 36000)
  select(*)

output by_position
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`, w3 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 4 AND _start <= 36000)
  select(*)

output by_unselected
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 9 AND _start <= 36000)
  select(*)

output of_groups
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 0 AND _start <= 36000)
  select(*)

output of_groups_by_aggregate
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 1 AND _start <= 36000)
  select(*)

output of_distinct
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 2 AND _start <= 36000)
  select(*)

output of_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w2 AS `name`, w0 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 3 AND _start <= 36000)
  select(*)

output of_unbounded
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`, w3 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 10 AND _start <= 36000)
  select(*)

output of_top
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`, w3 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 11 AND _start <= 36000)
  select(*)

output entering
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `id`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 12 AND _start <= 36000)
  select(*)
