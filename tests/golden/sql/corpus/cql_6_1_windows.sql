== to an end, first batch
rows PosSpeedStr
  rows of PosSpeedStr
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`vehicleId` AS INT) AS w0, CAST(`speed` AS INT) AS w1, CAST(`xPos` AS INT) AS w2, CAST(NULL AS STRING) AS w3)

rows S
  rows of S
  selectExpr(1 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`A1` AS INT) AS w0, CAST(`A2` AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(`A3` AS STRING) AS w3)

asked
  count(1) AS rows
  min(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS first0
  max(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS last0
  count(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS timed0
  min(IF(_source = 1 AND _unreadable IS NULL, _moment, NULL)) AS first1
  max(IF(_source = 1 AND _unreadable IS NULL, _moment, NULL)) AS last1
  count(IF(_source = 1 AND _unreadable IS NULL, _moment, NULL)) AS timed1

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 END AS _port, _start, w0 AS w0, w1 AS w1, CASE _source WHEN 0 THEN w2 WHEN 1 THEN CAST(NULL AS INT) END AS w2, CASE _source WHEN 0 THEN CAST(NULL AS STRING) WHEN 1 THEN w3 END AS w3, CASE _source WHEN 0 THEN pmod(hash(w0), 4) WHEN 1 THEN pmod(hash(w0, w1), 4) END AS _shard, _file, _block, _line
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1)
    UNION ALL SELECT CASE _source WHEN 0 THEN 2 WHEN 1 THEN 3 END AS _port, _start, w0 AS w0, w1 AS w1, CASE _source WHEN 0 THEN w2 WHEN 1 THEN CAST(NULL AS INT) END AS w2, CASE _source WHEN 0 THEN CAST(NULL AS STRING) WHEN 1 THEN w3 END AS w3, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1)
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output example_5_range
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `vehicleId`, w1 AS `speed`, w2 AS `xPos`
    FROM tailrace_stage_0_0

output example_5_now
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `vehicleId`, w1 AS `speed`, w2 AS `xPos`
    FROM tailrace_stage_0_1

output example_5_unbounded
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `vehicleId`, w1 AS `speed`, w2 AS `xPos`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)

output time_based
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `A1`, w1 AS `A2`, w2 AS `A3`
    FROM tailrace_stage_0_2

output now_window
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `A1`, w1 AS `A2`, w2 AS `A3`
    FROM tailrace_stage_0_3

output unbounded_window
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `A1`, w1 AS `A2`, w3 AS `A3`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 1)

output example_6
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `vehicleId`, w1 AS `speed`, w2 AS `xPos`
    FROM tailrace_stage_0_4

output tuple_based
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `A1`, w1 AS `A2`, w2 AS `A3`
    FROM tailrace_stage_0_5

output tuple_based_unbounded
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `A1`, w1 AS `A2`, w3 AS `A3`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 1)

output example_7
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `vehicleId`, w1 AS `speed`, w2 AS `xPos`
    FROM tailrace_stage_0_6

output partitioned
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `A1`, w1 AS `A2`, w2 AS `A3`
    FROM tailrace_stage_0_7

output example_8
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `vehicleId`, w1 AS `speed`, w2 AS `xPos`
    FROM tailrace_stage_0_8

output time_based_slide
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `A1`, w1 AS `A2`, w2 AS `A3`
    FROM tailrace_stage_0_9

output time_based_slide_one
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `A1`, w1 AS `A2`, w2 AS `A3`
    FROM tailrace_stage_0_10

output tuple_based_slide
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `A1`, w1 AS `A2`, w2 AS `A3`
    FROM tailrace_stage_0_11

output partitioned_slide
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `A1`, w1 AS `A2`, w2 AS `A3`
    FROM tailrace_stage_0_12

== to an end, later batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

output example_5_range
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `vehicleId`, w1 AS `speed`, w2 AS `xPos`
    FROM (SELECT *
    FROM tailrace_stage_0_0
    WHERE _start <= 36000)

output example_5_now
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `vehicleId`, w1 AS `speed`, w2 AS `xPos`
    FROM (SELECT *
    FROM tailrace_stage_0_1
    WHERE _start <= 36000)

output example_5_unbounded
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `vehicleId`, w1 AS `speed`, w2 AS `xPos`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0 AND _start <= 36000)

output time_based
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `A1`, w1 AS `A2`, w2 AS `A3`
    FROM (SELECT *
    FROM tailrace_stage_0_2
    WHERE _start <= 36000)

output now_window
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `A1`, w1 AS `A2`, w2 AS `A3`
    FROM (SELECT *
    FROM tailrace_stage_0_3
    WHERE _start <= 36000)

output unbounded_window
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `A1`, w1 AS `A2`, w3 AS `A3`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 1 AND _start <= 36000)

output example_6
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `vehicleId`, w1 AS `speed`, w2 AS `xPos`
    FROM (SELECT *
    FROM tailrace_stage_0_4
    WHERE _start <= 36000)

output tuple_based
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `A1`, w1 AS `A2`, w2 AS `A3`
    FROM (SELECT *
    FROM tailrace_stage_0_5
    WHERE _start <= 36000)

output tuple_based_unbounded
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `A1`, w1 AS `A2`, w3 AS `A3`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 1 AND _start <= 36000)

output example_7
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `vehicleId`, w1 AS `speed`, w2 AS `xPos`
    FROM (SELECT *
    FROM tailrace_stage_0_6
    WHERE _start <= 36000)

output partitioned
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `A1`, w1 AS `A2`, w2 AS `A3`
    FROM (SELECT *
    FROM tailrace_stage_0_7
    WHERE _start <= 36000)

output example_8
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `vehicleId`, w1 AS `speed`, w2 AS `xPos`
    FROM (SELECT *
    FROM tailrace_stage_0_8
    WHERE _start <= 36000)

output time_based_slide
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `A1`, w1 AS `A2`, w2 AS `A3`
    FROM (SELECT *
    FROM tailrace_stage_0_9
    WHERE _start <= 36000)

output time_based_slide_one
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `A1`, w1 AS `A2`, w2 AS `A3`
    FROM (SELECT *
    FROM tailrace_stage_0_10
    WHERE _start <= 36000)

output tuple_based_slide
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `A1`, w1 AS `A2`, w2 AS `A3`
    FROM (SELECT *
    FROM tailrace_stage_0_11
    WHERE _start <= 36000)

output partitioned_slide
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `A1`, w1 AS `A2`, w2 AS `A3`
    FROM (SELECT *
    FROM tailrace_stage_0_12
    WHERE _start <= 36000)
