== to an end, first batch
rows growing
  rows of growing
  selectExpr(1 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, 1L AS _weight, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(NULL AS STRING) AS w1, CAST(`v` AS INT) AS w2, CAST(NULL AS INT) AS w3)

rows with_ops
  rows of with_ops
  selectExpr(2 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, CASE trim(`op`) WHEN '+' THEN 1L WHEN '-' THEN -1L END AS _weight, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(NULL AS STRING) AS w1, CAST(`v` AS INT) AS w2, CAST(NULL AS INT) AS w3)

rows upserted
  rows of upserted
  selectExpr(3 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, 1L AS _weight, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(NULL AS STRING) AS w1, CAST(`v` AS INT) AS w2, CAST(NULL AS INT) AS w3)

rows upserted_by_two
  rows of upserted_by_two
  selectExpr(4 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, 1L AS _weight, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`a` AS INT) AS w0, CAST(NULL AS STRING) AS w1, CAST(`b` AS INT) AS w2, CAST(`v` AS INT) AS w3)

rows ops_and_key
  rows of ops_and_key
  selectExpr(5 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, CASE trim(`change`) WHEN '+' THEN 1L WHEN '-' THEN -1L END AS _weight, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(NULL AS STRING) AS w1, CAST(`v` AS INT) AS w2, CAST(NULL AS INT) AS w3)

rows S
  rows of S
  selectExpr(7 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, 1L AS _weight, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(NULL AS STRING) AS w1, CAST(`v` AS INT) AS w2, CAST(NULL AS INT) AS w3)

