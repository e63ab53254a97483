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

view tailrace_stage_0
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS BIGINT) AS _until, CAST(NULL AS BIGINT) AS _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS BIGINT) AS w5, CAST(id AS INT) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 WHEN 2 THEN 4 END AS _port, _start, _until, _weight, w0 AS w0, CASE _source WHEN 0 THEN w1 WHEN 1 THEN w1 WHEN 2 THEN CAST(NULL AS INT) END AS w1, CASE _source WHEN 0 THEN CAST(NULL AS STRING) WHEN 1 THEN CAST(NULL AS STRING) WHEN 2 THEN w2 END AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS BIGINT) AS w5, pmod(hash(w0), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
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
  repartitionById(4, _shard)
  sortWithinPartitions(_start, _file, _block, _line)
  drop(_shard, _file, _block, _line)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:int,w2:string,w3:string,w4:bigint,w5:int,w6:int>)

view tailrace_stage_1
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS BIGINT) AS _until, CAST(NULL AS BIGINT) AS _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS BIGINT) AS w4, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    UNION ALL SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS BIGINT) AS w4, pmod(hash(w0, w1), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 0)
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS BIGINT) AS w4, pmod(hash(w0, w1), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 1)
    UNION ALL SELECT 3 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS BIGINT) AS w4, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 2)
    UNION ALL SELECT 4 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS BIGINT) AS w4, pmod(hash(w0, w1), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 3)
    UNION ALL SELECT 5 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, w2 AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS BIGINT) AS w4, pmod(hash(w0, w2), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 4)
    UNION ALL SELECT 6 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, w2 AS w2, w3 AS w3, CAST(NULL AS BIGINT) AS w4, pmod(hash(w2, w3), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 5)
    UNION ALL SELECT 7 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS STRING) AS w3, w4 AS w4, pmod(hash(w0, w4), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 6)
    UNION ALL SELECT 8 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS BIGINT) AS w4, pmod(hash(w0, w1), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 7)
    UNION ALL SELECT 9 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, w2 AS w2, w3 AS w3, CAST(NULL AS BIGINT) AS w4, pmod(hash(w0, w1, w2, w3), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 8)
  repartitionById(4, _shard)
  drop(_shard)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:int,w2:string,w3:string,w4:bigint>)

view tailrace_stage_2
  SELECT -1L - id AS _start, CAST(NULL AS BIGINT) AS _until, CAST(NULL AS BIGINT) AS _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT _start, _until, _weight, w0 AS w0, w1 AS w1, pmod(hash(w0, w1), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 0)
  repartitionById(4, _shard)
  drop(_shard)
  mapInArrow(…, struct<_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:int>)

output comma
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`, w5 AS `w`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 9)
  select(*)

output comma_no_condition
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `w`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 10)
  select(*)

output plain_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `w`
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 1)
  select(*)

output inner_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `w`
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 2)
  select(*)

output cross_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `w`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 11)
  select(*)

output theta_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `w`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 12)
  select(*)

output expression_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `w`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 13)
  select(*)

output either_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `w`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 14)
  select(*)

output self_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v1`, w1 AS `v2`
    FROM tailrace_stage_2
  select(*)

output unbounded_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `v`, w1 AS `w`
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 3)
  select(*)

output relation_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `v`, w2 AS `label`
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 4)
  select(*)

output relations_only
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w2 AS `label`, w3 AS `name`
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 5)
  select(*)

output view_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `w`, w4 AS `total`
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 6)
  select(*)

output subquery_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `top`
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 7)
  select(*)

output four_sources
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `w`, w2 AS `label`, w3 AS `name`
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 8)
  select(*)

