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

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 2 END AS _port, _start, w0 AS w0, CASE _source WHEN 0 THEN w1 WHEN 1 THEN CAST(NULL AS STRING) END AS w1, CASE _source WHEN 0 THEN w2 WHEN 1 THEN CAST(NULL AS DOUBLE) END AS w2, CASE _source WHEN 0 THEN w3 WHEN 1 THEN CAST(NULL AS INT) END AS w3, CASE _source WHEN 0 THEN w4 WHEN 1 THEN CAST(NULL AS BIGINT) END AS w4, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1)
    UNION ALL SELECT 1 AS _port, _start, w0 AS w0, w1 AS w1, w2 AS w2, w3 AS w3, w4 AS w4, pmod(hash(w0), 4) AS _shard, _file, _block, _line
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output Q1a
  SELECT _start AS _ts, w0 AS `Id`, w1 AS `Species`, w2 AS `BTemp`, w3 AS `BloodP`, w4 AS `Timestamp`
    FROM tailrace_stage_0_0

output Q1b
  SELECT _start AS _ts, w0 AS `Id`, w1 AS `Species`, w2 AS `BTemp`, w3 AS `BloodP`, w4 AS `Timestamp`
    FROM tailrace_stage_0_1

output Q1c
  SELECT _start AS _ts, w0 AS `Id`, w1 AS `Species`, w2 AS `BTemp`, w3 AS `BloodP`, w4 AS `Timestamp`
    FROM tailrace_stage_0_2

output Q2
  SELECT _start AS _ts, w0 AS `Id`, w1 AS `Species`, w2 AS `BTemp`, w3 AS `BloodP`, w4 AS `Timestamp`
    FROM tailrace_stage_0_3

output Q2_ten_minutes
  SELECT _start AS _ts, w0 AS `Id`, w1 AS `Species`, w2 AS `BTemp`, w3 AS `BloodP`, w4 AS `Timestamp`
    FROM tailrace_stage_0_4

output Q3
  SELECT _start AS _ts, w0 AS `Id`, w1 AS `count`
    FROM tailrace_stage_0_5

output Q4
  SELECT _start AS _ts, w0 AS `Id`, w1 AS `avg`
    FROM tailrace_stage_0_6

output Q4_on_view
  SELECT _start AS _ts, w0 AS `Id`, w1 AS `avg`
    FROM tailrace_stage_0_6

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
    FROM tailrace_stage_0_0
    WHERE _start <= 500)

output Q1b
  SELECT _start AS _ts, w0 AS `Id`, w1 AS `Species`, w2 AS `BTemp`, w3 AS `BloodP`, w4 AS `Timestamp`
    FROM (SELECT *
    FROM tailrace_stage_0_1
    WHERE _start <= 500)

output Q1c
  SELECT _start AS _ts, w0 AS `Id`, w1 AS `Species`, w2 AS `BTemp`, w3 AS `BloodP`, w4 AS `Timestamp`
    FROM (SELECT *
    FROM tailrace_stage_0_2
    WHERE _start <= 500)

output Q2
  SELECT _start AS _ts, w0 AS `Id`, w1 AS `Species`, w2 AS `BTemp`, w3 AS `BloodP`, w4 AS `Timestamp`
    FROM (SELECT *
    FROM tailrace_stage_0_3
    WHERE _start <= 500)

output Q2_ten_minutes
  SELECT _start AS _ts, w0 AS `Id`, w1 AS `Species`, w2 AS `BTemp`, w3 AS `BloodP`, w4 AS `Timestamp`
    FROM (SELECT *
    FROM tailrace_stage_0_4
    WHERE _start <= 500)

output Q3
  SELECT _start AS _ts, w0 AS `Id`, w1 AS `count`
    FROM (SELECT *
    FROM tailrace_stage_0_5
    WHERE _start <= 500)

output Q4
  SELECT _start AS _ts, w0 AS `Id`, w1 AS `avg`
    FROM (SELECT *
    FROM tailrace_stage_0_6
    WHERE _start <= 500)

output Q4_on_view
  SELECT _start AS _ts, w0 AS `Id`, w1 AS `avg`
    FROM (SELECT *
    FROM tailrace_stage_0_6
    WHERE _start <= 500)
