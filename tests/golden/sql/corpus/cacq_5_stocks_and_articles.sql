== to an end, first batch
rows stocks
  rows of stocks
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _unreadable AS _unreadable, CAST(`symbol` AS STRING) AS w0, CAST(`price` AS DOUBLE) AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS STRING) AS w3)

rows articles
  rows of articles
  selectExpr(1 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _unreadable AS _unreadable, CAST(`symbol` AS STRING) AS w0, CAST(NULL AS DOUBLE) AS w1, CAST(`headline` AS STRING) AS w2, CAST(`body` AS STRING) AS w3)

asked
  count(1) AS rows
  min(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS first0
  max(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS last0
  count(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS timed0
  min(IF(_source = 1 AND _unreadable IS NULL, _moment, NULL)) AS first1
  max(IF(_source = 1 AND _unreadable IS NULL, _moment, NULL)) AS last1
  count(IF(_source = 1 AND _unreadable IS NULL, _moment, NULL)) AS timed1

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1, w2, w3
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 END AS _port, _start, w0 AS w0, CASE _source WHEN 0 THEN w1 WHEN 1 THEN CAST(NULL AS DOUBLE) END AS w1, CASE _source WHEN 0 THEN CAST(NULL AS STRING) WHEN 1 THEN w2 END AS w2, CASE _source WHEN 0 THEN CAST(NULL AS STRING) WHEN 1 THEN w3 END AS w3, pmod(hash(w0), 4) AS _shard
    FROM <arrived 0>
    WHERE (_source = 0 AND (w1 > 25.0D)) OR (_source = 1)
    UNION ALL SELECT 2 AS _port, _start, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS STRING) AS w3, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    WHERE w1 > 80.0D
    UNION ALL SELECT 3 AS _port, _start, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS STRING) AS w3, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 2
  SELECT _start, _until, _weight, w0 AS w0, w1 AS w1, w2 AS w2, w3 AS w3, w4 AS w4, pmod(hash(w0, w1, w2, w3, w4), 4) AS _shard
    FROM tailrace_stage_0_0
    WHERE `pmod`(`hash`(w0), 4) = 1
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output quotes_above_25
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `symbol`, w1 AS `price`, w2 AS `symbol_2`, w3 AS `headline`, w4 AS `body`
    FROM tailrace_stage_0_1

output quotes_above_80
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `symbol`, w1 AS `price`, w2 AS `symbol_2`, w3 AS `headline`, w4 AS `body`
    FROM tailrace_stage_0_2

output quotes_by_function
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `symbol`, w1 AS `price`, w2 AS `symbol_2`, w3 AS `headline`, w4 AS `body`
    FROM tailrace_stage_1_0

== to an end, later batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1, w2, w3
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1, w2, w3
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

output quotes_above_25
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `symbol`, w1 AS `price`, w2 AS `symbol_2`, w3 AS `headline`, w4 AS `body`
    FROM (SELECT *
    FROM tailrace_stage_0_1
    WHERE _start <= 36000)

output quotes_above_80
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `symbol`, w1 AS `price`, w2 AS `symbol_2`, w3 AS `headline`, w4 AS `body`
    FROM (SELECT *
    FROM tailrace_stage_0_2
    WHERE _start <= 36000)

output quotes_by_function
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `symbol`, w1 AS `price`, w2 AS `symbol_2`, w3 AS `headline`, w4 AS `body`
    FROM (SELECT *
    FROM tailrace_stage_1_0
    WHERE _start <= 36000)
