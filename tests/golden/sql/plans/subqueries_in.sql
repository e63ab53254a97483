== to an end, first batch
rows T
  rows of T
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, CAST(`k` AS INT) AS w0, CAST(`w` AS INT) AS w1)

rows S
  rows of S
  selectExpr(1 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, CAST(`k` AS INT) AS w0, CAST(`v` AS INT) AS w1)

asked
  count(1) AS rows
  min(IF(_source = 0, _moment, NULL)) AS first0
  max(IF(_source = 0, _moment, NULL)) AS last0
  count(IF(_source = 0, _moment, NULL)) AS timed0
  min(IF(_source = 1, _moment, NULL)) AS first1
  max(IF(_source = 1, _moment, NULL)) AS last1
  count(IF(_source = 1, _moment, NULL)) AS timed1

<arrived 2>
  (SELECT 0L AS _start, 0L + 1L AS _until, 1L AS _weight, _source, w0, w1
    FROM tailrace_source_2
    WHERE true)

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)])

view tailrace_rows
  rows of all

view tailrace_source_2
  rows of R
  selectExpr(2 AS _source, 0L AS _moment, CAST(`k` AS INT) AS w0, CAST(NULL AS INT) AS w1)

view tailrace_stage_0
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 END AS _port, _start, w0 AS w0, w1 AS w1, pmod(hash(w0), 4) AS _shard
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1)
    UNION ALL SELECT CASE _source WHEN 0 THEN 2 WHEN 1 THEN 6 END AS _port, _start, w0 AS w0, CASE _source WHEN 0 THEN CAST(NULL AS INT) WHEN 1 THEN w1 END AS w1, CASE _source WHEN 0 THEN pmod(hash(w0), 4) WHEN 1 THEN pmod(hash(w1), 4) END AS _shard
    FROM <arrived 0>
    WHERE (_source = 0 AND (w1 > 0)) OR (_source = 1)
    UNION ALL SELECT 3 AS _port, _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    WHERE w1 > 0 AND w0 IS NULL
    UNION ALL SELECT 4 AS _port, _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    WHERE w1 > 0
    UNION ALL SELECT 5 AS _port, _start, w1 AS w0, CAST(NULL AS INT) AS w1, pmod(hash(w1), 4) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    UNION ALL SELECT 7 AS _port, _start, w0 AS w0, CAST(NULL AS INT) AS w1, pmod(hash(w0), 4) AS _shard
    FROM <arrived 2>
  repartitionById(4, _shard)
  drop(_shard)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:int,w2:boolean>)

view tailrace_stage_1
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS BIGINT) AS _until, CAST(NULL AS BIGINT) AS _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 0)
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 1)
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 0)
    UNION ALL SELECT 3 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 3)
    UNION ALL SELECT 4 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 6)
    UNION ALL SELECT 5 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard
    FROM <arrived 2>
  repartitionById(4, _shard)
  drop(_shard)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:int>)

view tailrace_stage_2
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS BIGINT) AS _until, CAST(NULL AS BIGINT) AS _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BOOLEAN) AS w2, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT 4 AS _port, _start, _until, _weight, w1 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BOOLEAN) AS w2, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    UNION ALL SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS BOOLEAN) AS w2, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 0)
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BOOLEAN) AS w2, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 2)
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS BOOLEAN) AS w2, pmod(hash(w0, w1), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 1)
    UNION ALL SELECT 3 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BOOLEAN) AS w2, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 2)
    UNION ALL SELECT 5 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS BOOLEAN) AS w2, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 7)
    UNION ALL SELECT 6 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BOOLEAN) AS w2, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 3)
    UNION ALL SELECT 7 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, w2 AS w2, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 8)
  repartitionById(4, _shard)
  drop(_shard)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:int>)

view tailrace_stage_3
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS BIGINT) AS _until, CAST(NULL AS BIGINT) AS _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BOOLEAN) AS w2, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS BOOLEAN) AS w2, pmod(hash(w0, w1), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_2
    WHERE _port = 0)
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS BOOLEAN) AS w2, pmod(hash(w1), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 4)
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BOOLEAN) AS w2, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_2
    WHERE _port = 1)
    UNION ALL SELECT 3 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS BOOLEAN) AS w2, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 4)
    UNION ALL SELECT 4 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, w2 AS w2, pmod(hash(w1), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 5)
  repartitionById(4, _shard)
  drop(_shard)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:boolean,w2:int>)

