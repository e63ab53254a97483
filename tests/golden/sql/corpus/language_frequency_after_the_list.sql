== to an end, first batch
rows S
  rows of S
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`k` AS STRING) AS w0, CAST(`v` AS INT) AS w1)

asked
  count(1) AS rows
  min(IF(_unreadable IS NULL, _moment, NULL)) AS first0
  max(IF(_unreadable IS NULL, _moment, NULL)) AS last0
  count(IF(_unreadable IS NULL, _moment, NULL)) AS timed0

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view messages for stage 1
  SELECT 0 AS _port, _start, w0 AS w0, w1 AS w1, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM <arrived 0>
    UNION ALL SELECT 1 AS _port, _start, w0 AS w0, w1 AS w1, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM <arrived 0>
    WHERE w1 > 3
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output star
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_0

output qualified_star
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_1

output column_only
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_2

output no_blank
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_3

output before_alias
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `n`
    FROM tailrace_stage_0_4

output after_alias
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `n`
    FROM tailrace_stage_0_4

output before_bare_alias
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `n`
    FROM tailrace_stage_0_5

output after_bare_alias
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `n`
    FROM tailrace_stage_0_5

output expression
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `spread`
    FROM tailrace_stage_0_6

output case_expression
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `band`
    FROM tailrace_stage_0_7

output both_places
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_8

output own_line
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `s`
    FROM tailrace_stage_0_9

== to an end, later batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view messages for stage 1
  SELECT 0 AS _port, _start, w0 AS w0, w1 AS w1, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM <arrived 0>
    UNION ALL SELECT 1 AS _port, _start, w0 AS w0, w1 AS w1, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM (SELECT /*+ BROADCAST(_bounds) */ _rows.*
    FROM (SELECT *
    FROM <arrived 0>
    WHERE w1 > 3) AS _rows
    LEFT JOIN (SELECT max(_start) AS _bound
    FROM <arrived 0>
    WHERE w1 > 3
    GROUP BY greatest((_start + 59L) div 60L, 1L)) AS _bounds ON _start = _bound
    WHERE false OR _bound IS NOT NULL)
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output star
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_0
    WHERE _start <= 36000)

output qualified_star
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_1
    WHERE _start <= 36000)

output column_only
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_2
    WHERE _start <= 36000)

output no_blank
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_3
    WHERE _start <= 36000)

output before_alias
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_0_4
    WHERE _start <= 36000)

output after_alias
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_0_4
    WHERE _start <= 36000)

output before_bare_alias
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_0_5
    WHERE _start <= 36000)

output after_bare_alias
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_0_5
    WHERE _start <= 36000)

output expression
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `spread`
    FROM (SELECT *
    FROM tailrace_stage_0_6
    WHERE _start <= 36000)

output case_expression
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `band`
    FROM (SELECT *
    FROM tailrace_stage_0_7
    WHERE _start <= 36000)

output both_places
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_8
    WHERE _start <= 36000)

output own_line
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `s`
    FROM (SELECT *
    FROM tailrace_stage_0_9
    WHERE _start <= 36000)
