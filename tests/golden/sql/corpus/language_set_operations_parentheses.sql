== to an end, first batch
rows A
  rows of A
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0)

rows B
  rows of B
  selectExpr(1 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0)

rows C
  rows of C
  selectExpr(2 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0)

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
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view tailrace_stage_0
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS INT) AS w0, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 WHEN 2 THEN 2 END AS _port, _start, w0 AS w0, pmod(hash(w0), 4) AS _shard
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1) OR (_source = 2)
  repartitionById(4, _shard)
  drop(_shard)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:int>)

view tailrace_stage_1
  SELECT -1L - id AS _start, CAST(NULL AS BIGINT) AS _until, CAST(NULL AS BIGINT) AS _weight, CAST(NULL AS INT) AS w0, CAST(id AS INT) AS _shard
    FROM range(0, 1, 1, 1)
    UNION ALL SELECT _start, _until, _weight, w0 AS w0, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 0)
  repartition(1)
  drop(_shard)
  mapInArrow(…, struct<_start:bigint,_until:bigint,_weight:bigint,w0:int>)

output chain
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 1)
  select(*)

output left_first
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 2)
  select(*)

output right_first
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 3)
  select(*)

output each_in_parentheses
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 4)
  select(*)

output precedence
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 5)
  select(*)

output mixed_all
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 6)
  select(*)

output whole_query
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 7)
  select(*)

output symmetric_difference
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 8)
  select(*)

output top_of_union
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM tailrace_stage_1
  select(*)

output windowed_union
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 9)
  select(*)

== to an end, later batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_stage_0
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS INT) AS w0, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 WHEN 2 THEN 2 END AS _port, _start, w0 AS w0, pmod(hash(w0), 4) AS _shard
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1) OR (_source = 2)
  repartitionById(4, _shard)
  sortWithinPartitions(_start)
  drop(_shard)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:int>)

view tailrace_stage_1
  SELECT -1L - id AS _start, CAST(NULL AS BIGINT) AS _until, CAST(NULL AS BIGINT) AS _weight, CAST(NULL AS INT) AS w0, CAST(id AS INT) AS _shard
    FROM range(0, 1, 1, 1)
    UNION ALL SELECT _start, _until, _weight, w0 AS w0, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 0)
  repartition(1)
  sortWithinPartitions(_start)
  drop(_shard)
  mapInArrow(…, struct<_start:bigint,_until:bigint,_weight:bigint,w0:int>)

output chain
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 1 AND _start <= 36000)
  select(*)

output left_first
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 2 AND _start <= 36000)
  select(*)

output right_first
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 3 AND _start <= 36000)
  select(*)

output each_in_parentheses
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 4 AND _start <= 36000)
  select(*)

output precedence
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 5 AND _start <= 36000)
  select(*)

output mixed_all
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 6 AND _start <= 36000)
  select(*)

output whole_query
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 7 AND _start <= 36000)
  select(*)

output symmetric_difference
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 8 AND _start <= 36000)
  select(*)

output top_of_union
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _start <= 36000)
  select(*)

output windowed_union
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 9 AND _start <= 36000)
  select(*)
