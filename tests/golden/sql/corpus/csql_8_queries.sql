== to an end, first batch
rows BodyCondition
  rows of BodyCondition
  selectExpr(0 AS _source, unix_micros(CAST(`Timestamp` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`Id` AS INT) AS w0, CAST(`Species` AS STRING) AS w1, CAST(`BTemp` AS DOUBLE) AS w2, CAST(`BloodP` AS INT) AS w3, CAST(`Timestamp` AS BIGINT) AS w4)

rows Pulse
  rows of Pulse
  selectExpr(1 AS _source, unix_micros(CAST(`Timestamp` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`Id` AS INT) AS w0, CAST(NULL AS STRING) AS w1, CAST(NULL AS DOUBLE) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS BIGINT) AS w4)

asked
  count(1) AS rows
  min(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS first0
  max(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS last0
  count(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS timed0
  min(IF(_source = 1 AND _unreadable IS NULL, _moment, NULL)) AS first1
  max(IF(_source = 1 AND _unreadable IS NULL, _moment, NULL)) AS last1
  count(IF(_source = 1 AND _unreadable IS NULL, _moment, NULL)) AS timed1

<arrived 0>
  (SELECT _moment AS _start, _moment + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3, w4
    FROM tailrace_rows
    WHERE NOT _moment <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view tailrace_stage_0
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS INT) AS w0, CAST(NULL AS STRING) AS w1, CAST(NULL AS DOUBLE) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(id AS INT) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 2 END AS _port, _start, w0 AS w0, CASE _source WHEN 0 THEN w1 WHEN 1 THEN CAST(NULL AS STRING) END AS w1, CASE _source WHEN 0 THEN w2 WHEN 1 THEN CAST(NULL AS DOUBLE) END AS w2, CASE _source WHEN 0 THEN w3 WHEN 1 THEN CAST(NULL AS INT) END AS w3, CASE _source WHEN 0 THEN w4 WHEN 1 THEN CAST(NULL AS BIGINT) END AS w4, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1)
    UNION ALL SELECT 1 AS _port, _start, w0 AS w0, w1 AS w1, w2 AS w2, w3 AS w3, w4 AS w4, pmod(hash(w0), 4) AS _shard, _file, _block, _line
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
  repartitionById(4, _shard)
  sortWithinPartitions(_start, _file, _block, _line)
  drop(_shard, _file, _block, _line)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:string,w2:double,w3:int,w4:bigint>)

output Q1a
  SELECT _start AS _ts, w0 AS `Id`, w1 AS `Species`, w2 AS `BTemp`, w3 AS `BloodP`, w4 AS `Timestamp`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 0)
  select(*)

output Q1b
  SELECT _start AS _ts, w0 AS `Id`, w1 AS `Species`, w2 AS `BTemp`, w3 AS `BloodP`, w4 AS `Timestamp`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 1)
  select(*)

output Q1c
  SELECT _start AS _ts, w0 AS `Id`, w1 AS `Species`, w2 AS `BTemp`, w3 AS `BloodP`, w4 AS `Timestamp`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 2)
  select(*)

output Q2
  SELECT _start AS _ts, w0 AS `Id`, w1 AS `Species`, w2 AS `BTemp`, w3 AS `BloodP`, w4 AS `Timestamp`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 3)
  select(*)

output Q2_ten_minutes
  SELECT _start AS _ts, w0 AS `Id`, w1 AS `Species`, w2 AS `BTemp`, w3 AS `BloodP`, w4 AS `Timestamp`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 4)
  select(*)

output Q3
  SELECT _start AS _ts, w0 AS `Id`, w4 AS `count`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 5)
  select(*)

output Q4
  SELECT _start AS _ts, w0 AS `Id`, w2 AS `avg`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 6)
  select(*)

output Q4_on_view
  SELECT _start AS _ts, w0 AS `Id`, w2 AS `avg`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 6)
  select(*)

== to an end, later batch
<arrived 0>
  (SELECT _moment AS _start, _moment + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3, w4
    FROM tailrace_rows
    WHERE NOT _moment <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

== to an end, large batch
<arrived 0>
  (SELECT _moment AS _start, _moment + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3, w4
    FROM tailrace_rows
    WHERE NOT _moment <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

output Q1a
  SELECT _start AS _ts, w0 AS `Id`, w1 AS `Species`, w2 AS `BTemp`, w3 AS `BloodP`, w4 AS `Timestamp`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 0 AND _start <= 500)
  select(*)

output Q1b
  SELECT _start AS _ts, w0 AS `Id`, w1 AS `Species`, w2 AS `BTemp`, w3 AS `BloodP`, w4 AS `Timestamp`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 1 AND _start <= 500)
  select(*)

output Q1c
  SELECT _start AS _ts, w0 AS `Id`, w1 AS `Species`, w2 AS `BTemp`, w3 AS `BloodP`, w4 AS `Timestamp`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 2 AND _start <= 500)
  select(*)

output Q2
  SELECT _start AS _ts, w0 AS `Id`, w1 AS `Species`, w2 AS `BTemp`, w3 AS `BloodP`, w4 AS `Timestamp`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 3 AND _start <= 500)
  select(*)

output Q2_ten_minutes
  SELECT _start AS _ts, w0 AS `Id`, w1 AS `Species`, w2 AS `BTemp`, w3 AS `BloodP`, w4 AS `Timestamp`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 4 AND _start <= 500)
  select(*)

output Q3
  SELECT _start AS _ts, w0 AS `Id`, w4 AS `count`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 5 AND _start <= 500)
  select(*)

output Q4
  SELECT _start AS _ts, w0 AS `Id`, w2 AS `avg`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 6 AND _start <= 500)
  select(*)

output Q4_on_view
  SELECT _start AS _ts, w0 AS `Id`, w2 AS `avg`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 6 AND _start <= 500)
  select(*)
