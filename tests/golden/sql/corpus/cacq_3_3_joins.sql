== to an end, first batch
rows Light
  rows of Light
  selectExpr(0 AS _source, unix_micros(CAST(`time` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`location` AS INT) AS w0, CAST(`value` AS DOUBLE) AS w1)

rows Temperature
  rows of Temperature
  selectExpr(1 AS _source, unix_micros(CAST(`time` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`location` AS INT) AS w0, CAST(`value` AS DOUBLE) AS w1)

rows Sound
  rows of Sound
  selectExpr(2 AS _source, unix_micros(CAST(`time` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`location` AS INT) AS w0, CAST(`value` AS DOUBLE) AS w1)

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
  (SELECT _moment AS _start, _moment + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1
    FROM tailrace_rows
    WHERE NOT _moment <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 WHEN 2 THEN 2 END AS _port, _start, w0 AS w0, w1 AS w1, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1) OR (_source = 2)
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output three_way
  SELECT _start AS _ts, w0 AS `location`, w1 AS `light`, w2 AS `temperature`, w3 AS `noise`
    FROM tailrace_stage_0_0

output two_way
  SELECT _start AS _ts, w0 AS `location`, w1 AS `light`, w2 AS `temperature`
    FROM tailrace_stage_0_1

output two_way_smaller
  SELECT _start AS _ts, w0 AS `location`, w1 AS `light`, w2 AS `temperature`
    FROM tailrace_stage_0_2

== to an end, later batch
<arrived 0>
  (SELECT _moment AS _start, _moment + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1
    FROM tailrace_rows
    WHERE NOT _moment <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

== to an end, large batch
<arrived 0>
  (SELECT _moment AS _start, _moment + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1
    FROM tailrace_rows
    WHERE NOT _moment <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

output three_way
  SELECT _start AS _ts, w0 AS `location`, w1 AS `light`, w2 AS `temperature`, w3 AS `noise`
    FROM (SELECT *
    FROM tailrace_stage_0_0
    WHERE _start <= 500)

output two_way
  SELECT _start AS _ts, w0 AS `location`, w1 AS `light`, w2 AS `temperature`
    FROM (SELECT *
    FROM tailrace_stage_0_1
    WHERE _start <= 500)

output two_way_smaller
  SELECT _start AS _ts, w0 AS `location`, w1 AS `light`, w2 AS `temperature`
    FROM (SELECT *
    FROM tailrace_stage_0_2
    WHERE _start <= 500)