view tailrace_stage_4
  SELECT -1L - id AS _start, CAST(NULL AS BIGINT) AS _until, CAST(NULL AS BIGINT) AS _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS BOOLEAN) AS w1, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT _start, _until, _weight, w0 AS w0, w1 AS w1, pmod(hash(w0, w1), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_3
    WHERE _port = 0)
  repartitionById(4, _shard)
  drop(_shard)
  mapInArrow(…, struct<_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:boolean>)

output member
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 9)
  select(*)

output no_member
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w2 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_3
    WHERE _port = 1)
  select(*)

output pair
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 10)
  select(*)

output correlated
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 11)
  select(*)

output as_value
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `known`
    FROM tailrace_stage_4
  select(*)

output among_others
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_2
    WHERE _port = 2)
  select(*)

== to an end, later batch
<arrived 2>
  is gone

view tailrace_source_2
  is gone

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)])

view tailrace_stage_0
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 END AS _port, _start, w0 AS w0, w1 AS w1, pmod(hash(w0), 4) AS _shard
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1)
    UNION ALL SELECT CASE _source WHEN 0 THEN 2 WHEN 1 THEN 6 END AS _port, _start, w0 AS w0, CASE _source WHEN 0 THEN CAST(NULL AS INT) WHEN 1 THEN w1 END AS w1, CASE _source WHEN 0 THEN pmod(hash(w0), 4) WHEN 1 THEN pmod(hash(w1), 4) END AS _shard
    FROM <arrived 0>
    WHERE (_source = 0 AND (w1 > 0)) OR (_source = 1)
    UNION ALL SELECT 3 AS _port, _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    WHERE w1 > 0 AND w0 IS NULL
    UNION ALL SELECT 4 AS _port, _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    WHERE w1 > 0
    UNION ALL SELECT 5 AS _port, _start, w1 AS w0, CAST(NULL AS INT) AS w1, pmod(hash(w1), 4) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
  repartitionById(4, _shard)
  drop(_shard)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:int,w2:boolean>)

view tailrace_stage_1
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS BIGINT) AS _until, CAST(NULL AS BIGINT) AS _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 0)
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 1)
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 0)
    UNION ALL SELECT 3 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 3)
    UNION ALL SELECT 4 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 6)
  repartitionById(4, _shard)
  drop(_shard)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:int>)

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)])

view tailrace_stage_0
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 END AS _port, _start, w0 AS w0, w1 AS w1, pmod(hash(w0), 4) AS _shard
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1)
    UNION ALL SELECT CASE _source WHEN 0 THEN 2 WHEN 1 THEN 6 END AS _port, _start, w0 AS w0, CASE _source WHEN 0 THEN CAST(NULL AS INT) WHEN 1 THEN w1 END AS w1, CASE _source WHEN 0 THEN pmod(hash(w0), 4) WHEN 1 THEN pmod(hash(w1), 4) END AS _shard
    FROM <arrived 0>
    WHERE (_source = 0 AND (w1 > 0)) OR (_source = 1)
    UNION ALL SELECT 3 AS _port, _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    WHERE w1 > 0 AND w0 IS NULL
    UNION ALL SELECT 4 AS _port, _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    WHERE w1 > 0
    UNION ALL SELECT 5 AS _port, _start, w1 AS w0, CAST(NULL AS INT) AS w1, pmod(hash(w1), 4) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
  repartitionById(4, _shard)
  sortWithinPartitions(_start)
  drop(_shard)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:int,w2:boolean>)

view tailrace_stage_1
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS BIGINT) AS _until, CAST(NULL AS BIGINT) AS _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 0)
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 1)
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 0)
    UNION ALL SELECT 3 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 3)
    UNION ALL SELECT 4 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 6)
  repartitionById(4, _shard)
  sortWithinPartitions(_start)
  drop(_shard)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:int>)

view tailrace_stage_2
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS BIGINT) AS _until, CAST(NULL AS BIGINT) AS _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BOOLEAN) AS w2, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT 4 AS _port, _start, _until, _weight, w1 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BOOLEAN) AS w2, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    UNION ALL SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS BOOLEAN) AS w2, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 0)
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BOOLEAN) AS w2, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 2)
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS BOOLEAN) AS w2, pmod(hash(w0, w1), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 1)
    UNION ALL SELECT 3 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BOOLEAN) AS w2, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 2)
    UNION ALL SELECT 5 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS BOOLEAN) AS w2, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 7)
    UNION ALL SELECT 6 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BOOLEAN) AS w2, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 3)
    UNION ALL SELECT 7 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, w2 AS w2, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 8)
  repartitionById(4, _shard)
  sortWithinPartitions(_start)
  drop(_shard)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:int>)

