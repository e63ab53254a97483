== to an end, first batch
rows Temperature
  rows of Temperature
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(`Id` AS INT) AS w0, CAST(`Value` AS DOUBLE) AS w1, CAST(NULL AS STRING) AS w2)

rows Pulse
  rows of Pulse
  selectExpr(2 AS _source, unix_micros(CAST(`Timestamp` AS TIMESTAMP)) AS _moment, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(`Id` AS INT) AS w0, CAST(NULL AS DOUBLE) AS w1, CAST(NULL AS STRING) AS w2)

asked
  count(1) AS rows
  min(IF(_source = 0, _moment, NULL)) AS first0
  max(IF(_source = 0, _moment, NULL)) AS last0
  count(IF(_source = 0, _moment, NULL)) AS timed0
  min(IF(_source = 2, _moment, NULL)) AS first2
  max(IF(_source = 2, _moment, NULL)) AS last2
  count(IF(_source = 2, _moment, NULL)) AS timed2

<arrived 1>
  (SELECT 0L AS _start, 0L + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2
    FROM tailrace_source_1
    WHERE true)

<arrived 0>
  (SELECT _moment AS _start, _moment + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT _moment <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)])

view tailrace_rows
  rows of all

view tailrace_source_1
  rows of Patients
  selectExpr(1 AS _source, 0L AS _moment, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(`Id` AS INT) AS w0, CAST(NULL AS DOUBLE) AS w1, CAST(`Name` AS STRING) AS w2)

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 0 WHEN 2 THEN 4 END AS _port, _start, w0 AS w0, CASE _source WHEN 0 THEN w1 WHEN 2 THEN CAST(NULL AS DOUBLE) END AS w1, CAST(NULL AS STRING) AS w2, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 2)
    UNION ALL SELECT 1 AS _port, _start, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    UNION ALL SELECT 2 AS _port, _start, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, pmod(hash(w0), 4) AS _shard, _file, _block, _line
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    UNION ALL SELECT 3 AS _port, _start, w0 AS w0, CAST(NULL AS DOUBLE) AS w1, w2 AS w2, pmod(hash(w0), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 1>
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 2
  SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_0
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS DOUBLE) AS w1, w1 AS w2, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_1
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 3
  SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(0 AS INT) AS _shard
    FROM tailrace_stage_1_0
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, CAST(NULL AS STRING) AS w0, CAST(NULL AS DOUBLE) AS w1, CAST(0 AS INT) AS _shard
    FROM tailrace_stage_0_2
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output every_tenth
  SELECT _start AS _ts, w0 AS `Id`, w1 AS `Value`
    FROM tailrace_stage_0_3

output every_minute
  SELECT _start AS _ts, w0 AS `Id`, w1 AS `Value`
    FROM tailrace_stage_0_4

output moving
  SELECT _start AS _ts, w0 AS `average`
    FROM tailrace_stage_0_5

output jumping
  SELECT _start AS _ts, w0 AS `average`
    FROM tailrace_stage_0_6

output each
  SELECT _start AS _ts, w0 AS `Id`, w1 AS `top`
    FROM tailrace_stage_0_7

output named
  SELECT _start AS _ts, w0 AS `Name`, w1 AS `Value`
    FROM tailrace_stage_2_0

output rates
  SELECT _start AS _ts, w0 AS `Id`, w1 AS `avg`
    FROM tailrace_stage_0_8

output of_a_sample
  SELECT _start AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `Id`, w1 AS `n`
    FROM tailrace_stage_0_9

== to an end, later batch
<arrived 1>
  is gone

view tailrace_source_1
  is gone

<arrived 0>
  (SELECT _moment AS _start, _moment + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT _moment <= array(9L)[CAST(pmod(_moment, 1L) AS INT)])

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 0 WHEN 2 THEN 4 END AS _port, _start, w0 AS w0, CASE _source WHEN 0 THEN w1 WHEN 2 THEN CAST(NULL AS DOUBLE) END AS w1, CAST(NULL AS STRING) AS w2, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 2)
    UNION ALL SELECT 1 AS _port, _start, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    UNION ALL SELECT 2 AS _port, _start, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, pmod(hash(w0), 4) AS _shard, _file, _block, _line
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

== to an end, large batch
<arrived 0>
  (SELECT _moment AS _start, _moment + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT _moment <= array(19L)[CAST(pmod(_moment, 1L) AS INT)])

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 0 WHEN 2 THEN 4 END AS _port, _start, w0 AS w0, CASE _source WHEN 0 THEN w1 WHEN 2 THEN CAST(NULL AS DOUBLE) END AS w1, CAST(NULL AS STRING) AS w2, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 2)
    UNION ALL SELECT 2 AS _port, _start, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, pmod(hash(w0), 4) AS _shard, _file, _block, _line
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    UNION ALL SELECT 1 AS _port, _start, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM (SELECT /*+ BROADCAST(_bounds) */ _rows.*
    FROM (SELECT *
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)) AS _rows
    LEFT JOIN (SELECT max(_start) AS _bound
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    GROUP BY greatest((_start + 59L) div 60L, 1L)) AS _bounds ON _start = _bound
    WHERE false OR _bound IS NOT NULL)
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output every_tenth
  SELECT _start AS _ts, w0 AS `Id`, w1 AS `Value`
    FROM (SELECT *
    FROM tailrace_stage_0_3
    WHERE _start <= 500)

