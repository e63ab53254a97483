== to an end, first batch
rows A
  rows of A
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(`v` AS INT) AS w1, CAST(`tags` AS ARRAY<INT>) AS w2)

rows B
  rows of B
  selectExpr(1 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(`w` AS INT) AS w1, CAST(NULL AS ARRAY<INT>) AS w2)

asked
  count(1) AS rows
  min(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS first0
  max(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS last0
  count(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS timed0
  min(IF(_source = 1 AND _unreadable IS NULL, _moment, NULL)) AS first1
  max(IF(_source = 1 AND _unreadable IS NULL, _moment, NULL)) AS last1
  count(IF(_source = 1 AND _unreadable IS NULL, _moment, NULL)) AS timed1

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 2 END AS _port, _start, w1 AS w0, CASE _source WHEN 0 THEN CAST(NULL AS INT) WHEN 1 THEN w0 END AS w1, CASE _source WHEN 0 THEN pmod(hash(w1), 4) WHEN 1 THEN pmod(hash(w0), 4) END AS _shard
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1)
    UNION ALL SELECT 1 AS _port, _start, w0 AS w0, w1 AS w1, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 2
  SELECT 1 AS _port, _start, _until, _weight, w1 AS w0, w0 AS w1, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 1)
    UNION ALL SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard
    FROM tailrace_stage_0_0
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(0 AS INT) AS _shard
    FROM tailrace_stage_0_1
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 3
  SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, pmod(hash(w1), 4) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_1_0
    UNION ALL SELECT 3 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_1_1
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 4
  SELECT _start, _until, _weight, w0 AS w0, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_2_0
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output above_all
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM tailrace_stage_3_0

output above_some
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `it`
    FROM tailrace_stage_0_2

output elements
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    WHERE `exists`(w2, `lambda element0` -> w1 = `lambda element0`) OR NOT `forall`(w2, `lambda element0` -> w0 < `lambda element0`)

output rows
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    WHERE w0 <=> 1 AND w1 <=> 2 OR (w0 <=> 1 AND w1 <=> 2 OR w0 <=> 3 AND w1 <=> CAST(NULL AS INT)) OR NOT (w0 < 2) IS TRUE AND w0 IS NOT NULL AND (NOT w0 <=> 2 OR NOT (w1 < 0) IS TRUE AND w1 IS NOT NULL) AND (NOT (3 < w0) IS TRUE AND (NOT 3 <=> w0 OR NOT (9 < w1) IS TRUE)) OR ((w0 < w1) IS TRUE OR w0 IS NULL AND w1 IS NOT NULL OR w0 <=> w1 AND ((w1 < w0) IS TRUE OR w1 IS NULL AND w0 IS NOT NULL))

output rows_of_a_subquery
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM tailrace_stage_2_1

== to an end, later batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

output above_all
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_3_0
    WHERE _start <= 36000)

output above_some
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `it`
    FROM (SELECT *
    FROM tailrace_stage_0_2
    WHERE _start <= 36000)

output elements
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0 AND _start <= 36000)
    WHERE `exists`(w2, `lambda element0` -> w1 = `lambda element0`) OR NOT `forall`(w2, `lambda element0` -> w0 < `lambda element0`)

output rows
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0 AND _start <= 36000)
    WHERE w0 <=> 1 AND w1 <=> 2 OR (w0 <=> 1 AND w1 <=> 2 OR w0 <=> 3 AND w1 <=> CAST(NULL AS INT)) OR NOT (w0 < 2) IS TRUE AND w0 IS NOT NULL AND (NOT w0 <=> 2 OR NOT (w1 < 0) IS TRUE AND w1 IS NOT NULL) AND (NOT (3 < w0) IS TRUE AND (NOT 3 <=> w0 OR NOT (9 < w1) IS TRUE)) OR ((w0 < w1) IS TRUE OR w0 IS NULL AND w1 IS NOT NULL OR w0 <=> w1 AND ((w1 < w0) IS TRUE OR w1 IS NULL AND w0 IS NOT NULL))

output rows_of_a_subquery
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_2_1
    WHERE _start <= 36000)
