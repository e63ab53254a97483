== to an end, first batch
rows B
  rows of B
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(`w` AS INT) AS w1)

rows A
  rows of A
  selectExpr(1 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(`v` AS INT) AS w1)

rows Done
  rows of Done
  selectExpr(2 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(NULL AS INT) AS w1)

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
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view tailrace_stage_0
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BIGINT) AS w2, CAST(id AS INT) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 WHEN 2 THEN 2 END AS _port, _start, w0 AS w0, CASE _source WHEN 0 THEN w1 WHEN 1 THEN w1 WHEN 2 THEN CAST(NULL AS INT) END AS w1, CAST(NULL AS BIGINT) AS w2, pmod(hash(w0), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1) OR (_source = 2)
    UNION ALL SELECT CASE _source WHEN 2 THEN 3 WHEN 0 THEN 5 END AS _port, _start, CASE _source WHEN 2 THEN CAST(NULL AS INT) WHEN 0 THEN w1 END AS w0, CASE _source WHEN 2 THEN CAST(NULL AS INT) WHEN 0 THEN w0 END AS w1, CAST(NULL AS BIGINT) AS w2, CAST(0 AS INT) AS _shard, CASE _source WHEN 2 THEN CAST(NULL AS STRING) WHEN 0 THEN _file END AS _file, CASE _source WHEN 2 THEN CAST(NULL AS BIGINT) WHEN 0 THEN _block END AS _block, CASE _source WHEN 2 THEN CAST(NULL AS BIGINT) WHEN 0 THEN _line END AS _line
    FROM <arrived 0>
    WHERE (_source = 2 AND (w0 IS NULL)) OR (_source = 0)
    UNION ALL SELECT CASE _source WHEN 2 THEN 4 WHEN 0 THEN 8 END AS _port, _start, CASE _source WHEN 2 THEN CAST(NULL AS INT) WHEN 0 THEN w0 END AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BIGINT) AS w2, CASE _source WHEN 2 THEN CAST(0 AS INT) WHEN 0 THEN pmod(hash(w0), 4) END AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    WHERE (_source = 2) OR (_source = 0 AND (w1 IS NULL))
    UNION ALL SELECT 6 AS _port, _start, p0 AS w0, CAST(NULL AS INT) AS w1, p1 AS w2, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT w0 AS p0, _start AS _life0, pmod(hash(w0), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    GROUP BY w0, _start, pmod(hash(w0), 4))
    UNION ALL SELECT 7 AS _port, _start, p1 AS w0, CAST(NULL AS INT) AS w1, p0 AS w2, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT _start AS _life0, CAST(0 AS INT) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p0, CAST(max(w1) AS INT) AS p1
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    GROUP BY _start, CAST(0 AS INT))
  repartitionById(4, _shard)
  sortWithinPartitions(_start, _file, _block, _line)
  drop(_shard, _file, _block, _line)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:int>)

view tailrace_stage_1
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS BIGINT) AS _until, CAST(NULL AS BIGINT) AS _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT 3 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(w1 + 1 AS INT) AS w2, pmod(hash(CAST(w1 + 1 AS INT)), 4) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 1)
    UNION ALL SELECT 5 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS INT) AS w2, pmod(hash(w1), 4) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 1)
    UNION ALL SELECT 7 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS INT) AS w2, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 1)
    UNION ALL SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS INT) AS w2, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 0)
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 1)
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS INT) AS w2, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 0)
    UNION ALL SELECT 4 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 3)
    UNION ALL SELECT 6 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 4)
    UNION ALL SELECT 8 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 5)
    UNION ALL SELECT 9 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 6)
    UNION ALL SELECT 10 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 7)
    UNION ALL SELECT 11 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 6)
    UNION ALL SELECT 12 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 9)
    UNION ALL SELECT 13 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 9)
  repartitionById(4, _shard)
  drop(_shard)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:int>)

view tailrace_stage_2
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS BIGINT) AS _until, CAST(NULL AS BIGINT) AS _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 0)
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 2)
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, pmod(hash(w0, w1), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 1)
    UNION ALL SELECT 3 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 2)
    UNION ALL SELECT 4 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 3)
    UNION ALL SELECT 5 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 8)
    UNION ALL SELECT 6 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 4)
    UNION ALL SELECT 7 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 5)
    UNION ALL SELECT 8 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 6)
  repartitionById(4, _shard)
  drop(_shard)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:int>)