output star_of_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`, w5 AS `k_2`, w6 AS `w`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 15)
  select(*)

output star_of_one_side
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `w`, w5 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 16)
  select(*)

== to an end, later batch
<arrived 3>
  is gone

view tailrace_source_3
  is gone

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _weight IS NOT NULL AND _unreadable IS NULL)

view tailrace_stage_0
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS BIGINT) AS _until, CAST(NULL AS BIGINT) AS _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS BIGINT) AS w5, CAST(id AS INT) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 WHEN 2 THEN 4 END AS _port, _start, _until, _weight, w0 AS w0, CASE _source WHEN 0 THEN w1 WHEN 1 THEN w1 WHEN 2 THEN CAST(NULL AS INT) END AS w1, CASE _source WHEN 0 THEN CAST(NULL AS STRING) WHEN 1 THEN CAST(NULL AS STRING) WHEN 2 THEN w2 END AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS BIGINT) AS w5, pmod(hash(w0), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
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
  repartitionById(4, _shard)
  sortWithinPartitions(_start, _file, _block, _line)
  drop(_shard, _file, _block, _line)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:int,w2:string,w3:string,w4:bigint,w5:int,w6:int>)

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _weight IS NOT NULL AND _unreadable IS NULL)

view tailrace_stage_1
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS BIGINT) AS _until, CAST(NULL AS BIGINT) AS _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS BIGINT) AS w4, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    UNION ALL SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS BIGINT) AS w4, pmod(hash(w0, w1), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 0)
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS BIGINT) AS w4, pmod(hash(w0, w1), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 1)
    UNION ALL SELECT 3 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS BIGINT) AS w4, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 2)
    UNION ALL SELECT 4 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS BIGINT) AS w4, pmod(hash(w0, w1), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 3)
    UNION ALL SELECT 5 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, w2 AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS BIGINT) AS w4, pmod(hash(w0, w2), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 4)
    UNION ALL SELECT 6 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, w2 AS w2, w3 AS w3, CAST(NULL AS BIGINT) AS w4, pmod(hash(w2, w3), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 5)
    UNION ALL SELECT 7 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS STRING) AS w3, w4 AS w4, pmod(hash(w0, w4), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 6)
    UNION ALL SELECT 8 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS BIGINT) AS w4, pmod(hash(w0, w1), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 7)
    UNION ALL SELECT 9 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, w2 AS w2, w3 AS w3, CAST(NULL AS BIGINT) AS w4, pmod(hash(w0, w1, w2, w3), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 8)
  repartitionById(4, _shard)
  sortWithinPartitions(_start)
  drop(_shard)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:int,w2:string,w3:string,w4:bigint>)

view tailrace_stage_2
  SELECT -1L - id AS _start, CAST(NULL AS BIGINT) AS _until, CAST(NULL AS BIGINT) AS _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT _start, _until, _weight, w0 AS w0, w1 AS w1, pmod(hash(w0, w1), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 0)
  repartitionById(4, _shard)
  sortWithinPartitions(_start)
  drop(_shard)
  mapInArrow(…, struct<_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:int>)

output comma
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`, w5 AS `w`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 9 AND _start <= 36000)
  select(*)

output comma_no_condition
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `w`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 10 AND _start <= 36000)
  select(*)

output plain_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `w`
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 1 AND _start <= 36000)
  select(*)

output inner_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `w`
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 2 AND _start <= 36000)
  select(*)

output cross_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `w`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 11 AND _start <= 36000)
  select(*)

output theta_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `w`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 12 AND _start <= 36000)
  select(*)

output expression_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `w`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 13 AND _start <= 36000)
  select(*)

output either_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `w`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 14 AND _start <= 36000)
  select(*)

output self_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v1`, w1 AS `v2`
    FROM (SELECT *
    FROM tailrace_stage_2
    WHERE _start <= 36000)
  select(*)

output unbounded_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `v`, w1 AS `w`
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 3 AND _start <= 36000)
  select(*)

output relation_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `v`, w2 AS `label`
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 4 AND _start <= 36000)
  select(*)

output relations_only
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w2 AS `label`, w3 AS `name`
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 5 AND _start <= 36000)
  select(*)

output view_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `w`, w4 AS `total`
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 6 AND _start <= 36000)
  select(*)

output subquery_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `top`
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 7 AND _start <= 36000)
  select(*)

output four_sources
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `w`, w2 AS `label`, w3 AS `name`
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 8 AND _start <= 36000)
  select(*)

output star_of_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`, w5 AS `k_2`, w6 AS `w`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 15 AND _start <= 36000)
  select(*)

output star_of_one_side
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `w`, w5 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 16 AND _start <= 36000)
  select(*)
