== to an end, first batch
rows Light
  rows of Light
  selectExpr(0 AS _source, unix_micros(CAST(`time` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _unreadable AS _unreadable, CAST(`location` AS INT) AS w0, CAST(`time` AS BIGINT) AS w1, CAST(`value` AS DOUBLE) AS w2)

rows Temperature
  rows of Temperature
  selectExpr(1 AS _source, unix_micros(CAST(`time` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _unreadable AS _unreadable, CAST(`location` AS INT) AS w0, CAST(`time` AS BIGINT) AS w1, CAST(`value` AS DOUBLE) AS w2)

rows Sound
  rows of Sound
  selectExpr(2 AS _source, unix_micros(CAST(`time` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _unreadable AS _unreadable, CAST(`location` AS INT) AS w0, CAST(`time` AS BIGINT) AS w1, CAST(`value` AS DOUBLE) AS w2)

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
  (SELECT _moment AS _start, _moment + 1L AS _until, 1L AS _weight, _source, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT _moment <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 WHEN 2 THEN 5 END AS _port, _start, CASE _source WHEN 0 THEN w0 WHEN 1 THEN CAST(NULL AS INT) WHEN 2 THEN w0 END AS w0, w1 AS w1, CASE _source WHEN 0 THEN w2 WHEN 1 THEN w2 WHEN 2 THEN CAST(NULL AS DOUBLE) END AS w2, CASE _source WHEN 0 THEN pmod(hash(w1), 4) WHEN 1 THEN pmod(hash(w1), 4) WHEN 2 THEN pmod(hash(w0), 4) END AS _shard
    FROM <arrived 0>
    WHERE (_source = 0 AND (w2 > 60.0D)) OR (_source = 1) OR (_source = 2 AND (w2 < 30.0D))
    UNION ALL SELECT CASE _source WHEN 0 THEN 2 WHEN 1 THEN 3 END AS _port, _start, w0 AS w0, w1 AS w1, CASE _source WHEN 0 THEN w2 WHEN 1 THEN CAST(NULL AS DOUBLE) END AS w2, CASE _source WHEN 0 THEN pmod(hash(w1), 4) WHEN 1 THEN pmod(hash(w0), 4) END AS _shard
    FROM <arrived 0>
    WHERE (_source = 0 AND (w2 > 80.0D)) OR (_source = 1 AND (w2 > 25.0D))
    UNION ALL SELECT 4 AS _port, _start, w0 AS w0, w1 AS w1, CAST(NULL AS DOUBLE) AS w2, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    WHERE w2 > 80.0D
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 2
  SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, w2 AS w2, pmod(hash(w0, w1, w2), 4) AS _shard
    FROM tailrace_stage_0_0
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, w2 AS w2, pmod(hash(w0, w1, w2), 4) AS _shard
    FROM tailrace_stage_0_1
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output lit
  SELECT _start AS _ts, w0 AS `location`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    WHERE w2 > 60.0D

output light_and_temperature_1
  SELECT _start AS _ts, w0 AS `location`, w1 AS `light`, w2 AS `temperature`
    FROM tailrace_stage_1_0

output light_and_temperature_2
  SELECT _start AS _ts, w0 AS `location`, w1 AS `light`, w2 AS `temperature`
    FROM tailrace_stage_1_1

output cold_office_12
  SELECT _start AS _ts, w0 AS `location`, w2 AS `value`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 1)
    WHERE w0 = 12 AND w2 < 19.5D

output cold_office_14
  SELECT _start AS _ts, w0 AS `location`, w2 AS `value`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 1)
    WHERE w0 = 14 AND w2 < 21.0D

output close_blinds
  SELECT _start AS _ts, w0 AS `location`
    FROM tailrace_stage_0_2

output open_windows
  SELECT _start AS _ts, w0 AS `location`
    FROM tailrace_stage_0_3

== to an end, later batch
<arrived 0>
  (SELECT _moment AS _start, _moment + 1L AS _until, 1L AS _weight, _source, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT _moment <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

== to an end, large batch
<arrived 0>
  (SELECT _moment AS _start, _moment + 1L AS _until, 1L AS _weight, _source, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT _moment <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

output lit
  SELECT _start AS _ts, w0 AS `location`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0 AND _start <= 500)
    WHERE w2 > 60.0D

output light_and_temperature_1
  SELECT _start AS _ts, w0 AS `location`, w1 AS `light`, w2 AS `temperature`
    FROM (SELECT *
    FROM tailrace_stage_1_0
    WHERE _start <= 500)

output light_and_temperature_2
  SELECT _start AS _ts, w0 AS `location`, w1 AS `light`, w2 AS `temperature`
    FROM (SELECT *
    FROM tailrace_stage_1_1
    WHERE _start <= 500)

output cold_office_12
  SELECT _start AS _ts, w0 AS `location`, w2 AS `value`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 1 AND _start <= 500)
    WHERE w0 = 12 AND w2 < 19.5D

output cold_office_14
  SELECT _start AS _ts, w0 AS `location`, w2 AS `value`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 1 AND _start <= 500)
    WHERE w0 = 14 AND w2 < 21.0D

output close_blinds
  SELECT _start AS _ts, w0 AS `location`
    FROM (SELECT *
    FROM tailrace_stage_0_2
    WHERE _start <= 500)

output open_windows
  SELECT _start AS _ts, w0 AS `location`
    FROM (SELECT *
    FROM tailrace_stage_0_3
    WHERE _start <= 500)
