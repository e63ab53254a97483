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
    UNION ALL SELECT 2 AS _port, _start, w0 AS w0, w1 AS w1, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM <arrived 0>
    UNION ALL SELECT 3 AS _port, _start, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM <arrived 0>
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output sample_tuples
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_0

output sample_one
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`
    FROM <arrived 0>

output sample_seconds
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_1

output sample_minute
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `d`
    FROM tailrace_stage_0_2

output sample_days
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`
    FROM tailrace_stage_0_3

output moving
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `a`, w1 AS `n`
    FROM tailrace_stage_0_4

output moving_one
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `v`
    FROM <arrived 0>

output tuples_tuples
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `s`
    FROM tailrace_stage_0_5

output time_tuples
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `n`
    FROM tailrace_stage_0_6

output tuples_time
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `s`
    FROM tailrace_stage_0_7

output time_time
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `m`
    FROM tailrace_stage_0_8

output frequency_first
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `s`
    FROM tailrace_stage_0_7

output frequency_first_tight
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `s`
    FROM tailrace_stage_0_9

output frequency_first_time
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `n`
    FROM tailrace_stage_0_10

output alias_after
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`
    FROM tailrace_stage_0_11

output alias_before
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`
    FROM tailrace_stage_0_12

output filtered_groups
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `n`, w2 AS `a`
    FROM tailrace_stage_0_13

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
    FROM <arrived 0>) AS _rows
    LEFT JOIN (SELECT max(_start) AS _bound
    FROM <arrived 0>
    GROUP BY greatest((_start + 19L) div 20L, 1L)) AS _bounds ON _start = _bound
    WHERE false OR _bound IS NOT NULL)
    UNION ALL SELECT 2 AS _port, _start, w0 AS w0, w1 AS w1, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM (SELECT /*+ BROADCAST(_bounds) */ _rows.*
    FROM (SELECT *
    FROM <arrived 0>) AS _rows
    LEFT JOIN (SELECT max(_start) AS _bound
    FROM <arrived 0>
    GROUP BY greatest((_start + 59L) div 60L, 1L)) AS _bounds ON _start = _bound
    WHERE false OR _bound IS NOT NULL)
    UNION ALL SELECT 3 AS _port, _start, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM (SELECT /*+ BROADCAST(_bounds) */ _rows.*
    FROM (SELECT *
    FROM <arrived 0>) AS _rows
    LEFT JOIN (SELECT max(_start) AS _bound
    FROM <arrived 0>
    GROUP BY greatest((_start + 172799L) div 172800L, 1L)) AS _bounds ON _start = _bound
    WHERE false OR _bound IS NOT NULL)
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output sample_tuples
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_0
    WHERE _start <= 36000)

output sample_one
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _start <= 36000)

output sample_seconds
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_1
    WHERE _start <= 36000)

output sample_minute
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `d`
    FROM (SELECT *
    FROM tailrace_stage_0_2
    WHERE _start <= 36000)

output sample_days
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0_3
    WHERE _start <= 36000)

output moving
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `a`, w1 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_0_4
    WHERE _start <= 36000)

output moving_one
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _start <= 36000)

output tuples_tuples
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `s`
    FROM (SELECT *
    FROM tailrace_stage_0_5
    WHERE _start <= 36000)

output time_tuples
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_0_6
    WHERE _start <= 36000)

output tuples_time
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `s`
    FROM (SELECT *
    FROM tailrace_stage_0_7
    WHERE _start <= 36000)

output time_time
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `m`
    FROM (SELECT *
    FROM tailrace_stage_0_8
    WHERE _start <= 36000)

output frequency_first
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `s`
    FROM (SELECT *
    FROM tailrace_stage_0_7
    WHERE _start <= 36000)

output frequency_first_tight
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `s`
    FROM (SELECT *
    FROM tailrace_stage_0_9
    WHERE _start <= 36000)

output frequency_first_time
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_0_10
    WHERE _start <= 36000)

output alias_after
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0_11
    WHERE _start <= 36000)

output alias_before
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0_12
    WHERE _start <= 36000)

output filtered_groups
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `n`, w2 AS `a`
    FROM (SELECT *
    FROM tailrace_stage_0_13
    WHERE _start <= 36000)
