== to an end, first batch
rows A
  rows of A
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(`v` AS INT) AS w1, CAST(NULL AS STRING) AS w2)

rows B
  rows of B
  selectExpr(1 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(`w` AS INT) AS w1, CAST(NULL AS STRING) AS w2)

asked
  count(1) AS rows
  min(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS first0
  max(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS last0
  count(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS timed0
  min(IF(_source = 1 AND _unreadable IS NULL, _moment, NULL)) AS first1
  max(IF(_source = 1 AND _unreadable IS NULL, _moment, NULL)) AS last1
  count(IF(_source = 1 AND _unreadable IS NULL, _moment, NULL)) AS timed1

<arrived 2>
  (SELECT 0L AS _start, 0L + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2
    FROM tailrace_source_2
    WHERE true AND _unreadable IS NULL)

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view tailrace_source_2
  rows of Names
  selectExpr(2 AS _source, 0L AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, IF(`k` IS NULL, _unreadable, concat(_unreadable, '')) AS _unreadable, CAST(`k` AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(`name` AS STRING) AS w2)

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 1 WHEN 1 THEN 2 END AS _port, _start, w0 AS w0, CAST(NULL AS BIGINT) AS w1, w1 AS w2, CAST(NULL AS STRING) AS w3, pmod(hash(w0), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1)
    UNION ALL SELECT 5 AS _port, _start, w0 AS w0, CAST(NULL AS BIGINT) AS w1, w1 AS w2, CAST(NULL AS STRING) AS w3, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    UNION ALL SELECT 0 AS _port, _start, p0 AS w0, p1 AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS STRING) AS w3, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT w0 AS p0, _start AS _life0, pmod(hash(w0), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    WHERE w1 > 3
    GROUP BY w0, _start, pmod(hash(w0), 4))
    UNION ALL SELECT 3 AS _port, _start, w0 AS w0, CAST(NULL AS BIGINT) AS w1, CAST(NULL AS INT) AS w2, w2 AS w3, pmod(hash(w0), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 2>
    UNION ALL SELECT 4 AS _port, _start, p0 AS w0, p1 AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS STRING) AS w3, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT w0 AS p0, _start AS _life0, pmod(hash(w0), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    GROUP BY w0, _start, pmod(hash(w0), 4))
    UNION ALL SELECT 6 AS _port, _start, CAST(NULL AS INT) AS w0, p0 AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS STRING) AS w3, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT _start AS _life0, CAST(0 AS INT) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p0
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    GROUP BY _start, CAST(0 AS INT))
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 2
  SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, w2 AS w2, CAST(NULL AS STRING) AS w3, CAST(0 AS INT) AS _shard
    FROM tailrace_stage_0_0
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, w0 AS w3, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_1
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS STRING) AS w3, CAST(0 AS INT) AS _shard
    FROM tailrace_stage_0_2
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output of_filter
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `n`
    FROM tailrace_stage_0_3

output of_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`, w2 AS `w`
    FROM tailrace_stage_1_0

output of_union
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM tailrace_stage_0_4

output of_static_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `name`
    FROM tailrace_stage_1_1

output of_istream
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `top`
    FROM tailrace_stage_0_5

output of_dstream
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM tailrace_stage_0_6

output of_rstream
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `area`
    FROM tailrace_stage_0_7

output of_istream_around
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `n`
    FROM tailrace_stage_1_2

output of_dstream_around
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `w`
    FROM tailrace_stage_0_8

output of_rstream_around
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `n`
    FROM tailrace_stage_0_9

output of_stream_without_window
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `entries`
    FROM tailrace_stage_0_10

== to an end, later batch
<arrived 2>
  is gone

view tailrace_source_2
  is gone

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 1 WHEN 1 THEN 2 END AS _port, _start, w0 AS w0, CAST(NULL AS BIGINT) AS w1, w1 AS w2, CAST(NULL AS STRING) AS w3, pmod(hash(w0), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1)
    UNION ALL SELECT 5 AS _port, _start, w0 AS w0, CAST(NULL AS BIGINT) AS w1, w1 AS w2, CAST(NULL AS STRING) AS w3, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    UNION ALL SELECT 0 AS _port, _start, p0 AS w0, p1 AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS STRING) AS w3, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT w0 AS p0, _start AS _life0, pmod(hash(w0), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    WHERE w1 > 3
    GROUP BY w0, _start, pmod(hash(w0), 4))
    UNION ALL SELECT 4 AS _port, _start, p0 AS w0, p1 AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS STRING) AS w3, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT w0 AS p0, _start AS _life0, pmod(hash(w0), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    GROUP BY w0, _start, pmod(hash(w0), 4))
    UNION ALL SELECT 6 AS _port, _start, CAST(NULL AS INT) AS w0, p0 AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS STRING) AS w3, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT _start AS _life0, CAST(0 AS INT) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p0
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    GROUP BY _start, CAST(0 AS INT))
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

output of_filter
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_0_3
    WHERE _start <= 36000)

output of_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`, w2 AS `w`
    FROM (SELECT *
    FROM tailrace_stage_1_0
    WHERE _start <= 36000)

output of_union
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0_4
    WHERE _start <= 36000)

output of_static_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `name`
    FROM (SELECT *
    FROM tailrace_stage_1_1
    WHERE _start <= 36000)

output of_istream
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `top`
    FROM (SELECT *
    FROM tailrace_stage_0_5
    WHERE _start <= 36000)

output of_dstream
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0_6
    WHERE _start <= 36000)

output of_rstream
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `area`
    FROM (SELECT *
    FROM tailrace_stage_0_7
    WHERE _start <= 36000)

output of_istream_around
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_1_2
    WHERE _start <= 36000)

output of_dstream_around
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `w`
    FROM (SELECT *
    FROM tailrace_stage_0_8
    WHERE _start <= 36000)

output of_rstream_around
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_0_9
    WHERE _start <= 36000)

output of_stream_without_window
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `entries`
    FROM (SELECT *
    FROM tailrace_stage_0_10
    WHERE _start <= 36000)
