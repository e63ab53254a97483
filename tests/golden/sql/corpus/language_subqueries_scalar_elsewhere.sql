== to an end, first batch
rows B
  rows of B
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(`w` AS INT) AS w1)

rows A
  rows of A
  selectExpr(1 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(`v` AS INT) AS w1)

asked
  count(1) AS rows
  min(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS first0
  max(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS last0
  count(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS timed0
  min(IF(_source = 1 AND _unreadable IS NULL, _moment, NULL)) AS first1
  max(IF(_source = 1 AND _unreadable IS NULL, _moment, NULL)) AS last1
  count(IF(_source = 1 AND _unreadable IS NULL, _moment, NULL)) AS timed1

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view tailrace_stage_0
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS BIGINT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT 1 AS _port, _start, CAST(NULL AS BIGINT) AS w0, w0 AS w1, w1 AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 1)
    UNION ALL SELECT 2 AS _port, _start, CAST(NULL AS BIGINT) AS w0, w0 AS w1, w1 AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 1)
    UNION ALL SELECT 0 AS _port, _start, p0 AS w0, p1 AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, _shard AS _shard
    FROM (SELECT _start AS _life0, CAST(0 AS INT) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p0, CAST(max(w1) AS INT) AS p1
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    GROUP BY _start, CAST(0 AS INT))
    UNION ALL SELECT 3 AS _port, _start, p0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, p1 AS w3, p2 AS w4, _shard AS _shard
    FROM (SELECT _start AS _life0, CAST(0 AS INT) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p0, CAST(count(w1) AS BIGINT) AS p1, CAST(sum(w1) AS BIGINT) AS p2
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    GROUP BY _start, CAST(0 AS INT))
    UNION ALL SELECT 4 AS _port, _start, p1 AS w0, p0 AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, _shard AS _shard
    FROM (SELECT w0 AS p0, _start AS _life0, pmod(hash(w0), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    GROUP BY w0, _start, pmod(hash(w0), 4))
    UNION ALL SELECT 5 AS _port, _start, p1 AS w0, p0 AS w1, CAST(NULL AS INT) AS w2, p2 AS w3, p3 AS w4, _shard AS _shard
    FROM (SELECT w0 AS p0, _start AS _life0, pmod(hash(w0), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1, CAST(count(w1) AS BIGINT) AS p2, CAST(sum(w1) AS BIGINT) AS p3
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 1)
    GROUP BY w0, _start, pmod(hash(w0), 4))
    UNION ALL SELECT 6 AS _port, _start, p0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, p1 AS w3, p2 AS w4, _shard AS _shard
    FROM (SELECT _start AS _life0, CAST(0 AS INT) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p0, CAST(count(w1) AS BIGINT) AS p1, CAST(sum(w1) AS BIGINT) AS p2
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    GROUP BY _start, CAST(0 AS INT))
  repartitionById(4, _shard)
  drop(_shard)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:int,w2:int,w3:double,w4:bigint>)

view tailrace_stage_1
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS BIGINT) AS _until, CAST(NULL AS BIGINT) AS _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS DOUBLE) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, w2 AS w2, CAST(NULL AS DOUBLE) AS w3, CAST(NULL AS BIGINT) AS w4, pmod(hash(w0, w1, w2), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 0)
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, w3 AS w3, CAST(NULL AS BIGINT) AS w4, pmod(hash(w0, w3), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 1)
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS DOUBLE) AS w3, w4 AS w4, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 2)
    UNION ALL SELECT 3 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS DOUBLE) AS w3, w4 AS w4, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 3)
    UNION ALL SELECT 4 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS DOUBLE) AS w3, w4 AS w4, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 2)
  repartitionById(4, _shard)
  drop(_shard)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:bigint,w2:int,w3:int,w4:double>)

view tailrace_stage_2
  SELECT -1L - id AS _start, CAST(NULL AS BIGINT) AS _until, CAST(NULL AS BIGINT) AS _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS BIGINT) AS w1, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT _start, _until, _weight, w0 AS w0, w1 AS w1, pmod(hash(w0, w1), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 0)
  repartitionById(4, _shard)
  drop(_shard)
  mapInArrow(…, struct<_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:bigint>)

output in_the_list
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w2 AS `v`, w3 AS `top`
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 1)
  select(*)