output every_minute
  SELECT _start AS _ts, w0 AS `Id`, w1 AS `Value`
    FROM (SELECT *
    FROM tailrace_stage_0_4
    WHERE _start <= 500)

output moving
  SELECT _start AS _ts, w0 AS `average`
    FROM (SELECT *
    FROM tailrace_stage_0_5
    WHERE _start <= 500)

output jumping
  SELECT _start AS _ts, w0 AS `average`
    FROM (SELECT *
    FROM tailrace_stage_0_6
    WHERE _start <= 500)

output each
  SELECT _start AS _ts, w0 AS `Id`, w1 AS `top`
    FROM (SELECT *
    FROM tailrace_stage_0_7
    WHERE _start <= 500)

output named
  SELECT _start AS _ts, w0 AS `Name`, w1 AS `Value`
    FROM (SELECT *
    FROM tailrace_stage_2_0
    WHERE _start <= 500)

output rates
  SELECT _start AS _ts, w0 AS `Id`, w1 AS `avg`
    FROM (SELECT *
    FROM tailrace_stage_0_8
    WHERE _start <= 500)

output of_a_sample
  SELECT _start AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `Id`, w1 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_0_9
    WHERE _start <= 500)

== continuously, first batch
rows Temperature
  rows of Temperature
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(`Id` AS INT) AS w0, CAST(`Value` AS DOUBLE) AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS BIGINT) AS w3)

rows Pulse
  rows of Pulse
  selectExpr(2 AS _source, unix_micros(CAST(`Timestamp` AS TIMESTAMP)) AS _moment, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(`Id` AS INT) AS w0, CAST(NULL AS DOUBLE) AS w1, CAST(NULL AS STRING) AS w2, CAST(`Timestamp` AS BIGINT) AS w3)

asked
  count(1) AS rows
  min(IF(_source = 0, _moment, NULL)) AS first0
  max(IF(_source = 0, _moment, NULL)) AS last0
  count(IF(_source = 0, _moment, NULL)) AS timed0
  min(IF(_source = 2, _moment, NULL)) AS first2
  max(IF(_source = 2, _moment, NULL)) AS last2
  count(IF(_source = 2, _moment, NULL)) AS timed2

<arrived 1>
  (SELECT 0L AS _start, 0L + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3
    FROM tailrace_source_1
    WHERE true)

<arrived 0>
  (SELECT _moment AS _start, _moment + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3
    FROM tailrace_rows
    WHERE NOT _moment <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)])

view tailrace_rows
  rows of all

view tailrace_source_1
  rows of Patients
  selectExpr(1 AS _source, 0L AS _moment, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(`Id` AS INT) AS w0, CAST(NULL AS DOUBLE) AS w1, CAST(`Name` AS STRING) AS w2, CAST(NULL AS BIGINT) AS w3)

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 0 WHEN 2 THEN 4 END AS _port, _start, w0 AS w0, CASE _source WHEN 0 THEN w1 WHEN 2 THEN CAST(NULL AS DOUBLE) END AS w1, CAST(NULL AS STRING) AS w2, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 2)
    UNION ALL SELECT 1 AS _port, _start, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    UNION ALL SELECT 2 AS _port, _start, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, pmod(hash(w0), 4) AS _shard, _file, _block, _line
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    UNION ALL SELECT 3 AS _port, _start, w0 AS w0, CAST(NULL AS DOUBLE) AS w1, w2 AS w2, pmod(hash(w0), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 1>
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 2
  SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_0
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS DOUBLE) AS w1, w1 AS w2, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_1
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 3
  SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(0 AS INT) AS _shard
    FROM tailrace_stage_1_0
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, CAST(NULL AS STRING) AS w0, CAST(NULL AS DOUBLE) AS w1, CAST(0 AS INT) AS _shard
    FROM tailrace_stage_0_2
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output every_tenth
  SELECT _start AS _ts, w0 AS `Id`, w1 AS `Value`
    FROM tailrace_stage_0_3

output every_minute
  SELECT _start AS _ts, w0 AS `Id`, w1 AS `Value`
    FROM tailrace_stage_0_4

output moving
  SELECT _start AS _ts, w0 AS `average`
    FROM tailrace_stage_0_5

output jumping
  SELECT _start AS _ts, w0 AS `average`
    FROM tailrace_stage_0_6

output each
  SELECT _start AS _ts, w0 AS `Id`, w1 AS `top`
    FROM tailrace_stage_0_7

output named
  SELECT _start AS _ts, w0 AS `Name`, w1 AS `Value`
    FROM tailrace_stage_2_0

output rates
  SELECT _start AS _ts, w0 AS `Id`, w1 AS `avg`
    FROM tailrace_stage_0_8

== continuously, later batch, of_a_sample joins
<arrived 1>
  is gone

view tailrace_source_1
  is gone

<arrived 0>
  (SELECT _moment AS _start, _moment + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3
    FROM tailrace_rows
    WHERE NOT _moment <= array(9L)[CAST(pmod(_moment, 1L) AS INT)])

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 0 WHEN 2 THEN 4 END AS _port, _start, w0 AS w0, CASE _source WHEN 0 THEN w1 WHEN 2 THEN CAST(NULL AS DOUBLE) END AS w1, CAST(NULL AS STRING) AS w2, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 2)
    UNION ALL SELECT 1 AS _port, _start, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    UNION ALL SELECT 2 AS _port, _start, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, pmod(hash(w0), 4) AS _shard, _file, _block, _line
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output of_a_sample
  SELECT _start AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `Id`, w1 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_0_9
    WHERE _start >= 12)