view tailrace_stage_3
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS BIGINT) AS _until, CAST(NULL AS BIGINT) AS _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 1)
    UNION ALL SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, pmod(hash(w0, w1), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_2
    WHERE _port = 0)
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_2
    WHERE _port = 1)
    UNION ALL SELECT 3 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_2
    WHERE _port = 2)
  repartitionById(4, _shard)
  drop(_shard)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:int>)

output in_window
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 10)
  select(*)

output not_in_star
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_3
    WHERE _port = 0)
  select(*)

output in_expression
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_2
    WHERE _port = 3)
  select(*)

output in_distinct
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 11)
  select(*)

output in_groups
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 12)
  select(*)

output in_aggregate
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 7)
  select(*)

output in_union
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 13)
  select(*)

output in_top
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 8)
  select(*)

output in_correlated
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 14)
  select(*)

output not_in_correlated
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 15)
  select(*)

output nested
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_3
    WHERE _port = 1)
  select(*)

output in_and_not_in
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_3
    WHERE _port = 2)
  select(*)

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

view tailrace_stage_1
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS BIGINT) AS _until, CAST(NULL AS BIGINT) AS _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT 3 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(w1 + 1 AS INT) AS w2, pmod(hash(CAST(w1 + 1 AS INT)), 4) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 1)
    UNION ALL SELECT 5 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS INT) AS w2, pmod(hash(w1), 4) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 1)
    UNION ALL SELECT 7 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS INT) AS w2, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 1)
    UNION ALL SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS INT) AS w2, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 0)
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 1)
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS INT) AS w2, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 0)
    UNION ALL SELECT 4 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 3)
    UNION ALL SELECT 6 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 4)
    UNION ALL SELECT 8 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 5)
    UNION ALL SELECT 9 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 6)
    UNION ALL SELECT 10 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 7)
    UNION ALL SELECT 11 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 6)
    UNION ALL SELECT 12 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 9)
    UNION ALL SELECT 13 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 9)
  repartitionById(4, _shard)
  sortWithinPartitions(_start)
  drop(_shard)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:int>)

view tailrace_stage_2
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS BIGINT) AS _until, CAST(NULL AS BIGINT) AS _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 0)
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 2)
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, pmod(hash(w0, w1), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 1)
    UNION ALL SELECT 3 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 2)
    UNION ALL SELECT 4 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 3)
    UNION ALL SELECT 5 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 8)
    UNION ALL SELECT 6 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 4)
    UNION ALL SELECT 7 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 5)
    UNION ALL SELECT 8 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 6)
  repartitionById(4, _shard)
  sortWithinPartitions(_start)
  drop(_shard)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:int>)

view tailrace_stage_3
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS BIGINT) AS _until, CAST(NULL AS BIGINT) AS _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 1)
    UNION ALL SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, pmod(hash(w0, w1), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_2
    WHERE _port = 0)
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_2
    WHERE _port = 1)
    UNION ALL SELECT 3 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_2
    WHERE _port = 2)
  repartitionById(4, _shard)
  sortWithinPartitions(_start)
  drop(_shard)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:int>)

output in_window
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 10 AND _start <= 36000)
  select(*)

output not_in_star
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_3
    WHERE _port = 0 AND _start <= 36000)
  select(*)

output in_expression
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_2
    WHERE _port = 3 AND _start <= 36000)
  select(*)

output in_distinct
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 11 AND _start <= 36000)
  select(*)

output in_groups
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 12 AND _start <= 36000)
  select(*)

output in_aggregate
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 7 AND _start <= 36000)
  select(*)

output in_union
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 13 AND _start <= 36000)
  select(*)

output in_top
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 8 AND _start <= 36000)
  select(*)

output in_correlated
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 14 AND _start <= 36000)
  select(*)

output not_in_correlated
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 15 AND _start <= 36000)
  select(*)

output nested
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_3
    WHERE _port = 1 AND _start <= 36000)
  select(*)

output in_and_not_in
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_3
    WHERE _port = 2 AND _start <= 36000)
  select(*)
