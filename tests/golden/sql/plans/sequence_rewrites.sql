== to an end, first batch
rows Temperature
  rows of Temperature
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(`Id` AS INT) AS w0, CAST(`Value` AS DOUBLE) AS w1)

asked
  count(1) AS rows
  min(_moment) AS first0
  max(_moment) AS last0
  count(_moment) AS timed0

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)])

view tailrace_rows
  rows of all

view messages for stage 1
  SELECT 0 AS _port, _start, w0 AS w0, w1 AS w1, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM <arrived 0>
    UNION ALL SELECT 1 AS _port, _start, w0 AS w0, w1 AS w1, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM <arrived 0>
    WHERE w0 = 7
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output twice
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `Id`, w1 AS `Value`
    FROM tailrace_stage_0_0

output projected
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `double`
    FROM tailrace_stage_0_1

output filtered
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `Value`
    FROM tailrace_stage_0_2

output evaluated
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `average`
    FROM tailrace_stage_0_3

output slots
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `average`
    FROM tailrace_stage_0_4

== to an end, later batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)])

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)])

output twice
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `Id`, w1 AS `Value`
    FROM (SELECT *
    FROM tailrace_stage_0_0
    WHERE _start <= 36000)

output projected
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `double`
    FROM (SELECT *
    FROM tailrace_stage_0_1
    WHERE _start <= 36000)

output filtered
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `Value`
    FROM (SELECT *
    FROM tailrace_stage_0_2
    WHERE _start <= 36000)

output evaluated
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `average`
    FROM (SELECT *
    FROM tailrace_stage_0_3
    WHERE _start <= 36000)

output slots
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `average`
    FROM (SELECT *
    FROM tailrace_stage_0_4
    WHERE _start <= 36000)

== continuously, first batch
rows Temperature
  rows of Temperature
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(`Id` AS INT) AS w0, CAST(`Value` AS DOUBLE) AS w1)

asked
  count(1) AS rows
  min(_moment) AS first0
  max(_moment) AS last0
  count(_moment) AS timed0

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)])

view tailrace_rows
  rows of all

view messages for stage 1
  SELECT 0 AS _port, _start, w0 AS w0, w1 AS w1, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM <arrived 0>
    UNION ALL SELECT 1 AS _port, _start, w0 AS w0, w1 AS w1, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM <arrived 0>
    WHERE w0 = 7
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output twice
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `Id`, w1 AS `Value`
    FROM tailrace_stage_0_0

output projected
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `double`
    FROM tailrace_stage_0_1

output filtered
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `Value`
    FROM tailrace_stage_0_2

output evaluated
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `average`
    FROM tailrace_stage_0_3

== continuously, later batch, slots joins
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)])

output slots
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `average`
    FROM (SELECT *
    FROM tailrace_stage_0_4
    WHERE _start >= 12)
