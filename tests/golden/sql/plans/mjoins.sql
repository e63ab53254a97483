== to an end, first batch
rows Ask
  rows of Ask
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, 1L AS _weight, CAST(`item` AS INT) AS w0, CAST(`price` AS INT) AS w1, CAST(NULL AS BIGINT) AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS STRING) AS w4)

rows Bid
  rows of Bid
  selectExpr(1 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, 1L AS _weight, CAST(`item` AS INT) AS w0, CAST(`price` AS INT) AS w1, CAST(NULL AS BIGINT) AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS STRING) AS w4)

rows Stock
  rows of Stock
  selectExpr(2 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, CASE trim(`op`) WHEN '+' THEN 1L WHEN '-' THEN -1L END AS _weight, CAST(`pieces` AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(`item` AS BIGINT) AS w2, CAST(`shelf` AS STRING) AS w3, CAST(NULL AS STRING) AS w4)

asked
  count(1) AS rows
  min(IF(_source = 0 AND _weight IS NOT NULL, _moment, NULL)) AS first0
  max(IF(_source = 0 AND _weight IS NOT NULL, _moment, NULL)) AS last0
  count(IF(_source = 0 AND _weight IS NOT NULL, _moment, NULL)) AS timed0
  min(IF(_source = 1 AND _weight IS NOT NULL, _moment, NULL)) AS first1
  max(IF(_source = 1 AND _weight IS NOT NULL, _moment, NULL)) AS last1
  count(IF(_source = 1 AND _weight IS NOT NULL, _moment, NULL)) AS timed1
  min(IF(_source = 2 AND _weight IS NOT NULL, _moment, NULL)) AS first2
  max(IF(_source = 2 AND _weight IS NOT NULL, _moment, NULL)) AS last2
  count(IF(_source = 2 AND _weight IS NOT NULL, _moment, NULL)) AS timed2

<arrived 3>
  (SELECT 0L AS _start, 0L + 1L AS _until, _weight, _source, w0, w1, w2, w3, w4
    FROM tailrace_source_3
    WHERE true AND _weight IS NOT NULL)

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, _weight, _source, w0, w1, w2, w3, w4
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _weight IS NOT NULL)

view tailrace_rows
  rows of all

view tailrace_source_3
  rows of Shelf
  selectExpr(3 AS _source, 0L AS _moment, 1L AS _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BIGINT) AS w2, CAST(`shelf` AS STRING) AS w3, CAST(`hall` AS STRING) AS w4)

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 WHEN 2 THEN 2 END AS _port, _start, _until, _weight, w0 AS w0, CASE _source WHEN 0 THEN w1 WHEN 1 THEN w1 WHEN 2 THEN CAST(NULL AS INT) END AS w1, CASE _source WHEN 0 THEN CAST(CAST(w0 AS BIGINT) AS BIGINT) WHEN 1 THEN CAST(CAST(w0 AS BIGINT) AS BIGINT) WHEN 2 THEN w2 END AS w2, CAST(NULL AS STRING) AS w3, CASE _source WHEN 0 THEN pmod(hash(CAST(CAST(w0 AS BIGINT) AS BIGINT)), 4) WHEN 1 THEN pmod(hash(CAST(CAST(w0 AS BIGINT) AS BIGINT)), 4) WHEN 2 THEN pmod(hash(w2), 4) END AS _shard
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1) OR (_source = 2 AND (w0 > 0))
    UNION ALL SELECT CASE _source WHEN 0 THEN 3 WHEN 1 THEN 4 WHEN 2 THEN 5 END AS _port, _start, _until, _weight, CASE _source WHEN 0 THEN w0 WHEN 1 THEN w0 WHEN 2 THEN CAST(NULL AS INT) END AS w0, CASE _source WHEN 0 THEN w1 WHEN 1 THEN w1 WHEN 2 THEN CAST(NULL AS INT) END AS w1, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 2 THEN w2 END AS w2, CASE _source WHEN 0 THEN CAST(NULL AS STRING) WHEN 1 THEN CAST(NULL AS STRING) WHEN 2 THEN w3 END AS w3, CASE _source WHEN 0 THEN pmod(hash(w0), 4) WHEN 1 THEN pmod(hash(w0), 4) WHEN 2 THEN pmod(hash(w2), 4) END AS _shard
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1) OR (_source = 2)
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 2
  SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, w2 AS w2, w3 AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS STRING) AS w5, CAST(NULL AS STRING) AS w6, pmod(hash(w0, w1, w2, w3), 4) AS _shard
    FROM tailrace_stage_0_0
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS INT) AS w3, w0 AS w4, CAST(NULL AS STRING) AS w5, CAST(NULL AS STRING) AS w6, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_1
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS BIGINT) AS w4, w1 AS w5, CAST(NULL AS STRING) AS w6, pmod(hash(w1), 4) AS _shard
    FROM tailrace_stage_0_2
    UNION ALL SELECT 3 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS BIGINT) AS w4, w3 AS w5, w4 AS w6, pmod(hash(w3), 4) AS _shard
    FROM <arrived 3>
    UNION ALL SELECT 4 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS BIGINT) AS w4, w1 AS w5, CAST(NULL AS STRING) AS w6, pmod(hash(w1), 4) AS _shard
    FROM tailrace_stage_0_3
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 3
  SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_1_0
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_1_1
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output deals
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `item`, w1 AS `price`, w2 AS `price_2`, w3 AS `pieces`
    FROM tailrace_stage_1_2

