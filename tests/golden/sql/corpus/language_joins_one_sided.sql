== to an end, first batch
rows A
  rows of A
  selectExpr(1 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, CAST(`k` AS INT) AS w0, CAST(NULL AS STRING) AS w1, CAST(`v` AS INT) AS w2)

rows B
  rows of B
  selectExpr(2 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, CAST(`k` AS INT) AS w0, CAST(NULL AS STRING) AS w1, CAST(`w` AS INT) AS w2)

asked
  count(1) AS rows
  min(IF(_source = 1, _moment, NULL)) AS first1
  max(IF(_source = 1, _moment, NULL)) AS last1
  count(IF(_source = 1, _moment, NULL)) AS timed1
  min(IF(_source = 2, _moment, NULL)) AS first2
  max(IF(_source = 2, _moment, NULL)) AS last2
  count(IF(_source = 2, _moment, NULL)) AS timed2

<arrived 0>
  (SELECT 0L AS _start, 0L + 1L AS _until, 1L AS _weight, _source, w0, w1, w2
    FROM tailrace_source_0
    WHERE true)

<arrived 1>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)])

view tailrace_rows
  rows of all

view tailrace_source_0
  rows of R
  selectExpr(0 AS _source, 0L AS _moment, CAST(`k` AS INT) AS w0, CAST(`label` AS STRING) AS w1, CAST(NULL AS INT) AS w2)

view messages for stage 1
  SELECT CASE _source WHEN 1 THEN 1 WHEN 2 THEN 5 END AS _port, _start, w0 AS w0, w2 AS w1, CAST(NULL AS STRING) AS w2, pmod(hash(w0), 4) AS _shard
    FROM <arrived 1>
    WHERE (_source = 1) OR (_source = 2)
    UNION ALL SELECT 3 AS _port, _start, w0 AS w0, w2 AS w1, CAST(NULL AS STRING) AS w2, pmod(hash(w2), 4) AS _shard
    FROM (SELECT *
    FROM <arrived 1>
    WHERE _source = 1)
    UNION ALL SELECT 6 AS _port, _start, w0 AS w0, w2 AS w1, CAST(NULL AS STRING) AS w2, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM <arrived 1>
    WHERE _source = 1)
    UNION ALL SELECT 0 AS _port, _start, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS STRING) AS w2, pmod(hash(w0), 4) AS _shard
    FROM <arrived 0>
    WHERE w1 <> 'x'
    UNION ALL SELECT 2 AS _port, _start, w0 AS w0, CAST(NULL AS INT) AS w1, w1 AS w2, pmod(hash(w0), 4) AS _shard
    FROM <arrived 0>
    UNION ALL SELECT 4 AS _port, _start, w0 AS w0, CAST(NULL AS INT) AS w1, w1 AS w2, pmod(hash(w1), 4) AS _shard
    FROM <arrived 0>
    UNION ALL SELECT 7 AS _port, _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, w1 AS w2, CAST(0 AS INT) AS _shard
    FROM <arrived 0>
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 2
  SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS STRING) AS w1, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_0
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS STRING) AS w1, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_1
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, w0 AS w1, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_2
    UNION ALL SELECT 3 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, w0 AS w1, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_3
    UNION ALL SELECT 4 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS STRING) AS w1, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_4
    UNION ALL SELECT 5 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS STRING) AS w1, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_5
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output known
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`
    FROM tailrace_stage_1_0

output unknown
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`
    FROM tailrace_stage_1_1

output used
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `label`
    FROM tailrace_stage_1_2

output unused
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `label`
    FROM tailrace_stage_1_3

output growing
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `v`
    FROM tailrace_stage_1_4

output common
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`, w2 AS `w`, w3 AS `label`
    FROM tailrace_stage_0_6

output nothing_common
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`, w2 AS `label`
    FROM tailrace_stage_0_7

output natural_semi
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`
    FROM tailrace_stage_1_5

== to an end, later batch
<arrived 0>
  is gone

view tailrace_source_0
  is gone

<arrived 1>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)])

view messages for stage 1
  SELECT CASE _source WHEN 1 THEN 1 WHEN 2 THEN 5 END AS _port, _start, w0 AS w0, w2 AS w1, CAST(NULL AS STRING) AS w2, pmod(hash(w0), 4) AS _shard
    FROM <arrived 1>
    WHERE (_source = 1) OR (_source = 2)
    UNION ALL SELECT 3 AS _port, _start, w0 AS w0, w2 AS w1, CAST(NULL AS STRING) AS w2, pmod(hash(w2), 4) AS _shard
    FROM (SELECT *
    FROM <arrived 1>
    WHERE _source = 1)
    UNION ALL SELECT 6 AS _port, _start, w0 AS w0, w2 AS w1, CAST(NULL AS STRING) AS w2, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM <arrived 1>
    WHERE _source = 1)
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

== to an end, large batch
<arrived 1>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)])

output known
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_1_0
    WHERE _start <= 36000)

output unknown
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_1_1
    WHERE _start <= 36000)

output used
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `label`
    FROM (SELECT *
    FROM tailrace_stage_1_2
    WHERE _start <= 36000)

output unused
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `label`
    FROM (SELECT *
    FROM tailrace_stage_1_3
    WHERE _start <= 36000)

output growing
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_1_4
    WHERE _start <= 36000)

output common
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`, w2 AS `w`, w3 AS `label`
    FROM (SELECT *
    FROM tailrace_stage_0_6
    WHERE _start <= 36000)

output nothing_common
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`, w2 AS `label`
    FROM (SELECT *
    FROM tailrace_stage_0_7
    WHERE _start <= 36000)

output natural_semi
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_1_5
    WHERE _start <= 36000)