asked
  count(1) AS rows
  min(IF(_source = 1 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS first1
  max(IF(_source = 1 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS last1
  count(IF(_source = 1 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS timed1
  min(IF(_source = 2 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS first2
  max(IF(_source = 2 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS last2
  count(IF(_source = 2 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS timed2
  min(IF(_source = 3 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS first3
  max(IF(_source = 3 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS last3
  count(IF(_source = 3 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS timed3
  min(IF(_source = 4 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS first4
  max(IF(_source = 4 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS last4
  count(IF(_source = 4 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS timed4
  min(IF(_source = 5 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS first5
  max(IF(_source = 5 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS last5
  count(IF(_source = 5 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS timed5
  min(IF(_source = 7 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS first7
  max(IF(_source = 7 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS last7
  count(IF(_source = 7 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS timed7

<arrived 8>
  (SELECT 0L AS _start, 0L + 1L AS _until, _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3
    FROM tailrace_source_8
    WHERE true AND _weight IS NOT NULL AND _unreadable IS NULL)

<arrived 6>
  (SELECT 0L AS _start, 0L + 1L AS _until, _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3
    FROM tailrace_source_6
    WHERE true AND _weight IS NOT NULL AND _unreadable IS NULL)

<arrived 0>
  (SELECT 0L AS _start, 0L + 1L AS _until, _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3
    FROM tailrace_source_0
    WHERE true AND _weight IS NOT NULL AND _unreadable IS NULL)

<arrived 1>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _weight IS NOT NULL AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view tailrace_source_0
  rows of static_table
  selectExpr(0 AS _source, 0L AS _moment, 1L AS _weight, _metadata.file_path AS _file, _metadata.file_block_start AS _block, IF(`k` IS NULL, _unreadable, concat(_unreadable, '')) AS _unreadable, CAST(`k` AS INT) AS w0, CAST(`name` AS STRING) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS INT) AS w3)

view tailrace_source_6
  rows of static_keyed
  selectExpr(6 AS _source, 0L AS _moment, 1L AS _weight, _metadata.file_path AS _file, _metadata.file_block_start AS _block, CAST(NULL AS STRING) AS _unreadable, CAST(`k` AS INT) AS w0, CAST(`name` AS STRING) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS INT) AS w3)

view tailrace_source_8
  rows of fed
  selectExpr(8 AS _source, 0L AS _moment, 1L AS _weight, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS STRING) AS _unreadable, CAST(`k` AS INT) AS w0, CAST(NULL AS STRING) AS w1, CAST(`v` AS INT) AS w2, CAST(NULL AS INT) AS w3)

view messages for stage 1
  SELECT CASE _source WHEN 1 THEN 1 WHEN 2 THEN 2 WHEN 3 THEN 3 WHEN 4 THEN 4 WHEN 5 THEN 5 WHEN 7 THEN 7 END AS _port, _start, _until, _weight, CAST(NULL AS STRING) AS w0, w0 AS w1, w2 AS w2, CASE _source WHEN 1 THEN CAST(NULL AS INT) WHEN 2 THEN CAST(NULL AS INT) WHEN 3 THEN CAST(NULL AS INT) WHEN 4 THEN w3 WHEN 5 THEN CAST(NULL AS INT) WHEN 7 THEN CAST(NULL AS INT) END AS w3, CASE _source WHEN 1 THEN pmod(hash(w0), 4) WHEN 2 THEN pmod(hash(w0), 4) WHEN 3 THEN pmod(hash(w0), 4) WHEN 4 THEN pmod(hash(w0), 4) WHEN 5 THEN pmod(hash(w0, w2), 4) WHEN 7 THEN pmod(hash(w0), 4) END AS _shard, CASE _source WHEN 1 THEN CAST(NULL AS STRING) WHEN 2 THEN CAST(NULL AS STRING) WHEN 3 THEN _file WHEN 4 THEN _file WHEN 5 THEN CAST(NULL AS STRING) WHEN 7 THEN CAST(NULL AS STRING) END AS _file, CASE _source WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 2 THEN CAST(NULL AS BIGINT) WHEN 3 THEN _block WHEN 4 THEN _block WHEN 5 THEN CAST(NULL AS BIGINT) WHEN 7 THEN CAST(NULL AS BIGINT) END AS _block, CASE _source WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 2 THEN CAST(NULL AS BIGINT) WHEN 3 THEN _line WHEN 4 THEN _line WHEN 5 THEN CAST(NULL AS BIGINT) WHEN 7 THEN CAST(NULL AS BIGINT) END AS _line
    FROM <arrived 1>
    WHERE (_source = 1 AND (w2 > 1)) OR (_source = 2) OR (_source = 3) OR (_source = 4) OR (_source = 5) OR (_source = 7)
    UNION ALL SELECT 8 AS _port, _start, _until, _weight, CAST(NULL AS STRING) AS w0, w0 AS w1, w2 AS w2, CAST(NULL AS INT) AS w3, pmod(hash(w0), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT *
    FROM <arrived 1>
    WHERE _source = 1)
    UNION ALL SELECT 0 AS _port, _start, _until, _weight, w1 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS INT) AS w3, pmod(hash(w1), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    WHERE w0 < 10
    UNION ALL SELECT 6 AS _port, _start, _until, _weight, w1 AS w0, w0 AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS INT) AS w3, pmod(hash(w0), 4) AS _shard, _file, _block, _line
    FROM <arrived 6>
    UNION ALL SELECT 9 AS _port, _start, _until, _weight, CAST(NULL AS STRING) AS w0, w0 AS w1, w2 AS w2, CAST(NULL AS INT) AS w3, pmod(hash(w0), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 8>
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 2
  SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS INT) AS w4, CAST(0 AS INT) AS _shard
    FROM tailrace_stage_0_0
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, w2 AS w2, w3 AS w3, w4 AS w4, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_1
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS INT) AS w4, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_2
    UNION ALL SELECT 3 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS INT) AS w4, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_3
    UNION ALL SELECT 4 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, w2 AS w2, w3 AS w3, w4 AS w4, pmod(hash(w1, w2, w3, w4), 4) AS _shard
    FROM tailrace_stage_0_1
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 3
  SELECT _start, _until, _weight, w0 AS w0, w1 AS w1, w2 AS w2, w3 AS w3, w4 AS w4, pmod(hash(w0, w1, w2, w3, w4), 4) AS _shard
    FROM tailrace_stage_1_0
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output of_static
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `name`
    FROM tailrace_stage_0_4

output of_growing
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_5

output of_ops
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `n`
    FROM tailrace_stage_0_6

output of_upserted
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `total`
    FROM tailrace_stage_1_1

output of_two
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `a`, w1 AS `top`
    FROM tailrace_stage_0_7

output changes
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_8

output everything_joined
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `v`, w1 AS `name`, w2 AS `gv`, w3 AS `ov`, w4 AS `uv`
    FROM tailrace_stage_2_0

output difference
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_9

== to an end, later batch
<arrived 8>
  is gone

<arrived 6>
  is gone

<arrived 0>
  is gone

view tailrace_source_0
  is gone

view tailrace_source_6
  is gone

view tailrace_source_8
  is gone

<arrived 1>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _weight IS NOT NULL AND _unreadable IS NULL)

view messages for stage 1
  SELECT CASE _source WHEN 1 THEN 1 WHEN 2 THEN 2 WHEN 3 THEN 3 WHEN 4 THEN 4 WHEN 5 THEN 5 WHEN 7 THEN 7 END AS _port, _start, _until, _weight, CAST(NULL AS STRING) AS w0, w0 AS w1, w2 AS w2, CASE _source WHEN 1 THEN CAST(NULL AS INT) WHEN 2 THEN CAST(NULL AS INT) WHEN 3 THEN CAST(NULL AS INT) WHEN 4 THEN w3 WHEN 5 THEN CAST(NULL AS INT) WHEN 7 THEN CAST(NULL AS INT) END AS w3, CASE _source WHEN 1 THEN pmod(hash(w0), 4) WHEN 2 THEN pmod(hash(w0), 4) WHEN 3 THEN pmod(hash(w0), 4) WHEN 4 THEN pmod(hash(w0), 4) WHEN 5 THEN pmod(hash(w0, w2), 4) WHEN 7 THEN pmod(hash(w0), 4) END AS _shard, CASE _source WHEN 1 THEN CAST(NULL AS STRING) WHEN 2 THEN CAST(NULL AS STRING) WHEN 3 THEN _file WHEN 4 THEN _file WHEN 5 THEN CAST(NULL AS STRING) WHEN 7 THEN CAST(NULL AS STRING) END AS _file, CASE _source WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 2 THEN CAST(NULL AS BIGINT) WHEN 3 THEN _block WHEN 4 THEN _block WHEN 5 THEN CAST(NULL AS BIGINT) WHEN 7 THEN CAST(NULL AS BIGINT) END AS _block, CASE _source WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 2 THEN CAST(NULL AS BIGINT) WHEN 3 THEN _line WHEN 4 THEN _line WHEN 5 THEN CAST(NULL AS BIGINT) WHEN 7 THEN CAST(NULL AS BIGINT) END AS _line
    FROM <arrived 1>
    WHERE (_source = 1 AND (w2 > 1)) OR (_source = 2) OR (_source = 3) OR (_source = 4) OR (_source = 5) OR (_source = 7)
    UNION ALL SELECT 8 AS _port, _start, _until, _weight, CAST(NULL AS STRING) AS w0, w0 AS w1, w2 AS w2, CAST(NULL AS INT) AS w3, pmod(hash(w0), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT *
    FROM <arrived 1>
    WHERE _source = 1)
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

== to an end, large batch
<arrived 1>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _weight IS NOT NULL AND _unreadable IS NULL)

output of_static
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `name`
    FROM (SELECT *
    FROM tailrace_stage_0_4
    WHERE _start <= 36000)

output of_growing
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_5
    WHERE _start <= 36000)

output of_ops
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_0_6
    WHERE _start <= 36000)

output of_upserted
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `total`
    FROM (SELECT *
    FROM tailrace_stage_1_1
    WHERE _start <= 36000)

output of_two
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `a`, w1 AS `top`
    FROM (SELECT *
    FROM tailrace_stage_0_7
    WHERE _start <= 36000)

output changes
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_8
    WHERE _start <= 36000)

output everything_joined
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `v`, w1 AS `name`, w2 AS `gv`, w3 AS `ov`, w4 AS `uv`
    FROM (SELECT *
    FROM tailrace_stage_2_0
    WHERE _start <= 36000)

output difference
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_9
    WHERE _start <= 36000)
