== to an end, first batch
rows SalesStream
  rows of SalesStream
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _unreadable AS _unreadable, CAST(`ItemID` AS INT) AS w0, CAST(`Price` AS DOUBLE) AS w1, CAST(`Quantity` AS INT) AS w2)

rows SalesStream_R
  rows of SalesStream_R
  selectExpr(1 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _unreadable AS _unreadable, CAST(`ItemID` AS INT) AS w0, CAST(NULL AS DOUBLE) AS w1, CAST(`Quantity` AS INT) AS w2)

asked
  count(1) AS rows
  min(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS first0
  max(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS last0
  count(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS timed0
  min(IF(_source = 1 AND _unreadable IS NULL, _moment, NULL)) AS first1
  max(IF(_source = 1 AND _unreadable IS NULL, _moment, NULL)) AS last1
  count(IF(_source = 1 AND _unreadable IS NULL, _moment, NULL)) AS timed1

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 END AS _port, _start, CASE _source WHEN 0 THEN w1 WHEN 1 THEN CAST(NULL AS DOUBLE) END AS w0, CASE _source WHEN 0 THEN CAST(NULL AS INT) WHEN 1 THEN w0 END AS w1, CASE _source WHEN 0 THEN CAST(NULL AS INT) WHEN 1 THEN w2 END AS w2, CASE _source WHEN 0 THEN CAST(0 AS INT) WHEN 1 THEN pmod(hash(w0), 4) END AS _shard
    FROM <arrived 0>
    WHERE (_source = 0 AND (w1 > 4.0D)) OR (_source = 1)
    UNION ALL SELECT CASE _source WHEN 0 THEN 2 WHEN 1 THEN 3 END AS _port, _start, CAST(NULL AS DOUBLE) AS w0, CASE _source WHEN 0 THEN w0 WHEN 1 THEN CAST(NULL AS INT) END AS w1, CASE _source WHEN 0 THEN w2 WHEN 1 THEN CAST(NULL AS INT) END AS w2, CASE _source WHEN 0 THEN pmod(hash(w0), 4) WHEN 1 THEN CAST(0 AS INT) END AS _shard
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1 AND (w0 IS NULL))
    UNION ALL SELECT CASE _source WHEN 1 THEN 4 WHEN 0 THEN 5 END AS _port, _start, CAST(NULL AS DOUBLE) AS w0, CASE _source WHEN 1 THEN CAST(NULL AS INT) WHEN 0 THEN w0 END AS w1, CAST(NULL AS INT) AS w2, CAST(0 AS INT) AS _shard
    FROM <arrived 0>
    WHERE (_source = 1) OR (_source = 0)
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 2
  SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(0 AS INT) AS _shard
    FROM tailrace_stage_0_0
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard
    FROM tailrace_stage_0_1
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_0
    UNION ALL SELECT 3 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard
    FROM tailrace_stage_0_3
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 3
  SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(0 AS INT) AS _shard
    FROM tailrace_stage_1_0
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard
    FROM tailrace_stage_0_2
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_1_1
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 4
  SELECT _start, _until, _weight, w0 AS w0, w1 AS w1, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_2_0
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output Q1
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `sum`
    FROM tailrace_stage_0_4

output Q2
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `ItemID`, w1 AS `q`
    FROM tailrace_stage_3_0

output Q2_minus
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `ItemID`, w1 AS `q`
    FROM tailrace_stage_0_5

output Q3
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `n`
    FROM tailrace_stage_1_2

output Q3_count_distinct
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `n`
    FROM tailrace_stage_0_6

== to an end, later batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

output Q1
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `sum`
    FROM (SELECT *
    FROM tailrace_stage_0_4
    WHERE _start <= 36000)

output Q2
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `ItemID`, w1 AS `q`
    FROM (SELECT *
    FROM tailrace_stage_3_0
    WHERE _start <= 36000)

output Q2_minus
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `ItemID`, w1 AS `q`
    FROM (SELECT *
    FROM tailrace_stage_0_5
    WHERE _start <= 36000)

output Q3
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_1_2
    WHERE _start <= 36000)

output Q3_count_distinct
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_0_6
    WHERE _start <= 36000)
