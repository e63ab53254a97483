== to an end, first batch
rows S
  rows of S
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`k` AS STRING) AS w0, CAST(`v` AS INT) AS w1, CAST(NULL AS STRING) AS w2)

asked
  count(1) AS rows
  min(IF(_unreadable IS NULL, _moment, NULL)) AS first0
  max(IF(_unreadable IS NULL, _moment, NULL)) AS last0
  count(IF(_unreadable IS NULL, _moment, NULL)) AS timed0

<arrived 1>
  (SELECT 0L AS _start, 0L + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2
    FROM tailrace_source_1
    WHERE true AND _unreadable IS NULL)

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view tailrace_source_1
  rows of Names
  selectExpr(1 AS _source, 0L AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, IF(`k` IS NULL, _unreadable, concat(_unreadable, '')) AS _unreadable, CAST(`k` AS STRING) AS w0, CAST(NULL AS INT) AS w1, CAST(`name` AS STRING) AS w2)

view messages for stage 1
  SELECT 0 AS _port, _start, w0 AS w0, w1 AS w1, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM <arrived 0>
    UNION ALL SELECT 1 AS _port, _start, w0 AS w0, w1 AS w1, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM <arrived 0>
    WHERE w1 > 0
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 2
  SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_0
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS BIGINT) AS w1, w2 AS w2, pmod(hash(w0), 4) AS _shard
    FROM <arrived 1>
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 3
  SELECT _start, _until, _weight, w0 AS w0, w1 AS w1, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_1_0
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output two_deep
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `a`
    FROM tailrace_stage_0_1

output sample_of_sample
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_2

output three_deep
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `top`
    FROM tailrace_stage_0_3

output over_stream_view
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `s`
    FROM tailrace_stage_0_4

output over_sequence_view
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `avg`
    FROM tailrace_stage_0_5

output time_window_on_it
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `top`
    FROM tailrace_stage_0_6

output joined_with_names
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `name`, w1 AS `rate`
    FROM tailrace_stage_2_0

== to an end, later batch
<arrived 1>
  is gone

view tailrace_source_1
  is gone

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view messages for stage 2
  SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_0
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

output two_deep
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `a`
    FROM (SELECT *
    FROM tailrace_stage_0_1
    WHERE _start <= 36000)

output sample_of_sample
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_2
    WHERE _start <= 36000)

output three_deep
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `top`
    FROM (SELECT *
    FROM tailrace_stage_0_3
    WHERE _start <= 36000)

output over_stream_view
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `s`
    FROM (SELECT *
    FROM tailrace_stage_0_4
    WHERE _start <= 36000)

output over_sequence_view
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `avg`
    FROM (SELECT *
    FROM tailrace_stage_0_5
    WHERE _start <= 36000)

output time_window_on_it
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `top`
    FROM (SELECT *
    FROM tailrace_stage_0_6
    WHERE _start <= 36000)

output joined_with_names
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `name`, w1 AS `rate`
    FROM (SELECT *
    FROM tailrace_stage_2_0
    WHERE _start <= 36000)
