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
  SELECT 0 AS _port, _start, w0 AS w0, CAST(NULL AS BOOLEAN) AS w1, CAST(NULL AS BOOLEAN) AS w2, CAST(NULL AS BOOLEAN) AS w3, pmod(hash(w0), 4) AS _shard
    FROM <arrived 0>
    WHERE w5 > 1 AND w5 >= 2 AND w5 < 90 AND w5 <= 80 AND w5 <> 7 AND w5 <> 8 AND w0 = w0
    UNION ALL SELECT 1 AS _port, _start, w0 AS w0, CAST(NULL AS BOOLEAN) AS w1, CAST(NULL AS BOOLEAN) AS w2, CAST(NULL AS BOOLEAN) AS w3, pmod(hash(w0), 4) AS _shard
    FROM <arrived 0>
    WHERE w5 >= 3 AND w5 <= 12
    UNION ALL SELECT 2 AS _port, _start, w0 AS w0, CAST(NULL AS BOOLEAN) AS w1, CAST(NULL AS BOOLEAN) AS w2, CAST(NULL AS BOOLEAN) AS w3, pmod(hash(w0), 4) AS _shard
    FROM <arrived 0>
    WHERE w6 < (-1.5D) OR w6 > 150.0D
    UNION ALL SELECT 3 AS _port, _start, w0 AS w0, CAST(NULL AS BOOLEAN) AS w1, CAST(NULL AS BOOLEAN) AS w2, CAST(NULL AS BOOLEAN) AS w3, pmod(hash(w0), 4) AS _shard
    FROM <arrived 0>
    WHERE w5 >= 3 AND w5 <= 12 AND w4
    UNION ALL SELECT 4 AS _port, _start, w0 AS w0, CAST(NULL AS BOOLEAN) AS w1, CAST(NULL AS BOOLEAN) AS w2, CAST(NULL AS BOOLEAN) AS w3, pmod(hash(w0), 4) AS _shard
    FROM <arrived 0>
    WHERE w1 LIKE 'O%o'
    UNION ALL SELECT 5 AS _port, _start, w0 AS w0, CAST(NULL AS BOOLEAN) AS w1, CAST(NULL AS BOOLEAN) AS w2, CAST(NULL AS BOOLEAN) AS w3, pmod(hash(w0), 4) AS _shard
    FROM <arrived 0>
    WHERE NOT w1 LIKE '_ome'
    UNION ALL SELECT 6 AS _port, _start, w0 AS w0, CAST(NULL AS BOOLEAN) AS w1, CAST(NULL AS BOOLEAN) AS w2, CAST(NULL AS BOOLEAN) AS w3, pmod(hash(w0), 4) AS _shard
    FROM <arrived 0>
    WHERE w1 IN ('Oslo', 'Rome', 'S. John\'s')
    UNION ALL SELECT 7 AS _port, _start, w0 AS w0, CAST(NULL AS BOOLEAN) AS w1, CAST(NULL AS BOOLEAN) AS w2, CAST(NULL AS BOOLEAN) AS w3, pmod(hash(w0), 4) AS _shard
    FROM <arrived 0>
    WHERE NOT w5 + 1 IN (1, 2, 12)
    UNION ALL SELECT 8 AS _port, _start, w0 AS w0, CAST(NULL AS BOOLEAN) AS w1, CAST(NULL AS BOOLEAN) AS w2, CAST(NULL AS BOOLEAN) AS w3, pmod(hash(w0), 4) AS _shard
    FROM <arrived 0>
    WHERE w1 IS NULL
    UNION ALL SELECT 9 AS _port, _start, w0 AS w0, CAST(NULL AS BOOLEAN) AS w1, CAST(NULL AS BOOLEAN) AS w2, CAST(NULL AS BOOLEAN) AS w3, pmod(hash(w0), 4) AS _shard
    FROM <arrived 0>
    WHERE w3 IS NOT NULL
    UNION ALL SELECT 10 AS _port, _start, w0 AS w0, CAST(NULL AS BOOLEAN) AS w1, CAST(NULL AS BOOLEAN) AS w2, CAST(NULL AS BOOLEAN) AS w3, pmod(hash(w0), 4) AS _shard
    FROM <arrived 0>
    WHERE w4 OR NOT w4
    UNION ALL SELECT 11 AS _port, _start, w0 AS w0, CAST(NULL AS BOOLEAN) AS w1, CAST(NULL AS BOOLEAN) AS w2, CAST(NULL AS BOOLEAN) AS w3, pmod(hash(w0), 4) AS _shard
    FROM <arrived 0>
    WHERE w4 = TRUE OR w4 = FALSE
    UNION ALL SELECT 12 AS _port, _start, w0 AS w0, CAST(NULL AS BOOLEAN) AS w1, CAST(NULL AS BOOLEAN) AS w2, CAST(NULL AS BOOLEAN) AS w3, pmod(hash(w0), 4) AS _shard
    FROM <arrived 0>
    WHERE (w5 <= 3 OR w1 <> 'Oslo' OR w6 IS NULL) AND (w5 <= 3 OR w1 <> 'Oslo' OR w5 < 0) AND (w5 <= 3 OR w1 <> 'Rome' OR w6 IS NULL) AND (w5 <= 3 OR w1 <> 'Rome' OR w5 < 0)
    UNION ALL SELECT 13 AS _port, _start, w0 AS w0, CAST(w5 > 3 AS BOOLEAN) AS w1, CAST(w1 IN ('Oslo') AS BOOLEAN) AS w2, CAST(w2 IS NULL AS BOOLEAN) AS w3, pmod(hash(w0), 4) AS _shard
    FROM <arrived 0>
    UNION ALL SELECT 14 AS _port, _start, w0 AS w0, CAST(NULL AS BOOLEAN) AS w1, CAST(NULL AS BOOLEAN) AS w2, CAST(NULL AS BOOLEAN) AS w3, pmod(hash(w0), 4) AS _shard
    FROM <arrived 0>
    WHERE w1 <=> 'Oslo'
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output comparisons
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `saleId`
    FROM tailrace_stage_0_0