output same_price
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `n`
    FROM tailrace_stage_1_3

output halls
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `price`, w1 AS `hall`
    FROM tailrace_stage_2_0

output chained
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `price`, w1 AS `hall`
    FROM tailrace_stage_2_1

== to an end, later batch
<arrived 3>
  is gone

view tailrace_source_3
  is gone

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, _weight, _source, w0, w1, w2, w3, w4
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _weight IS NOT NULL)

view messages for stage 2
  SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, w2 AS w2, w3 AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS STRING) AS w5, CAST(NULL AS STRING) AS w6, pmod(hash(w0, w1, w2, w3), 4) AS _shard
    FROM tailrace_stage_0_0
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS INT) AS w3, w0 AS w4, CAST(NULL AS STRING) AS w5, CAST(NULL AS STRING) AS w6, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_1
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS BIGINT) AS w4, w1 AS w5, CAST(NULL AS STRING) AS w6, pmod(hash(w1), 4) AS _shard
    FROM tailrace_stage_0_2
    UNION ALL SELECT 4 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS BIGINT) AS w4, w1 AS w5, CAST(NULL AS STRING) AS w6, pmod(hash(w1), 4) AS _shard
    FROM tailrace_stage_0_3
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, _weight, _source, w0, w1, w2, w3, w4
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _weight IS NOT NULL)

output deals
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `item`, w1 AS `price`, w2 AS `price_2`, w3 AS `pieces`
    FROM (SELECT *
    FROM tailrace_stage_1_2
    WHERE _start <= 36000)

output same_price
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_1_3
    WHERE _start <= 36000)

output halls
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `price`, w1 AS `hall`
    FROM (SELECT *
    FROM tailrace_stage_2_0
    WHERE _start <= 36000)

output chained
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `price`, w1 AS `hall`
    FROM (SELECT *
    FROM tailrace_stage_2_1
    WHERE _start <= 36000)

== continuously, first batch
rows Ask
  rows of Ask
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, 1L AS _weight, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(`item` AS INT) AS w0, CAST(`price` AS INT) AS w1, CAST(NULL AS BIGINT) AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS STRING) AS w4)

rows Bid
  rows of Bid
  selectExpr(1 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, 1L AS _weight, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(`item` AS INT) AS w0, CAST(`price` AS INT) AS w1, CAST(NULL AS BIGINT) AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS STRING) AS w4)

rows Stock
  rows of Stock
  selectExpr(2 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, CASE trim(`op`) WHEN '+' THEN 1L WHEN '-' THEN -1L END AS _weight, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(`pieces` AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(`item` AS BIGINT) AS w2, CAST(`shelf` AS STRING) AS w3, CAST(NULL AS STRING) AS w4)

asked
  count(1) AS rows
  min(IF(_source = 0 AND _weight IS NOT NULL, _moment, NULL)) AS first0
  max(IF(_source = 0 AND _weight IS NOT NULL, _moment, NULL)) AS last0
  count(IF(_source = 0 AND _weight IS NOT NULL, _moment, NULL)) AS timed0
  min(IF(_source = 1 AND _weight IS NOT NULL, _moment, NULL)) AS first1
  max(IF(_source = 1 AND _weight IS NOT NULL, _moment, NULL)) AS last1
  count(IF(_source = 1 AND _weight IS NOT NULL, _moment, NULL)) AS timed1
  min(IF(_source = 2 AND _weight IS NOT NULL, _moment, NULL)) AS first2
  max(IF(_source = 2 AND _weight IS NOT NULL, _moment, NULL)) AS last2
  count(IF(_source = 2 AND _weight IS NOT NULL, _moment, NULL)) AS timed2

<arrived 3>
  (SELECT 0L AS _start, 0L + 1L AS _until, _weight, _source, w0, w1, w2, w3, w4
    FROM tailrace_source_3
    WHERE true AND _weight IS NOT NULL)

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, _weight, _source, w0, w1, w2, w3, w4
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _weight IS NOT NULL)

view tailrace_rows
  rows of all

