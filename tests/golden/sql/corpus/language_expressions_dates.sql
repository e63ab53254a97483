== to an end, first batch
rows Visit
  rows of Visit
  selectExpr(0 AS _source, unix_micros(CAST(`moment` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`id` AS INT) AS w0, CAST(`day` AS DATE) AS w1, CAST(`moment` AS TIMESTAMP) AS w2)

asked
  count(1) AS rows
  min(IF(_unreadable IS NULL, _moment, NULL)) AS first0
  max(IF(_unreadable IS NULL, _moment, NULL)) AS last0
  count(IF(_unreadable IS NULL, _moment, NULL)) AS timed0

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view messages for stage 1
  SELECT 0 AS _port, _start, w0 AS w0, CAST(DATE '2024-02-29' AS DATE) AS w1, CAST(TIMESTAMP '2024-03-01 10:00:00' AS TIMESTAMP) AS w2, CAST(`date_add`(w1, 7) AS DATE) AS w3, CAST(w2 - INTERVAL '0 00:01:30.000000' DAY TO SECOND AS TIMESTAMP) AS w4, CAST(w2 + INTERVAL '0 02:00:00.000000' DAY TO SECOND AS TIMESTAMP) AS w5, w2 AS w6, CAST(`year`(w1) AS INT) AS w7, CAST(`month`(w1) AS INT) AS w8, CAST(`day`(w1) AS INT) AS w9, CAST(`hour`(w2) AS INT) AS w10, CAST(`date_part`('MINUTE', w2) AS INT) AS w11, CAST(`date_add`(w1, 3) AS DATE) AS w12, CAST(`datediff`(w1, DATE '2024-02-26') AS INT) AS w13, CAST(`date_format`(w2, 'yyyy-MM') AS STRING) AS w14, CAST(`date_trunc`('HOUR', w2) AS TIMESTAMP) AS w15, CAST(`to_date`('2024-05-06') AS DATE) AS w16, CAST(NULL AS BIGINT) AS w17, pmod(hash(w0), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    UNION ALL SELECT 1 AS _port, _start, w0 AS w0, CAST(NULL AS DATE) AS w1, CAST(NULL AS TIMESTAMP) AS w2, CAST(NULL AS DATE) AS w3, CAST(NULL AS TIMESTAMP) AS w4, CAST(NULL AS TIMESTAMP) AS w5, CAST(NULL AS TIMESTAMP) AS w6, CAST(NULL AS INT) AS w7, CAST(NULL AS INT) AS w8, CAST(NULL AS INT) AS w9, CAST(NULL AS INT) AS w10, CAST(NULL AS INT) AS w11, CAST(NULL AS DATE) AS w12, CAST(NULL AS INT) AS w13, CAST(NULL AS STRING) AS w14, CAST(NULL AS TIMESTAMP) AS w15, CAST(NULL AS DATE) AS w16, CAST(NULL AS BIGINT) AS w17, pmod(hash(w0), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    WHERE w1 >= DATE '2024-01-01' AND w2 < TIMESTAMP '2025-01-01 00:00:00'
    UNION ALL SELECT 3 AS _port, _start, CAST(NULL AS INT) AS w0, CAST(NULL AS DATE) AS w1, w2 AS w2, CAST(NULL AS DATE) AS w3, CAST(NULL AS TIMESTAMP) AS w4, CAST(NULL AS TIMESTAMP) AS w5, CAST(NULL AS TIMESTAMP) AS w6, CAST(NULL AS INT) AS w7, CAST(NULL AS INT) AS w8, CAST(NULL AS INT) AS w9, CAST(NULL AS INT) AS w10, CAST(NULL AS INT) AS w11, CAST(NULL AS DATE) AS w12, CAST(NULL AS INT) AS w13, CAST(NULL AS STRING) AS w14, CAST(NULL AS TIMESTAMP) AS w15, CAST(NULL AS DATE) AS w16, CAST(NULL AS BIGINT) AS w17, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM <arrived 0>
    UNION ALL SELECT 2 AS _port, _start, CAST(NULL AS INT) AS w0, p0 AS w1, p2 AS w2, CAST(NULL AS DATE) AS w3, p3 AS w4, CAST(NULL AS TIMESTAMP) AS w5, CAST(NULL AS TIMESTAMP) AS w6, CAST(NULL AS INT) AS w7, CAST(NULL AS INT) AS w8, CAST(NULL AS INT) AS w9, CAST(NULL AS INT) AS w10, CAST(NULL AS INT) AS w11, CAST(NULL AS DATE) AS w12, CAST(NULL AS INT) AS w13, CAST(NULL AS STRING) AS w14, CAST(NULL AS TIMESTAMP) AS w15, CAST(NULL AS DATE) AS w16, p1 AS w17, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT w1 AS p0, _start AS _life0, pmod(hash(w1), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1, CAST(min(w2) AS TIMESTAMP) AS p2, CAST(max(w2) AS TIMESTAMP) AS p3
    FROM <arrived 0>
    GROUP BY w1, _start, pmod(hash(w1), 4))
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output literals
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`, w1 AS `leap`, w2 AS `noonish`
    FROM tailrace_stage_0_0

output compared
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`
    FROM tailrace_stage_0_1

output intervals
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`, w1 AS `week_later`, w2 AS `before`, w3 AS `later`
    FROM tailrace_stage_0_2

output interval_in_where
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`
    FROM tailrace_stage_0_3

output parts
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`, w1 AS `y`, w2 AS `m`, w3 AS `d`, w4 AS `h`, w5 AS `mi`
    FROM tailrace_stage_0_4

output functions
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`, w1 AS `d3`, w2 AS `k`, w3 AS `ym`, w4 AS `hour_start`, w5 AS `fixed`
    FROM tailrace_stage_0_5

output grouped_by_day
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `day`, w1 AS `visits`, w2 AS `first_one`, w3 AS `last_one`
    FROM tailrace_stage_0_6

output span
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `span`
    FROM tailrace_stage_0_7

== to an end, later batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

output literals
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`, w1 AS `leap`, w2 AS `noonish`
    FROM (SELECT *
    FROM tailrace_stage_0_0
    WHERE _start <= 36000)

output compared
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`
    FROM (SELECT *
    FROM tailrace_stage_0_1
    WHERE _start <= 36000)

output intervals
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`, w1 AS `week_later`, w2 AS `before`, w3 AS `later`
    FROM (SELECT *
    FROM tailrace_stage_0_2
    WHERE _start <= 36000)

output interval_in_where
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`
    FROM (SELECT *
    FROM tailrace_stage_0_3
    WHERE _start <= 36000)

output parts
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`, w1 AS `y`, w2 AS `m`, w3 AS `d`, w4 AS `h`, w5 AS `mi`
    FROM (SELECT *
    FROM tailrace_stage_0_4
    WHERE _start <= 36000)

output functions
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`, w1 AS `d3`, w2 AS `k`, w3 AS `ym`, w4 AS `hour_start`, w5 AS `fixed`
    FROM (SELECT *
    FROM tailrace_stage_0_5
    WHERE _start <= 36000)

output grouped_by_day
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `day`, w1 AS `visits`, w2 AS `first_one`, w3 AS `last_one`
    FROM (SELECT *
    FROM tailrace_stage_0_6
    WHERE _start <= 36000)

output span
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `span`
    FROM (SELECT *
    FROM tailrace_stage_0_7
    WHERE _start <= 36000)
