== to an end, first batch
rows S1
  rows of S1
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _unreadable AS _unreadable, CAST(`val` AS STRING) AS w0, CAST(NULL AS INT) AS w1)

rows S
  rows of S
  selectExpr(1 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _unreadable AS _unreadable, CAST(`val` AS STRING) AS w0, CAST(`num` AS INT) AS w1)

rows R
  rows of R
  selectExpr(2 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _unreadable AS _unreadable, CAST(`val` AS STRING) AS w0, CAST(`num` AS INT) AS w1)

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
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view tailrace_stage_0
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS STRING) AS w0, CAST(NULL AS INT) AS w1, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 WHEN 2 THEN 3 END AS _port, _start, CASE _source WHEN 0 THEN w0 WHEN 1 THEN CAST(NULL AS STRING) WHEN 2 THEN w0 END AS w0, CASE _source WHEN 0 THEN CAST(NULL AS INT) WHEN 1 THEN w1 WHEN 2 THEN w1 END AS w1, CASE _source WHEN 0 THEN pmod(hash(w0), 4) WHEN 1 THEN CAST(0 AS INT) WHEN 2 THEN pmod(hash(w0), 4) END AS _shard
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1) OR (_source = 2)
    UNION ALL SELECT 2 AS _port, _start, w0 AS w0, w1 AS w1, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 1)
  repartitionById(4, _shard)
  drop(_shard)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:string,w1:bigint,w2:bigint,w3:double,w4:int,w5:int>)

output w_distinct
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `val`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 0)
  select(*)

output w_aggregate
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w1 AS `s`, w2 AS `c`, w3 AS `m`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 1)
  select(*)

output w_group_by
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `val`, w1 AS `s`, w2 AS `c`, w3 AS `m`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 2)
  select(*)

output w_union
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `val`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 3)
  select(*)

output w_intersect
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `val`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 4)
  select(*)

output w_minus_all
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `val`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 5)
  select(*)

output w_minus
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `val`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 6)
  select(*)

output w_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `val`, w4 AS `num`, w5 AS `other`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 7)
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
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS STRING) AS w0, CAST(NULL AS INT) AS w1, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 WHEN 2 THEN 3 END AS _port, _start, CASE _source WHEN 0 THEN w0 WHEN 1 THEN CAST(NULL AS STRING) WHEN 2 THEN w0 END AS w0, CASE _source WHEN 0 THEN CAST(NULL AS INT) WHEN 1 THEN w1 WHEN 2 THEN w1 END AS w1, CASE _source WHEN 0 THEN pmod(hash(w0), 4) WHEN 1 THEN CAST(0 AS INT) WHEN 2 THEN pmod(hash(w0), 4) END AS _shard
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1) OR (_source = 2)
    UNION ALL SELECT 2 AS _port, _start, w0 AS w0, w1 AS w1, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 1)
  repartitionById(4, _shard)
  sortWithinPartitions(_start)
  drop(_shard)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:string,w1:bigint,w2:bigint,w3:double,w4:int,w5:int>)

output w_distinct
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `val`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 0 AND _start <= 36000)
  select(*)

output w_aggregate
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w1 AS `s`, w2 AS `c`, w3 AS `m`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 1 AND _start <= 36000)
  select(*)

output w_group_by
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `val`, w1 AS `s`, w2 AS `c`, w3 AS `m`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 2 AND _start <= 36000)
  select(*)

output w_union
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `val`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 3 AND _start <= 36000)
  select(*)

output w_intersect
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `val`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 4 AND _start <= 36000)
  select(*)

output w_minus_all
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `val`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 5 AND _start <= 36000)
  select(*)

output w_minus
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `val`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 6 AND _start <= 36000)
  select(*)

output w_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `val`, w4 AS `num`, w5 AS `other`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 7 AND _start <= 36000)
  select(*)
