== to an end, first batch
rows Register
  rows of Register
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`user_id` AS INT) AS w0, CAST(`state` AS STRING) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS INT) AS w3)

rows Deregister
  rows of Deregister
  selectExpr(1 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`user_id` AS INT) AS w0, CAST(NULL AS STRING) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS INT) AS w3)

rows Close
  rows of Close
  selectExpr(2 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`item_id` AS INT) AS w0, CAST(NULL AS STRING) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS INT) AS w3)

rows Bid
  rows of Bid
  selectExpr(3 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`item_id` AS INT) AS w0, CAST(NULL AS STRING) AS w1, CAST(`bid_price` AS INT) AS w2, CAST(NULL AS INT) AS w3)

rows Open
  rows of Open
  selectExpr(4 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`item_id` AS INT) AS w0, CAST(NULL AS STRING) AS w1, CAST(`seller_id` AS INT) AS w2, CAST(`start_price` AS INT) AS w3)

asked
  count(1) AS rows
  min(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS first0
  max(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS last0
  count(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS timed0
  min(IF(_source = 1 AND _unreadable IS NULL, _moment, NULL)) AS first1
  max(IF(_source = 1 AND _unreadable IS NULL, _moment, NULL)) AS last1
  count(IF(_source = 1 AND _unreadable IS NULL, _moment, NULL)) AS timed1
  min(IF(_source = 2 AND _unreadable IS NULL, _moment, NULL)) AS first2
  max(IF(_source = 2 AND _unreadable IS NULL, _moment, NULL)) AS last2
  count(IF(_source = 2 AND _unreadable IS NULL, _moment, NULL)) AS timed2
  min(IF(_source = 3 AND _unreadable IS NULL, _moment, NULL)) AS first3
  max(IF(_source = 3 AND _unreadable IS NULL, _moment, NULL)) AS last3
  count(IF(_source = 3 AND _unreadable IS NULL, _moment, NULL)) AS timed3
  min(IF(_source = 4 AND _unreadable IS NULL, _moment, NULL)) AS first4
  max(IF(_source = 4 AND _unreadable IS NULL, _moment, NULL)) AS last4
  count(IF(_source = 4 AND _unreadable IS NULL, _moment, NULL)) AS timed4

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 WHEN 2 THEN 4 WHEN 3 THEN 5 WHEN 4 THEN 6 END AS _port, _start, w0 AS w0, CASE _source WHEN 0 THEN w1 WHEN 1 THEN CAST(NULL AS STRING) WHEN 2 THEN CAST(NULL AS STRING) WHEN 3 THEN CAST(NULL AS STRING) WHEN 4 THEN CAST(NULL AS STRING) END AS w1, CASE _source WHEN 0 THEN CAST(NULL AS INT) WHEN 1 THEN CAST(NULL AS INT) WHEN 2 THEN CAST(NULL AS INT) WHEN 3 THEN w2 WHEN 4 THEN CAST(NULL AS INT) END AS w2, CAST(NULL AS BIGINT) AS w3, pmod(hash(w0), 4) AS _shard, CASE _source WHEN 0 THEN _file WHEN 1 THEN CAST(NULL AS STRING) WHEN 2 THEN CAST(NULL AS STRING) WHEN 3 THEN CAST(NULL AS STRING) WHEN 4 THEN CAST(NULL AS STRING) END AS _file, CASE _source WHEN 0 THEN _block WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 2 THEN CAST(NULL AS BIGINT) WHEN 3 THEN CAST(NULL AS BIGINT) WHEN 4 THEN CAST(NULL AS BIGINT) END AS _block, CASE _source WHEN 0 THEN _line WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 2 THEN CAST(NULL AS BIGINT) WHEN 3 THEN CAST(NULL AS BIGINT) WHEN 4 THEN CAST(NULL AS BIGINT) END AS _line
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1) OR (_source = 2) OR (_source = 3) OR (_source = 4)
    UNION ALL SELECT CASE _source WHEN 1 THEN 2 WHEN 2 THEN 7 END AS _port, _start, CAST(NULL AS INT) AS w0, CAST(NULL AS STRING) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(0 AS INT) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    WHERE (_source = 1 AND (w0 IS NULL)) OR (_source = 2 AND (w0 IS NULL))
    UNION ALL SELECT CASE _source WHEN 1 THEN 3 WHEN 2 THEN 8 END AS _port, _start, CAST(NULL AS INT) AS w0, CAST(NULL AS STRING) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(0 AS INT) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    WHERE (_source = 1) OR (_source = 2)
    UNION ALL SELECT 9 AS _port, _start, p0 AS w0, CAST(NULL AS STRING) AS w1, CAST(NULL AS INT) AS w2, p1 AS w3, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT w0 AS p0, _start AS _life0, pmod(hash(w0), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 3)
    GROUP BY w0, _start, pmod(hash(w0), 4))
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 2
  SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BIGINT) AS w2, CAST(0 AS INT) AS _shard
    FROM tailrace_stage_0_0
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BIGINT) AS w2, CAST(0 AS INT) AS _shard
    FROM tailrace_stage_0_1
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BIGINT) AS w2, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_0
    UNION ALL SELECT 3 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS BIGINT) AS w2, CAST(0 AS INT) AS _shard
    FROM tailrace_stage_0_3
    UNION ALL SELECT 4 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BIGINT) AS w2, CAST(0 AS INT) AS _shard
    FROM tailrace_stage_0_4
    UNION ALL SELECT 5 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS BIGINT) AS w2, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_3
    UNION ALL SELECT 6 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, w1 AS w2, CAST(0 AS INT) AS _shard
    FROM tailrace_stage_0_6
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 3
  SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard
    FROM tailrace_stage_1_0
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard
    FROM tailrace_stage_0_2
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_1_1
    UNION ALL SELECT 3 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(0 AS INT) AS _shard
    FROM tailrace_stage_1_2
    UNION ALL SELECT 4 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard
    FROM tailrace_stage_0_5
    UNION ALL SELECT 5 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_1_3
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 4
  SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w2 AS w1, w3 AS w2, pmod(hash(w2), 4) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 4)
    WHERE w3 >= 100 AND w3 <= 500
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_2_0
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS INT) AS w2, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_2_1
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 5
  SELECT _start, _until, _weight, w0 AS w0, w1 AS w1, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_3_0
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output california_auctions
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `item_id`, w1 AS `start_price`
    FROM tailrace_stage_4_0

output closing_prices
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `item_id`, w1 AS `price`
    FROM tailrace_stage_0_7

output active_auctions
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `item_id`, w1 AS `highest`
    FROM tailrace_stage_3_1

output hot_items
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `item_id`, w1 AS `bids`
    FROM tailrace_stage_1_4

== to an end, later batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

output california_auctions
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `item_id`, w1 AS `start_price`
    FROM (SELECT *
    FROM tailrace_stage_4_0
    WHERE _start <= 36000)

output closing_prices
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `item_id`, w1 AS `price`
    FROM (SELECT *
    FROM tailrace_stage_0_7
    WHERE _start <= 36000)

output active_auctions
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `item_id`, w1 AS `highest`
    FROM (SELECT *
    FROM tailrace_stage_3_1
    WHERE _start <= 36000)

output hot_items
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `item_id`, w1 AS `bids`
    FROM (SELECT *
    FROM tailrace_stage_1_4
    WHERE _start <= 36000)