output between_values
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `saleId`
    FROM tailrace_stage_0_1

output not_between
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `saleId`
    FROM tailrace_stage_0_2

output between_beside_and
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `saleId`
    FROM tailrace_stage_0_3

output like_percent
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `saleId`
    FROM tailrace_stage_0_4

output like_underscore
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `saleId`
    FROM tailrace_stage_0_5

output in_list
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `saleId`
    FROM tailrace_stage_0_6

output not_in_list
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `saleId`
    FROM tailrace_stage_0_7

output is_null
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `saleId`
    FROM tailrace_stage_0_8

output is_not_null
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `saleId`
    FROM tailrace_stage_0_9

output boolean_column
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `saleId`
    FROM tailrace_stage_0_10

output boolean_literals
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `saleId`
    FROM tailrace_stage_0_11

output logic
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `saleId`
    FROM tailrace_stage_0_12

output predicate_as_column
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `saleId`, w1 AS `many`, w2 AS `north`, w3 AS `open`
    FROM tailrace_stage_0_13

output null_safe
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `saleId`
    FROM tailrace_stage_0_14

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

output comparisons
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `saleId`
    FROM (SELECT *
    FROM tailrace_stage_0_0
    WHERE _start <= 36000)

output between_values
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `saleId`
    FROM (SELECT *
    FROM tailrace_stage_0_1
    WHERE _start <= 36000)

output not_between
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `saleId`
    FROM (SELECT *
    FROM tailrace_stage_0_2
    WHERE _start <= 36000)

output between_beside_and
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `saleId`
    FROM (SELECT *
    FROM tailrace_stage_0_3
    WHERE _start <= 36000)

output like_percent
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `saleId`
    FROM (SELECT *
    FROM tailrace_stage_0_4
    WHERE _start <= 36000)

output like_underscore
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `saleId`
    FROM (SELECT *
    FROM tailrace_stage_0_5
    WHERE _start <= 36000)

output in_list
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `saleId`
    FROM (SELECT *
    FROM tailrace_stage_0_6
    WHERE _start <= 36000)

output not_in_list
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `saleId`
    FROM (SELECT *
    FROM tailrace_stage_0_7
    WHERE _start <= 36000)

output is_null
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `saleId`
    FROM (SELECT *
    FROM tailrace_stage_0_8
    WHERE _start <= 36000)

output is_not_null
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `saleId`
    FROM (SELECT *
    FROM tailrace_stage_0_9
    WHERE _start <= 36000)

output boolean_column
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `saleId`
    FROM (SELECT *
    FROM tailrace_stage_0_10
    WHERE _start <= 36000)

output boolean_literals
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `saleId`
    FROM (SELECT *
    FROM tailrace_stage_0_11
    WHERE _start <= 36000)

output logic
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `saleId`
    FROM (SELECT *
    FROM tailrace_stage_0_12
    WHERE _start <= 36000)

output predicate_as_column
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `saleId`, w1 AS `many`, w2 AS `north`, w3 AS `open`
    FROM (SELECT *
    FROM tailrace_stage_0_13
    WHERE _start <= 36000)

output null_safe
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `saleId`
    FROM (SELECT *
    FROM tailrace_stage_0_14
    WHERE _start <= 36000)
