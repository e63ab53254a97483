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

view tailrace_stage_0
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS INT) AS w0, CAST(NULL AS DOUBLE) AS w1, CAST(id AS INT) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM range(0, 1, 1, 1)
    UNION ALL SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 WHEN 2 THEN 2 END AS _port, _start, w0 AS w0, w1 AS w1, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1) OR (_source = 2)
  repartition(1)
  sortWithinPartitions(_start, _file, _block, _line)
  drop(_shard, _file, _block, _line)
  mapInArrow(…, struct<_port:int,_start:bigint,w0:int,w1:double,w2:double,w3:double>)

output three_way
  SELECT _start AS _ts, w0 AS `location`, w1 AS `light`, w2 AS `temperature`, w3 AS `noise`
    FROM (SELECT *
    FROM (SELECT *, _start + 1L AS _until, 1L AS _weight
    FROM tailrace_stage_0)
    WHERE _port = 0)
  select(*)

output two_way
  SELECT _start AS _ts, w0 AS `location`, w1 AS `light`, w2 AS `temperature`
    FROM (SELECT *
    FROM (SELECT *, _start + 1L AS _until, 1L AS _weight
    FROM tailrace_stage_0)
    WHERE _port = 1)
  select(*)

output two_way_smaller
  SELECT _start AS _ts, w0 AS `location`, w1 AS `light`, w2 AS `temperature`
    FROM (SELECT *
    FROM (SELECT *, _start + 1L AS _until, 1L AS _weight
    FROM tailrace_stage_0)
    WHERE _port = 2)
  select(*)

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
    FROM (SELECT *, _start + 1L AS _until, 1L AS _weight
    FROM tailrace_stage_0)
    WHERE _port = 0 AND _start <= 500)
  select(*)

output two_way
  SELECT _start AS _ts, w0 AS `location`, w1 AS `light`, w2 AS `temperature`
    FROM (SELECT *
    FROM (SELECT *, _start + 1L AS _until, 1L AS _weight
    FROM tailrace_stage_0)
    WHERE _port = 1 AND _start <= 500)
  select(*)

output two_way_smaller
  SELECT _start AS _ts, w0 AS `location`, w1 AS `light`, w2 AS `temperature`
    FROM (SELECT *
    FROM (SELECT *, _start + 1L AS _until, 1L AS _weight
    FROM tailrace_stage_0)
    WHERE _port = 2 AND _start <= 500)
  select(*)
