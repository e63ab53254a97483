== to an end, first batch
rows Sale
  rows of Sale
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _unreadable AS _unreadable, CAST(`saleId` AS INT) AS w0, CAST(`City` AS STRING) AS w1, CAST(`sold` AS DATE) AS w2, CAST(`amount` AS DECIMAL(8,2)) AS w3, CAST(`cash` AS BOOLEAN) AS w4, CAST(`pts` AS INT) AS w5, CAST(`w` AS DOUBLE) AS w6)

asked
  count(1) AS rows
  min(IF(_unreadable IS NULL, _moment, NULL)) AS first0
  max(IF(_unreadable IS NULL, _moment, NULL)) AS last0
  count(IF(_unreadable IS NULL, _moment, NULL)) AS timed0

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1, w2, w3, w4, w5, w6
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view messages for stage 1
  SELECT 0 AS _port, _start, w0 AS w0, CAST(CASE WHEN w5 < 0 THEN 'neg' WHEN w5 < 20 THEN 'low' ELSE 'high' END AS STRING) AS w1, CAST(CASE WHEN w1 = 'Oslo' THEN 1 WHEN w1 = 'Rome' THEN 2 ELSE CAST(NULL AS INT) END AS INT) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS DECIMAL(22,2)) AS w5, CAST(NULL AS BIGINT) AS w6, CAST(NULL AS DOUBLE) AS w7, CAST(NULL AS DECIMAL(10,3)) AS w8, CAST(NULL AS DATE) AS w9, CAST(NULL AS TIMESTAMP) AS w10, CAST(NULL AS BOOLEAN) AS w11, CAST(NULL AS STRING) AS w12, pmod(hash(w0), 4) AS _shard
    FROM <arrived 0>
    UNION ALL SELECT 1 AS _port, _start, CAST(NULL AS INT) AS w0, CAST(CASE WHEN w4 THEN CASE WHEN w1 = 'Oslo' THEN 'oc' ELSE 'c' END ELSE 'card' END AS STRING) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS DECIMAL(22,2)) AS w5, CAST(NULL AS BIGINT) AS w6, CAST(NULL AS DOUBLE) AS w7, CAST(NULL AS DECIMAL(10,3)) AS w8, CAST(NULL AS DATE) AS w9, CAST(NULL AS TIMESTAMP) AS w10, CAST(NULL AS BOOLEAN) AS w11, CAST(NULL AS STRING) AS w12, pmod(hash(CAST(CASE WHEN w4 THEN CASE WHEN w1 = 'Oslo' THEN 'oc' ELSE 'c' END ELSE 'card' END AS STRING)), 4) AS _shard
    FROM <arrived 0>
    UNION ALL SELECT 2 AS _port, _start, w0 AS w0, CAST(NULL AS STRING) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS DECIMAL(22,2)) AS w5, CAST(NULL AS BIGINT) AS w6, CAST(NULL AS DOUBLE) AS w7, CAST(NULL AS DECIMAL(10,3)) AS w8, CAST(NULL AS DATE) AS w9, CAST(NULL AS TIMESTAMP) AS w10, CAST(NULL AS BOOLEAN) AS w11, CAST(NULL AS STRING) AS w12, pmod(hash(w0), 4) AS _shard
    FROM <arrived 0>
    WHERE CASE WHEN w4 THEN w5 ELSE w5 * 2 END > 10
    UNION ALL SELECT 6 AS _port, _start, CAST(CAST(w3 AS INT) AS INT) AS w0, CAST(CAST(w0 AS STRING) AS STRING) AS w1, CAST(CAST(w4 AS INT) AS INT) AS w2, CAST(CAST(w5 AS BIGINT) AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS DECIMAL(22,2)) AS w5, CAST(NULL AS BIGINT) AS w6, CAST(CAST(w5 AS DOUBLE) / 3.0D AS DOUBLE) AS w7, CAST(CAST(w6 AS DECIMAL(10,3)) AS DECIMAL(10,3)) AS w8, CAST(DATE '2024-02-29' AS DATE) AS w9, CAST(CAST(w2 AS TIMESTAMP) AS TIMESTAMP) AS w10, CAST(CAST(w5 AS BOOLEAN) AS BOOLEAN) AS w11, CAST(CAST(NULL AS STRING) AS STRING) AS w12, pmod(hash(CAST(CAST(w0 AS STRING) AS STRING), CAST(CAST(w3 AS INT) AS INT), CAST(CAST(w5 AS BIGINT) AS BIGINT), CAST(CAST(w5 AS DOUBLE) / 3.0D AS DOUBLE), CAST(CAST(w6 AS DECIMAL(10,3)) AS DECIMAL(10,3)), CAST(DATE '2024-02-29' AS DATE), CAST(CAST(w2 AS TIMESTAMP) AS TIMESTAMP), CAST(CAST(w5 AS BOOLEAN) AS BOOLEAN), CAST(CAST(NULL AS STRING) AS STRING), CAST(CAST(w4 AS INT) AS INT)), 4) AS _shard
    FROM <arrived 0>
    UNION ALL SELECT 7 AS _port, _start, CAST(NULL AS INT) AS w0, CAST(CAST(CAST(w6 AS INT) AS STRING) AS STRING) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS DECIMAL(22,2)) AS w5, CAST(NULL AS BIGINT) AS w6, CAST(NULL AS DOUBLE) AS w7, CAST(NULL AS DECIMAL(10,3)) AS w8, CAST(NULL AS DATE) AS w9, CAST(NULL AS TIMESTAMP) AS w10, CAST(NULL AS BOOLEAN) AS w11, CAST(NULL AS STRING) AS w12, pmod(hash(CAST(CAST(CAST(w6 AS INT) AS STRING) AS STRING)), 4) AS _shard
    FROM <arrived 0>
    UNION ALL SELECT 3 AS _port, _start, CAST(NULL AS INT) AS w0, p0 AS w1, CAST(NULL AS INT) AS w2, p1 AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS DECIMAL(22,2)) AS w5, CAST(NULL AS BIGINT) AS w6, CAST(NULL AS DOUBLE) AS w7, CAST(NULL AS DECIMAL(10,3)) AS w8, CAST(NULL AS DATE) AS w9, CAST(NULL AS TIMESTAMP) AS w10, CAST(NULL AS BOOLEAN) AS w11, CAST(NULL AS STRING) AS w12, _shard AS _shard
    FROM (SELECT CAST(CASE WHEN w5 < 20 THEN 'low' ELSE 'high' END AS STRING) AS p0, _start AS _life0, pmod(hash(CAST(CASE WHEN w5 < 20 THEN 'low' ELSE 'high' END AS STRING)), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1
    FROM <arrived 0>
    GROUP BY CAST(CASE WHEN w5 < 20 THEN 'low' ELSE 'high' END AS STRING), _start, pmod(hash(CAST(CASE WHEN w5 < 20 THEN 'low' ELSE 'high' END AS STRING)), 4))
    UNION ALL SELECT 4 AS _port, _start, CAST(NULL AS INT) AS w0, p0 AS w1, CAST(NULL AS INT) AS w2, p1 AS w3, p2 AS w4, p3 AS w5, p4 AS w6, CAST(NULL AS DOUBLE) AS w7, CAST(NULL AS DECIMAL(10,3)) AS w8, CAST(NULL AS DATE) AS w9, CAST(NULL AS TIMESTAMP) AS w10, CAST(NULL AS BOOLEAN) AS w11, CAST(NULL AS STRING) AS w12, _shard AS _shard
    FROM (SELECT w1 AS p0, _start AS _life0, pmod(hash(w1), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1, CAST(count(CAST(CASE WHEN w4 THEN CAST(w3 AS DECIMAL(12,2)) ELSE CAST(0 AS DECIMAL(12,2)) END AS DECIMAL(12,2))) AS BIGINT) AS p2, CAST(sum(CAST(CASE WHEN w4 THEN CAST(w3 AS DECIMAL(12,2)) ELSE CAST(0 AS DECIMAL(12,2)) END AS DECIMAL(12,2))) AS DECIMAL(22,2)) AS p3, CAST(count(CAST(CASE WHEN w5 > 9 THEN 1 ELSE CAST(NULL AS INT) END AS INT)) AS BIGINT) AS p4
    FROM <arrived 0>
    GROUP BY w1, _start, pmod(hash(w1), 4))
    UNION ALL SELECT 5 AS _port, _start, p1 AS w0, CAST(NULL AS STRING) AS w1, CAST(NULL AS INT) AS w2, p0 AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS DECIMAL(22,2)) AS w5, CAST(NULL AS BIGINT) AS w6, CAST(NULL AS DOUBLE) AS w7, CAST(NULL AS DECIMAL(10,3)) AS w8, CAST(NULL AS DATE) AS w9, CAST(NULL AS TIMESTAMP) AS w10, CAST(NULL AS BOOLEAN) AS w11, CAST(NULL AS STRING) AS w12, _shard AS _shard
    FROM (SELECT _start AS _life0, CAST(0 AS INT) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p0, CAST(max(w5) AS INT) AS p1
    FROM <arrived 0>
    GROUP BY _start, CAST(0 AS INT))
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output searched
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `saleId`, w1 AS `band`
    FROM tailrace_stage_0_0

output simple_form
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `saleId`, w1 AS `c`
    FROM tailrace_stage_0_1

output nested
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `how`
    FROM tailrace_stage_0_2

output in_where
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `saleId`
    FROM tailrace_stage_0_3

output in_group
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `band`, w1 AS `n`
    FROM tailrace_stage_0_4

output in_aggregate
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `City`, w1 AS `in_cash`, w2 AS `big`
    FROM tailrace_stage_0_5

output in_to_stream
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `state`
    FROM tailrace_stage_0_6

output casts
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `s`, w1 AS `i`, w2 AS `b`, w3 AS `d`, w4 AS `fixed_point`, w5 AS `dt`, w6 AS `t`, w7 AS `flag`, w8 AS `nothing`, w9 AS `one_or_zero`
    FROM tailrace_stage_0_7

output double_cast
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `whole`
    FROM tailrace_stage_0_8

== to an end, later batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1, w2, w3, w4, w5, w6
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1, w2, w3, w4, w5, w6
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

output searched
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `saleId`, w1 AS `band`
    FROM (SELECT *
    FROM tailrace_stage_0_0
    WHERE _start <= 36000)

output simple_form
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `saleId`, w1 AS `c`
    FROM (SELECT *
    FROM tailrace_stage_0_1
    WHERE _start <= 36000)

output nested
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `how`
    FROM (SELECT *
    FROM tailrace_stage_0_2
    WHERE _start <= 36000)

output in_where
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `saleId`
    FROM (SELECT *
    FROM tailrace_stage_0_3
    WHERE _start <= 36000)

output in_group
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `band`, w1 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_0_4
    WHERE _start <= 36000)

output in_aggregate
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `City`, w1 AS `in_cash`, w2 AS `big`
    FROM (SELECT *
    FROM tailrace_stage_0_5
    WHERE _start <= 36000)

output in_to_stream
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `state`
    FROM (SELECT *
    FROM tailrace_stage_0_6
    WHERE _start <= 36000)

output casts
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `s`, w1 AS `i`, w2 AS `b`, w3 AS `d`, w4 AS `fixed_point`, w5 AS `dt`, w6 AS `t`, w7 AS `flag`, w8 AS `nothing`, w9 AS `one_or_zero`
    FROM (SELECT *
    FROM tailrace_stage_0_7
    WHERE _start <= 36000)

output double_cast
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `whole`
    FROM (SELECT *
    FROM tailrace_stage_0_8
    WHERE _start <= 36000)
