== to an end, first batch
rows B
  rows of B
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(`w` AS INT) AS w1)

rows A
  rows of A
  selectExpr(1 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(`v` AS INT) AS w1)

asked
  count(1) AS rows
  min(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS first0
  max(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS last0
  count(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS timed0
  min(IF(_source = 1 AND _unreadable IS NULL, _moment, NULL)) AS first1
  max(IF(_source = 1 AND _unreadable IS NULL, _moment, NULL)) AS last1
  count(IF(_source = 1 AND _unreadable IS NULL, _moment, NULL)) AS timed1

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view messages for stage 1
  SELECT 1 AS _port, _start, CAST(NULL AS BIGINT) AS w0, CAST(NULL AS BIGINT) AS w1, CAST(NULL AS BIGINT) AS w2, w0 AS w3, w1 AS w4, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 1)
    UNION ALL SELECT 2 AS _port, _start, CAST(NULL AS BIGINT) AS w0, CAST(NULL AS BIGINT) AS w1, CAST(NULL AS BIGINT) AS w2, w0 AS w3, w1 AS w4, pmod(hash(w0), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 1)
    UNION ALL SELECT 0 AS _port, _start, p0 AS w0, p1 AS w1, p2 AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS INT) AS w4, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT _start AS _life0, CAST(0 AS INT) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p0, CAST(count(w1) AS BIGINT) AS p1, CAST(sum(w1) AS BIGINT) AS p2
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    GROUP BY _start, CAST(0 AS INT))
    UNION ALL SELECT 3 AS _port, _start, p0 AS w0, CAST(NULL AS BIGINT) AS w1, CAST(NULL AS BIGINT) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS INT) AS w4, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT _start AS _life0, CAST(0 AS INT) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p0
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    GROUP BY _start, CAST(0 AS INT))
    UNION ALL SELECT 4 AS _port, _start, p0 AS w0, CAST(NULL AS BIGINT) AS w1, CAST(NULL AS BIGINT) AS w2, p1 AS w3, CAST(NULL AS INT) AS w4, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT _start AS _life0, CAST(0 AS INT) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p0, CAST(max(w1) AS INT) AS p1
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    GROUP BY _start, CAST(0 AS INT))
    UNION ALL SELECT 5 AS _port, _start, p0 AS w0, CAST(NULL AS BIGINT) AS w1, CAST(NULL AS BIGINT) AS w2, p1 AS w3, CAST(NULL AS INT) AS w4, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT _start AS _life0, CAST(0 AS INT) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p0, CAST(min(w1) AS INT) AS p1
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    GROUP BY _start, CAST(0 AS INT))
    UNION ALL SELECT 6 AS _port, _start, p0 AS w0, CAST(NULL AS BIGINT) AS w1, CAST(NULL AS BIGINT) AS w2, p1 AS w3, CAST(NULL AS INT) AS w4, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT _start AS _life0, CAST(0 AS INT) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p0, CAST(max(w1) AS INT) AS p1
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    GROUP BY _start, CAST(0 AS INT))
    UNION ALL SELECT 7 AS _port, _start, p1 AS w0, CAST(NULL AS BIGINT) AS w1, CAST(NULL AS BIGINT) AS w2, p0 AS w3, p2 AS w4, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT w0 AS p0, _start AS _life0, pmod(hash(w0), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1, CAST(max(w1) AS INT) AS p2
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    GROUP BY w0, _start, pmod(hash(w0), 4))
    UNION ALL SELECT 8 AS _port, _start, p1 AS w0, CAST(NULL AS BIGINT) AS w1, CAST(NULL AS BIGINT) AS w2, p0 AS w3, CAST(NULL AS INT) AS w4, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT w0 AS p0, _start AS _life0, pmod(hash(w0), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    WHERE w1 > 0
    GROUP BY w0, _start, pmod(hash(w0), 4))
    UNION ALL SELECT 9 AS _port, _start, p1 AS w0, p2 AS w1, p3 AS w2, p0 AS w3, CAST(NULL AS INT) AS w4, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT w0 AS p0, _start AS _life0, pmod(hash(w0), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1, CAST(count(w1) AS BIGINT) AS p2, CAST(sum(w1) AS BIGINT) AS p3
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 1)
    GROUP BY w0, _start, pmod(hash(w0), 4))
    UNION ALL SELECT 10 AS _port, _start, p1 AS w0, CAST(NULL AS BIGINT) AS w1, CAST(NULL AS BIGINT) AS w2, p0 AS w3, CAST(NULL AS INT) AS w4, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT w0 AS p0, _start AS _life0, pmod(hash(w0), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    GROUP BY w0, _start, pmod(hash(w0), 4))
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 2
  SELECT 10 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS DOUBLE) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 1)
    UNION ALL SELECT 11 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS DOUBLE) AS w2, CAST(NULL AS BIGINT) AS w3, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 1)
    UNION ALL SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS DOUBLE) AS w2, CAST(NULL AS BIGINT) AS w3, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_0_0
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS DOUBLE) AS w2, CAST(NULL AS BIGINT) AS w3, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_1
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS DOUBLE) AS w2, CAST(NULL AS BIGINT) AS w3, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_2
    UNION ALL SELECT 3 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS DOUBLE) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(0 AS INT) AS _shard
    FROM tailrace_stage_0_3
    UNION ALL SELECT 4 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS DOUBLE) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(0 AS INT) AS _shard
    FROM tailrace_stage_0_4
    UNION ALL SELECT 5 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS DOUBLE) AS w2, CAST(NULL AS BIGINT) AS w3, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_3
    UNION ALL SELECT 6 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS DOUBLE) AS w2, CAST(NULL AS BIGINT) AS w3, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_5
    UNION ALL SELECT 7 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, w1 AS w2, CAST(NULL AS BIGINT) AS w3, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_6
    UNION ALL SELECT 8 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS DOUBLE) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(0 AS INT) AS _shard
    FROM tailrace_stage_0_5
    UNION ALL SELECT 9 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS DOUBLE) AS w2, w0 AS w3, CAST(0 AS INT) AS _shard
    FROM tailrace_stage_0_7
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 3
  SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_1_0
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_1_1
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_1_2
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output uncorrelated
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_1_3

output of_count
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM tailrace_stage_1_4

output in_arithmetic
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM tailrace_stage_1_5

output between_two
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM tailrace_stage_2_0

output correlated
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_8

output correlated_count
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM tailrace_stage_0_9

output same_stream
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_2_1

output of_subquery
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_2_2

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

output uncorrelated
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_1_3
    WHERE _start <= 36000)

output of_count
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_1_4
    WHERE _start <= 36000)

output in_arithmetic
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_1_5
    WHERE _start <= 36000)

output between_two
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_2_0
    WHERE _start <= 36000)

output correlated
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_8
    WHERE _start <= 36000)

output correlated_count
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0_9
    WHERE _start <= 36000)

output same_stream
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_2_1
    WHERE _start <= 36000)

output of_subquery
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_2_2
    WHERE _start <= 36000)
