== to an end, first batch
rows PosSpeedStr
  rows of PosSpeedStr
  selectExpr(0 AS _source, unix_micros(CAST(`timestamp` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`timestamp` AS BIGINT) AS w0)

asked
  count(1) AS rows
  min(IF(_unreadable IS NULL, _moment, NULL)) AS first0
  max(IF(_unreadable IS NULL, _moment, NULL)) AS last0
  count(IF(_unreadable IS NULL, _moment, NULL)) AS timed0

<arrived 0>
  (SELECT _moment AS _start, _moment + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0
    FROM tailrace_rows
    WHERE NOT _moment <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view messages for stage 1
  SELECT _start, w0 AS w0, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM <arrived 0>
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output report_delay
  SELECT _start AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `c1`
    FROM tailrace_stage_0_0

== to an end, later batch
<arrived 0>
  (SELECT _moment AS _start, _moment + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0
    FROM tailrace_rows
    WHERE NOT _moment <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

== to an end, large batch
<arrived 0>
  (SELECT _moment AS _start, _moment + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0
    FROM tailrace_rows
    WHERE NOT _moment <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

output report_delay
  SELECT _start AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `c1`
    FROM (SELECT *
    FROM tailrace_stage_0_0
    WHERE _start <= 500)
