== to an end, first batch
rows T
  rows of T
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, CAST(`k` AS INT) AS w0, CAST(`w` AS INT) AS w1, CAST(NULL AS STRING) AS w2)

rows S
  rows of S
  selectExpr(1 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, CAST(`k` AS INT) AS w0, CAST(`v` AS INT) AS w1, CAST(NULL AS STRING) AS w2)

asked
  count(1) AS rows
  min(IF(_source = 0, _moment, NULL)) AS first0
  max(IF(_source = 0, _moment, NULL)) AS last0
  count(IF(_source = 0, _moment, NULL)) AS timed0
  min(IF(_source = 1, _moment, NULL)) AS first1
  max(IF(_source = 1, _moment, NULL)) AS last1
  count(IF(_source = 1, _moment, NULL)) AS timed1

<arrived 2>
  (SELECT 0L AS _start, 0L + 1L AS _until, 1L AS _weight, _source, w0, w1, w2
    FROM tailrace_source_2
    WHERE true)

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)])

view tailrace_rows
  rows of all

view tailrace_source_2
  rows of R
  selectExpr(2 AS _source, 0L AS _moment, CAST(`k` AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(`name` AS STRING) AS w2)

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 END AS _port, _start, CASE _source WHEN 0 THEN CAST(NULL AS INT) WHEN 1 THEN w0 END AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS STRING) AS w2, CAST(0 AS INT) AS _shard
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1)
    UNION ALL SELECT CASE _source WHEN 0 THEN 2 WHEN 1 THEN 3 END AS _port, _start, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, pmod(hash(w0), 4) AS _shard
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1)
    UNION ALL SELECT 4 AS _port, _start, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS STRING) AS w2, pmod(hash(w0), 4) AS _shard
    FROM <arrived 2>
    UNION ALL SELECT 5 AS _port, _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, w2 AS w2, pmod(hash(w2), 4) AS _shard
    FROM <arrived 2>
    WHERE w0 > 10
    UNION ALL SELECT 6 AS _port, _start, w0 AS w0, CAST(NULL AS INT) AS w1, w2 AS w2, pmod(hash(w2), 4) AS _shard
    FROM <arrived 2>
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 2
  SELECT 1 AS _port, _start, _until, _weight, w0 AS w0, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 1)
    UNION ALL SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_0
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output some
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM tailrace_stage_0_1

output none
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM tailrace_stage_0_2

output more
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM tailrace_stage_0_3

output as_value
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `known`
    FROM tailrace_stage_0_4

output nested
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM tailrace_stage_1_0

== to an end, later batch
<arrived 2>
  is gone

view tailrace_source_2
  is gone

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)])

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 END AS _port, _start, CASE _source WHEN 0 THEN CAST(NULL AS INT) WHEN 1 THEN w0 END AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS STRING) AS w2, CAST(0 AS INT) AS _shard
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1)
    UNION ALL SELECT CASE _source WHEN 0 THEN 2 WHEN 1 THEN 3 END AS _port, _start, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, pmod(hash(w0), 4) AS _shard
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1)
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)])

output some
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0_1
    WHERE _start <= 36000)

output none
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0_2
    WHERE _start <= 36000)

output more
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0_3
    WHERE _start <= 36000)

output as_value
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `known`
    FROM (SELECT *
    FROM tailrace_stage_0_4
    WHERE _start <= 36000)

output nested
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_1_0
    WHERE _start <= 36000)

== continuously, first batch
rows T
  rows of T
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(`k` AS INT) AS w0, CAST(`w` AS INT) AS w1, CAST(NULL AS STRING) AS w2)

rows S
  rows of S
  selectExpr(1 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(`k` AS INT) AS w0, CAST(`v` AS INT) AS w1, CAST(NULL AS STRING) AS w2)

asked
  count(1) AS rows
  min(IF(_source = 0, _moment, NULL)) AS first0
  max(IF(_source = 0, _moment, NULL)) AS last0
  count(IF(_source = 0, _moment, NULL)) AS timed0
  min(IF(_source = 1, _moment, NULL)) AS first1
  max(IF(_source = 1, _moment, NULL)) AS last1
  count(IF(_source = 1, _moment, NULL)) AS timed1

<arrived 2>
  (SELECT 0L AS _start, 0L + 1L AS _until, 1L AS _weight, _source, w0, w1, w2
    FROM tailrace_source_2
    WHERE true)

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)])

view tailrace_rows
  rows of all

view tailrace_source_2
  rows of R
  selectExpr(2 AS _source, 0L AS _moment, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(`k` AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(`name` AS STRING) AS w2)

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 END AS _port, _start, CASE _source WHEN 0 THEN CAST(NULL AS INT) WHEN 1 THEN w0 END AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1)
    UNION ALL SELECT CASE _source WHEN 0 THEN 2 WHEN 1 THEN 3 END AS _port, _start, w0 AS w0, w1 AS w1, pmod(hash(w0), 4) AS _shard
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1)
    UNION ALL SELECT 4 AS _port, _start, w0 AS w0, CAST(NULL AS INT) AS w1, pmod(hash(w0), 4) AS _shard
    FROM <arrived 2>
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output some
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM tailrace_stage_0_0

output none
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM tailrace_stage_0_1

output more
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM tailrace_stage_0_2

output as_value
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `known`
    FROM tailrace_stage_0_3

== continuously, later batch, nested joins
<arrived 2>
  (SELECT 10L AS _start, 10L + 1L AS _until, 1L AS _weight, _source, w0, w1, w2
    FROM tailrace_source_2
    WHERE true)

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)])

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 END AS _port, _start, CASE _source WHEN 0 THEN CAST(NULL AS INT) WHEN 1 THEN w0 END AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS STRING) AS w2, CAST(0 AS INT) AS _shard
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1)
    UNION ALL SELECT CASE _source WHEN 0 THEN 2 WHEN 1 THEN 3 END AS _port, _start, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, pmod(hash(w0), 4) AS _shard
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1)
    UNION ALL SELECT 5 AS _port, _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, w2 AS w2, pmod(hash(w2), 4) AS _shard
    FROM <arrived 2>
    WHERE w0 > 10
    UNION ALL SELECT 6 AS _port, _start, w0 AS w0, CAST(NULL AS INT) AS w1, w2 AS w2, pmod(hash(w2), 4) AS _shard
    FROM <arrived 2>
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 2
  SELECT 1 AS _port, _start, _until, _weight, w0 AS w0, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 1)
    UNION ALL SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_0
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output some
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM tailrace_stage_0_1

output none
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM tailrace_stage_0_2

output more
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM tailrace_stage_0_3

output as_value
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `known`
    FROM tailrace_stage_0_4

output nested
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_1_0
    WHERE _start >= 12)
