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

view tailrace_stage_0
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS INT) AS w0, CAST(NULL AS DOUBLE) AS w1, CAST(id AS INT) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM range(0, 1, 1, 1)
    UNION ALL SELECT 0 AS _port, _start, w0 AS w0, w1 AS w1, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM <arrived 0>
    UNION ALL SELECT 1 AS _port, _start, w0 AS w0, w1 AS w1, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM <arrived 0>
    WHERE w0 = 7
  repartition(1)
  sortWithinPartitions(_start, _file, _block, _line)
  drop(_shard, _file, _block, _line)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:double>)

output twice
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `Id`, w1 AS `Value`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 0)
  select(*)

output projected
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w1 AS `double`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 1)
  select(*)

output filtered
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w1 AS `Value`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 2)
  select(*)

output evaluated
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w1 AS `average`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 3)
  select(*)

output slots
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w1 AS `average`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 4)
  select(*)

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
    FROM tailrace_stage_0
    WHERE _port = 0 AND _start <= 36000)
  select(*)

output projected
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w1 AS `double`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 1 AND _start <= 36000)
  select(*)

output filtered
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w1 AS `Value`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 2 AND _start <= 36000)
  select(*)

output evaluated
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w1 AS `average`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 3 AND _start <= 36000)
  select(*)

output slots
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w1 AS `average`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 4 AND _start <= 36000)
  select(*)

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

view tailrace_stage_0
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS INT) AS w0, CAST(NULL AS DOUBLE) AS w1, CAST(id AS INT) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM range(0, 1, 1, 1)
    UNION ALL SELECT 0 AS _port, _start, w0 AS w0, w1 AS w1, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM <arrived 0>
    UNION ALL SELECT 1 AS _port, _start, w0 AS w0, w1 AS w1, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM <arrived 0>
    WHERE w0 = 7
  repartition(1)
  sortWithinPartitions(_start, _file, _block, _line)
  drop(_shard, _file, _block, _line)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:double>)

output twice
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `Id`, w1 AS `Value`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 0)
  select(*)

output projected
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w1 AS `double`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 1)
  select(*)

output filtered
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w1 AS `Value`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 2)
  select(*)

output evaluated
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w1 AS `average`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 3)
  select(*)

== continuously, later batch, slots joins
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)])

output slots
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w1 AS `average`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 4 AND _start >= 12)
  select(*)
