== to an end, first batch
rows SalesStream
  rows of SalesStream
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`StoreID` AS INT) AS w0, CAST(`ItemID` AS INT) AS w1, CAST(`Price` AS DOUBLE) AS w2)

rows SalesStream_A
  rows of SalesStream_A
  selectExpr(1 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`ItemID` AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(`Price` AS DOUBLE) AS w2)

rows SalesStream_B
  rows of SalesStream_B
  selectExpr(2 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`ItemID` AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(`Price` AS DOUBLE) AS w2)

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

<arrived 4>
  (SELECT 0L AS _start, 0L + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2
    FROM tailrace_source_4
    WHERE true AND _unreadable IS NULL)

<arrived 3>
  (SELECT 0L AS _start, 0L + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2
    FROM tailrace_source_3
    WHERE true AND _unreadable IS NULL)

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view tailrace_source_3
  rows of FavoriteItems
  selectExpr(3 AS _source, 0L AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, IF(`ItemID` IS NULL, _unreadable, concat(_unreadable, '')) AS _unreadable, CAST(`ItemID` AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS DOUBLE) AS w2)

view tailrace_source_4
  rows of FavoriteStores
  selectExpr(4 AS _source, 0L AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, IF(`StoreID` IS NULL, _unreadable, concat(_unreadable, '')) AS _unreadable, CAST(`StoreID` AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS DOUBLE) AS w2)

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 WHEN 2 THEN 2 END AS _port, _start, CASE _source WHEN 0 THEN w2 WHEN 1 THEN CAST(NULL AS DOUBLE) WHEN 2 THEN w2 END AS w0, CASE _source WHEN 0 THEN CAST(NULL AS INT) WHEN 1 THEN w0 WHEN 2 THEN w0 END AS w1, CAST(NULL AS INT) AS w2, CASE _source WHEN 0 THEN CAST(0 AS INT) WHEN 1 THEN pmod(hash(w0), 4) WHEN 2 THEN pmod(hash(w0), 4) END AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    WHERE (_source = 0 AND (w1 > 5)) OR (_source = 1 AND (w2 > 8.0D)) OR (_source = 2)
    UNION ALL SELECT CASE _source WHEN 0 THEN 4 WHEN 1 THEN 6 END AS _port, _start, w2 AS w0, w0 AS w1, CASE _source WHEN 0 THEN w1 WHEN 1 THEN CAST(NULL AS INT) END AS w2, CASE _source WHEN 0 THEN pmod(hash(w1), 4) WHEN 1 THEN pmod(hash(w0), 4) END AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1)
    UNION ALL SELECT 3 AS _port, _start, CAST(NULL AS DOUBLE) AS w0, w0 AS w1, CAST(NULL AS INT) AS w2, pmod(hash(w0), 4) AS _shard, _file, _block, _line
    FROM <arrived 3>
    UNION ALL SELECT 5 AS _port, _start, CAST(NULL AS DOUBLE) AS w0, w0 AS w1, CAST(NULL AS INT) AS w2, pmod(hash(w0), 4) AS _shard, _file, _block, _line
    FROM <arrived 4>
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 2
  SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS DOUBLE) AS w2, CAST(0 AS INT) AS _shard
    FROM tailrace_stage_0_0
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, w2 AS w2, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_1
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS DOUBLE) AS w2, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_2
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 3
  SELECT _start, _until, _weight, w0 AS w0, w1 AS w1, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_1_0
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output Q1
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `sum`
    FROM tailrace_stage_0_3

output Q2
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `ItemID`
    FROM tailrace_stage_0_4

output Q3
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `count`
    FROM tailrace_stage_1_1

output Q4
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `ItemID`, w1 AS `sum`
    FROM tailrace_stage_2_0

output Q5
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `ItemID`, w1 AS `sum`
    FROM tailrace_stage_0_5

== to an end, later batch
<arrived 4>
  is gone

<arrived 3>
  is gone

view tailrace_source_3
  is gone

view tailrace_source_4
  is gone

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 WHEN 2 THEN 2 END AS _port, _start, CASE _source WHEN 0 THEN w2 WHEN 1 THEN CAST(NULL AS DOUBLE) WHEN 2 THEN w2 END AS w0, CASE _source WHEN 0 THEN CAST(NULL AS INT) WHEN 1 THEN w0 WHEN 2 THEN w0 END AS w1, CAST(NULL AS INT) AS w2, CASE _source WHEN 0 THEN CAST(0 AS INT) WHEN 1 THEN pmod(hash(w0), 4) WHEN 2 THEN pmod(hash(w0), 4) END AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    WHERE (_source = 0 AND (w1 > 5)) OR (_source = 1 AND (w2 > 8.0D)) OR (_source = 2)
    UNION ALL SELECT CASE _source WHEN 0 THEN 4 WHEN 1 THEN 6 END AS _port, _start, w2 AS w0, w0 AS w1, CASE _source WHEN 0 THEN w1 WHEN 1 THEN CAST(NULL AS INT) END AS w2, CASE _source WHEN 0 THEN pmod(hash(w1), 4) WHEN 1 THEN pmod(hash(w0), 4) END AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1)
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

output Q1
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `sum`
    FROM (SELECT *
    FROM tailrace_stage_0_3
    WHERE _start <= 36000)

output Q2
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `ItemID`
    FROM (SELECT *
    FROM tailrace_stage_0_4
    WHERE _start <= 36000)

output Q3
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `count`
    FROM (SELECT *
    FROM tailrace_stage_1_1
    WHERE _start <= 36000)

output Q4
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `ItemID`, w1 AS `sum`
    FROM (SELECT *
    FROM tailrace_stage_2_0
    WHERE _start <= 36000)

output Q5
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `ItemID`, w1 AS `sum`
    FROM (SELECT *
    FROM tailrace_stage_0_5
    WHERE _start <= 36000)