view tailrace_stage_3
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS BIGINT) AS _until, CAST(NULL AS BIGINT) AS _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BOOLEAN) AS w2, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS BOOLEAN) AS w2, pmod(hash(w0, w1), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_2
    WHERE _port = 0)
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS BOOLEAN) AS w2, pmod(hash(w1), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 4)
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BOOLEAN) AS w2, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_2
    WHERE _port = 1)
    UNION ALL SELECT 3 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS BOOLEAN) AS w2, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 4)
    UNION ALL SELECT 4 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, w2 AS w2, pmod(hash(w1), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 5)
  repartitionById(4, _shard)
  sortWithinPartitions(_start)
  drop(_shard)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:boolean,w2:int>)

view tailrace_stage_4
  SELECT -1L - id AS _start, CAST(NULL AS BIGINT) AS _until, CAST(NULL AS BIGINT) AS _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS BOOLEAN) AS w1, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT _start, _until, _weight, w0 AS w0, w1 AS w1, pmod(hash(w0, w1), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_3
    WHERE _port = 0)
  repartitionById(4, _shard)
  sortWithinPartitions(_start)
  drop(_shard)
  mapInArrow(…, struct<_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:boolean>)

output member
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 9 AND _start <= 36000)
  select(*)

output no_member
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w2 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_3
    WHERE _port = 1 AND _start <= 36000)
  select(*)

output pair
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 10 AND _start <= 36000)
  select(*)

output correlated
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 11 AND _start <= 36000)
  select(*)

output as_value
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `known`
    FROM (SELECT *
    FROM tailrace_stage_4
    WHERE _start <= 36000)
  select(*)

output among_others
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_2
    WHERE _port = 2 AND _start <= 36000)
  select(*)

== continuously, first batch
rows T
  rows of T
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(`k` AS INT) AS w0, CAST(`w` AS INT) AS w1)

rows S
  rows of S
  selectExpr(1 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(`k` AS INT) AS w0, CAST(`v` AS INT) AS w1)

asked
  count(1) AS rows
  min(IF(_source = 0, _moment, NULL)) AS first0
  max(IF(_source = 0, _moment, NULL)) AS last0
  count(IF(_source = 0, _moment, NULL)) AS timed0
  min(IF(_source = 1, _moment, NULL)) AS first1
  max(IF(_source = 1, _moment, NULL)) AS last1
  count(IF(_source = 1, _moment, NULL)) AS timed1

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)])

view tailrace_rows
  rows of all

view tailrace_stage_0
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 END AS _port, _start, w0 AS w0, w1 AS w1, pmod(hash(w0), 4) AS _shard
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1)
    UNION ALL SELECT CASE _source WHEN 0 THEN 2 WHEN 1 THEN 6 END AS _port, _start, w0 AS w0, CASE _source WHEN 0 THEN CAST(NULL AS INT) WHEN 1 THEN w1 END AS w1, CASE _source WHEN 0 THEN pmod(hash(w0), 4) WHEN 1 THEN pmod(hash(w1), 4) END AS _shard
    FROM <arrived 0>
    WHERE (_source = 0 AND (w1 > 0)) OR (_source = 1)
    UNION ALL SELECT 3 AS _port, _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    WHERE w1 > 0 AND w0 IS NULL
    UNION ALL SELECT 4 AS _port, _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    WHERE w1 > 0
    UNION ALL SELECT 5 AS _port, _start, w1 AS w0, CAST(NULL AS INT) AS w1, pmod(hash(w1), 4) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
  repartitionById(4, _shard)
  drop(_shard)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:int,w2:boolean>)

view tailrace_stage_1
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS BIGINT) AS _until, CAST(NULL AS BIGINT) AS _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 0)
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 1)
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 0)
    UNION ALL SELECT 3 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 3)
  repartitionById(4, _shard)
  drop(_shard)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:int>)

view tailrace_stage_2
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS BIGINT) AS _until, CAST(NULL AS BIGINT) AS _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT 4 AS _port, _start, _until, _weight, w1 AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
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
    UNION ALL SELECT 3 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 2)
  repartitionById(4, _shard)
  drop(_shard)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:int>)