view tailrace_source_3
  rows of Shelf
  selectExpr(3 AS _source, 0L AS _moment, 1L AS _weight, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BIGINT) AS w2, CAST(`shelf` AS STRING) AS w3, CAST(`hall` AS STRING) AS w4)

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 WHEN 2 THEN 2 END AS _port, _start, _until, _weight, w0 AS w0, CASE _source WHEN 0 THEN w1 WHEN 1 THEN w1 WHEN 2 THEN CAST(NULL AS INT) END AS w1, CASE _source WHEN 0 THEN CAST(CAST(w0 AS BIGINT) AS BIGINT) WHEN 1 THEN CAST(CAST(w0 AS BIGINT) AS BIGINT) WHEN 2 THEN w2 END AS w2, CAST(NULL AS STRING) AS w3, CASE _source WHEN 0 THEN pmod(hash(CAST(CAST(w0 AS BIGINT) AS BIGINT)), 4) WHEN 1 THEN pmod(hash(CAST(CAST(w0 AS BIGINT) AS BIGINT)), 4) WHEN 2 THEN pmod(hash(w2), 4) END AS _shard
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1) OR (_source = 2 AND (w0 > 0))
    UNION ALL SELECT 3 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, w2 AS w2, w3 AS w3, pmod(hash(w2), 4) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 2)
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 2
  SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, w2 AS w2, w3 AS w3, CAST(NULL AS STRING) AS w4, CAST(NULL AS STRING) AS w5, pmod(hash(w0, w1, w2, w3), 4) AS _shard
    FROM tailrace_stage_0_0
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS INT) AS w3, w1 AS w4, CAST(NULL AS STRING) AS w5, pmod(hash(w1), 4) AS _shard
    FROM tailrace_stage_0_1
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS INT) AS w3, w3 AS w4, w4 AS w5, pmod(hash(w3), 4) AS _shard
    FROM <arrived 3>
    UNION ALL SELECT 3 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS INT) AS w3, w1 AS w4, CAST(NULL AS STRING) AS w5, pmod(hash(w1), 4) AS _shard
    FROM tailrace_stage_0_2
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 3
  SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_1_0
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_1_1
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output deals
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `item`, w1 AS `price`, w2 AS `price_2`, w3 AS `pieces`
    FROM tailrace_stage_1_2

output halls
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `price`, w1 AS `hall`
    FROM tailrace_stage_2_0

output chained
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `price`, w1 AS `hall`
    FROM tailrace_stage_2_1

== continuously, later batch, same_price joins
<arrived 3>
  is gone

view tailrace_source_3
  is gone

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, _weight, _source, w0, w1, w2, w3, w4
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _weight IS NOT NULL)

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 WHEN 2 THEN 2 END AS _port, _start, _until, _weight, w0 AS w0, CASE _source WHEN 0 THEN w1 WHEN 1 THEN w1 WHEN 2 THEN CAST(NULL AS INT) END AS w1, CASE _source WHEN 0 THEN CAST(CAST(w0 AS BIGINT) AS BIGINT) WHEN 1 THEN CAST(CAST(w0 AS BIGINT) AS BIGINT) WHEN 2 THEN w2 END AS w2, CAST(NULL AS STRING) AS w3, CASE _source WHEN 0 THEN pmod(hash(CAST(CAST(w0 AS BIGINT) AS BIGINT)), 4) WHEN 1 THEN pmod(hash(CAST(CAST(w0 AS BIGINT) AS BIGINT)), 4) WHEN 2 THEN pmod(hash(w2), 4) END AS _shard
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1) OR (_source = 2 AND (w0 > 0))
    UNION ALL SELECT CASE _source WHEN 0 THEN 3 WHEN 1 THEN 4 WHEN 2 THEN 5 END AS _port, _start, _until, _weight, CASE _source WHEN 0 THEN w0 WHEN 1 THEN w0 WHEN 2 THEN CAST(NULL AS INT) END AS w0, CASE _source WHEN 0 THEN w1 WHEN 1 THEN w1 WHEN 2 THEN CAST(NULL AS INT) END AS w1, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 2 THEN w2 END AS w2, CASE _source WHEN 0 THEN CAST(NULL AS STRING) WHEN 1 THEN CAST(NULL AS STRING) WHEN 2 THEN w3 END AS w3, CASE _source WHEN 0 THEN pmod(hash(w0), 4) WHEN 1 THEN pmod(hash(w0), 4) WHEN 2 THEN pmod(hash(w2), 4) END AS _shard
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1) OR (_source = 2)
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 2
  SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, w2 AS w2, w3 AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS STRING) AS w5, CAST(NULL AS STRING) AS w6, pmod(hash(w0, w1, w2, w3), 4) AS _shard
    FROM tailrace_stage_0_0
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS INT) AS w3, w0 AS w4, CAST(NULL AS STRING) AS w5, CAST(NULL AS STRING) AS w6, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_1
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS BIGINT) AS w4, w1 AS w5, CAST(NULL AS STRING) AS w6, pmod(hash(w1), 4) AS _shard
    FROM tailrace_stage_0_2
    UNION ALL SELECT 4 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS BIGINT) AS w4, w1 AS w5, CAST(NULL AS STRING) AS w6, pmod(hash(w1), 4) AS _shard
    FROM tailrace_stage_0_3
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output same_price
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_1_3
    WHERE _start >= 12)