output in_an_expression
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w4 AS `above`
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 2)
  select(*)

output correlated_in_the_list
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w4 AS `partners`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 4)
  select(*)

output in_having
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `total`
    FROM tailrace_stage_2
  select(*)

== to an end, later batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_stage_0
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS BIGINT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT 1 AS _port, _start, CAST(NULL AS BIGINT) AS w0, w0 AS w1, w1 AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 1)
    UNION ALL SELECT 2 AS _port, _start, CAST(NULL AS BIGINT) AS w0, w0 AS w1, w1 AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 1)
    UNION ALL SELECT 0 AS _port, _start, p0 AS w0, p1 AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, _shard AS _shard
    FROM (SELECT _start AS _life0, CAST(0 AS INT) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p0, CAST(max(w1) AS INT) AS p1
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    GROUP BY _start, CAST(0 AS INT))
    UNION ALL SELECT 3 AS _port, _start, p0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, p1 AS w3, p2 AS w4, _shard AS _shard
    FROM (SELECT _start AS _life0, CAST(0 AS INT) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p0, CAST(count(w1) AS BIGINT) AS p1, CAST(sum(w1) AS BIGINT) AS p2
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    GROUP BY _start, CAST(0 AS INT))
    UNION ALL SELECT 4 AS _port, _start, p1 AS w0, p0 AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, _shard AS _shard
    FROM (SELECT w0 AS p0, _start AS _life0, pmod(hash(w0), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    GROUP BY w0, _start, pmod(hash(w0), 4))
    UNION ALL SELECT 5 AS _port, _start, p1 AS w0, p0 AS w1, CAST(NULL AS INT) AS w2, p2 AS w3, p3 AS w4, _shard AS _shard
    FROM (SELECT w0 AS p0, _start AS _life0, pmod(hash(w0), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1, CAST(count(w1) AS BIGINT) AS p2, CAST(sum(w1) AS BIGINT) AS p3
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 1)
    GROUP BY w0, _start, pmod(hash(w0), 4))
    UNION ALL SELECT 6 AS _port, _start, p0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, p1 AS w3, p2 AS w4, _shard AS _shard
    FROM (SELECT _start AS _life0, CAST(0 AS INT) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p0, CAST(count(w1) AS BIGINT) AS p1, CAST(sum(w1) AS BIGINT) AS p2
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    GROUP BY _start, CAST(0 AS INT))
  repartitionById(4, _shard)
  sortWithinPartitions(_start)
  drop(_shard)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:int,w2:int,w3:double,w4:bigint>)

view tailrace_stage_1
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS BIGINT) AS _until, CAST(NULL AS BIGINT) AS _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS DOUBLE) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, w2 AS w2, CAST(NULL AS DOUBLE) AS w3, CAST(NULL AS BIGINT) AS w4, pmod(hash(w0, w1, w2), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 0)
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, w3 AS w3, CAST(NULL AS BIGINT) AS w4, pmod(hash(w0, w3), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 1)
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS DOUBLE) AS w3, w4 AS w4, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 2)
    UNION ALL SELECT 3 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS DOUBLE) AS w3, w4 AS w4, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 3)
    UNION ALL SELECT 4 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS DOUBLE) AS w3, w4 AS w4, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 2)
  repartitionById(4, _shard)
  sortWithinPartitions(_start)
  drop(_shard)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:bigint,w2:int,w3:int,w4:double>)

view tailrace_stage_2
  SELECT -1L - id AS _start, CAST(NULL AS BIGINT) AS _until, CAST(NULL AS BIGINT) AS _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS BIGINT) AS w1, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT _start, _until, _weight, w0 AS w0, w1 AS w1, pmod(hash(w0, w1), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 0)
  repartitionById(4, _shard)
  sortWithinPartitions(_start)
  drop(_shard)
  mapInArrow(…, struct<_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:bigint>)

output in_the_list
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w2 AS `v`, w3 AS `top`
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 1 AND _start <= 36000)
  select(*)

output in_an_expression
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w4 AS `above`
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 2 AND _start <= 36000)
  select(*)

output correlated_in_the_list
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w4 AS `partners`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 4 AND _start <= 36000)
  select(*)

output in_having
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `total`
    FROM (SELECT *
    FROM tailrace_stage_2
    WHERE _start <= 36000)
  select(*)