view tailrace_stage_3
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS BIGINT) AS _until, CAST(NULL AS BIGINT) AS _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BOOLEAN) AS w2, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS BOOLEAN) AS w2, pmod(hash(w0, w1), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_2
    WHERE _port = 0)
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS BOOLEAN) AS w2, pmod(hash(w1), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 4)
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BOOLEAN) AS w2, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_2
    WHERE _port = 1)
    UNION ALL SELECT 3 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS BOOLEAN) AS w2, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 4)
    UNION ALL SELECT 4 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, w2 AS w2, pmod(hash(w1), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 5)
  repartitionById(4, _shard)
  drop(_shard)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:boolean,w2:int>)

view tailrace_stage_4
  SELECT -1L - id AS _start, CAST(NULL AS BIGINT) AS _until, CAST(NULL AS BIGINT) AS _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS BOOLEAN) AS w1, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT _start, _until, _weight, w0 AS w0, w1 AS w1, pmod(hash(w0, w1), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_3
    WHERE _port = 0)
  repartitionById(4, _shard)
  drop(_shard)
  mapInArrow(…, struct<_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:boolean>)

output member
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 6)
  select(*)

output no_member
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w2 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_3
    WHERE _port = 1)
  select(*)

output pair
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 7)
  select(*)

output correlated
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 8)
  select(*)

output as_value
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `known`
    FROM tailrace_stage_4
  select(*)

== continuously, later batch, among_others joins
rows T
  rows of T
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(`k` AS INT) AS w0, CAST(`w` AS INT) AS w1, CAST(NULL AS STRING) AS w2)

rows S
  rows of S
  selectExpr(1 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(`k` AS INT) AS w0, CAST(`v` AS INT) AS w1, CAST(NULL AS STRING) AS w2)

<arrived 2>
  (SELECT 10L AS _start, 10L + 1L AS _until, 1L AS _weight, _source, w0, w1, w2
    FROM tailrace_source_2
    WHERE true)

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)])

view tailrace_source_2
  rows of R
  selectExpr(2 AS _source, 0L AS _moment, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(`k` AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(`name` AS STRING) AS w2)

view tailrace_stage_0
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 END AS _port, _start, w0 AS w0, w1 AS w1, pmod(hash(w0), 4) AS _shard
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1)
    UNION ALL SELECT CASE _source WHEN 0 THEN 2 WHEN 1 THEN 6 END AS _port, _start, w0 AS w0, CASE _source WHEN 0 THEN CAST(NULL AS INT) WHEN 1 THEN w1 END AS w1, CASE _source WHEN 0 THEN pmod(hash(w0), 4) WHEN 1 THEN pmod(hash(w1), 4) END AS _shard
    FROM <arrived 0>
    WHERE (_source = 0 AND (w1 > 0)) OR (_source = 1)
    UNION ALL SELECT 3 AS _port, _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    WHERE w1 > 0 AND w0 IS NULL
    UNION ALL SELECT 4 AS _port, _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    WHERE w1 > 0
    UNION ALL SELECT 5 AS _port, _start, w1 AS w0, CAST(NULL AS INT) AS w1, pmod(hash(w1), 4) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    UNION ALL SELECT 7 AS _port, _start, w0 AS w0, CAST(NULL AS INT) AS w1, pmod(hash(w0), 4) AS _shard
    FROM <arrived 2>
  repartitionById(4, _shard)
  drop(_shard)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:int,w2:boolean>)

view tailrace_stage_1
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS BIGINT) AS _until, CAST(NULL AS BIGINT) AS _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 0)
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 1)
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 0)
    UNION ALL SELECT 3 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 3)
    UNION ALL SELECT 4 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 6)
    UNION ALL SELECT 5 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard
    FROM <arrived 2>
  repartitionById(4, _shard)
  drop(_shard)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:int>)

view tailrace_stage_2
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS BIGINT) AS _until, CAST(NULL AS BIGINT) AS _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BOOLEAN) AS w2, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT 4 AS _port, _start, _until, _weight, w1 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BOOLEAN) AS w2, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    UNION ALL SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS BOOLEAN) AS w2, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 0)
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BOOLEAN) AS w2, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 2)
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS BOOLEAN) AS w2, pmod(hash(w0, w1), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 1)
    UNION ALL SELECT 3 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BOOLEAN) AS w2, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 2)
    UNION ALL SELECT 5 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS BOOLEAN) AS w2, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 7)
    UNION ALL SELECT 6 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BOOLEAN) AS w2, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 3)
    UNION ALL SELECT 7 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, w2 AS w2, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 8)
  repartitionById(4, _shard)
  drop(_shard)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:int>)

output member
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 9)
  select(*)

output pair
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 10)
  select(*)

output correlated
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 11)
  select(*)

output among_others
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_2
    WHERE _port = 2 AND _start >= 12)
  select(*)
