== to an end, first batch
rows A
  rows of A
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, 1L AS _weight, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(`v` AS INT) AS w1, CAST(`t` AS STRING) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS DOUBLE) AS w4, CAST(NULL AS DECIMAL(10,2)) AS w5)

rows B
  rows of B
  selectExpr(1 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, 1L AS _weight, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS STRING) AS w2, CAST(`v` AS BIGINT) AS w3, CAST(`d` AS DOUBLE) AS w4, CAST(NULL AS DECIMAL(10,2)) AS w5)

rows C
  rows of C
  selectExpr(IF(CAST(`beat` AS BOOLEAN) AND unix_micros(CAST(`ts` AS TIMESTAMP)) IS NOT NULL, -3, 2) AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, 1L AS _weight, _metadata.file_path AS _file, _metadata.file_block_start AS _block, CAST(NULL AS STRING) AS _unreadable, CAST(`k` AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS DOUBLE) AS w4, CAST(`v` AS DECIMAL(10,2)) AS w5)

rows Signed
  rows of Signed
  selectExpr(4 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, CASE trim(`op`) WHEN '+' THEN 1L WHEN '-' THEN -1L END AS _weight, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(`w` AS INT) AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS DOUBLE) AS w4, CAST(NULL AS DECIMAL(10,2)) AS w5)

rows Latest
  rows of Latest
  selectExpr(5 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, 1L AS _weight, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(`price` AS DOUBLE) AS w4, CAST(NULL AS DECIMAL(10,2)) AS w5)

asked
  count(IF(_source >= 0, 1, NULL)) AS rows
  min(IF(_source = 0 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS first0
  max(IF(_source = 0 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS last0
  count(IF(_source = 0 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS timed0
  min(IF(_source = 1 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS first1
  max(IF(_source = 1 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS last1
  count(IF(_source = 1 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS timed1
  min(IF(_source = 2 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS first2
  max(IF(_source = 2 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS last2
  count(IF(_source = 2 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS timed2
  max(IF(_source = -3, _moment, NULL)) AS promised2
  min(IF(_source = 4 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS first4
  max(IF(_source = 4 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS last4
  count(IF(_source = 4 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS timed4
  min(IF(_source = 5 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS first5
  max(IF(_source = 5 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS last5
  count(IF(_source = 5 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS timed5

<arrived 3>
  (SELECT 0L AS _start, 0L + 1L AS _until, _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3, w4, w5
    FROM tailrace_source_3
    WHERE true AND _weight IS NOT NULL AND _unreadable IS NULL)

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3, w4, w5
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _source >= 0 AND _weight IS NOT NULL AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view tailrace_source_3
  rows of Fixed
  selectExpr(3 AS _source, 0L AS _moment, 1L AS _weight, _metadata.file_path AS _file, _metadata.file_block_start AS _block, IF(`k` IS NULL, _unreadable, concat(_unreadable, '')) AS _unreadable, CAST(`k` AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(`name` AS STRING) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS DOUBLE) AS w4, CAST(NULL AS DECIMAL(10,2)) AS w5)

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 WHEN 2 THEN 2 WHEN 4 THEN 5 WHEN 5 THEN 6 END AS _port, _start, _until, _weight, CASE _source WHEN 0 THEN w1 WHEN 1 THEN CAST(NULL AS INT) WHEN 2 THEN w0 WHEN 4 THEN w1 WHEN 5 THEN w0 END AS w0, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN w3 WHEN 2 THEN CAST(NULL AS BIGINT) WHEN 4 THEN CAST(NULL AS BIGINT) WHEN 5 THEN CAST(NULL AS BIGINT) END AS w1, CASE _source WHEN 0 THEN CAST(NULL AS DECIMAL(10,2)) WHEN 1 THEN CAST(NULL AS DECIMAL(10,2)) WHEN 2 THEN w5 WHEN 4 THEN CAST(NULL AS DECIMAL(10,2)) WHEN 5 THEN CAST(NULL AS DECIMAL(10,2)) END AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS STRING) AS w4, CASE _source WHEN 0 THEN CAST(NULL AS DOUBLE) WHEN 1 THEN CAST(NULL AS DOUBLE) WHEN 2 THEN CAST(NULL AS DOUBLE) WHEN 4 THEN CAST(NULL AS DOUBLE) WHEN 5 THEN w4 END AS w5, CASE _source WHEN 0 THEN pmod(hash(w1), 4) WHEN 1 THEN pmod(hash(w3), 4) WHEN 2 THEN CAST(0 AS INT) WHEN 4 THEN pmod(hash(w1), 4) WHEN 5 THEN pmod(hash(w0), 4) END AS _shard, CASE _source WHEN 0 THEN CAST(NULL AS STRING) WHEN 1 THEN CAST(NULL AS STRING) WHEN 2 THEN _file WHEN 4 THEN CAST(NULL AS STRING) WHEN 5 THEN _file END AS _file, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 2 THEN _block WHEN 4 THEN CAST(NULL AS BIGINT) WHEN 5 THEN _block END AS _block, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 2 THEN _line WHEN 4 THEN CAST(NULL AS BIGINT) WHEN 5 THEN _line END AS _line
    FROM <arrived 0>
    WHERE (_source = 0 AND (w0 = 3)) OR (_source = 1 AND (w0 IN (1, 5) OR w0 <> 1)) OR (_source = 2) OR (_source = 4 AND (w0 > 2 OR w1 = 0)) OR (_source = 5)
    UNION ALL SELECT CASE _source WHEN 0 THEN 3 WHEN 1 THEN 7 WHEN 2 THEN 8 END AS _port, _start, _until, _weight, w0 AS w0, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN w3 WHEN 2 THEN CAST(NULL AS BIGINT) END AS w1, CASE _source WHEN 0 THEN CAST(NULL AS DECIMAL(10,2)) WHEN 1 THEN CAST(NULL AS DECIMAL(10,2)) WHEN 2 THEN w5 END AS w2, CASE _source WHEN 0 THEN w1 WHEN 1 THEN CAST(NULL AS INT) WHEN 2 THEN CAST(NULL AS INT) END AS w3, CAST(NULL AS STRING) AS w4, CAST(NULL AS DOUBLE) AS w5, pmod(hash(w0), 4) AS _shard, CASE _source WHEN 0 THEN CAST(NULL AS STRING) WHEN 1 THEN CAST(NULL AS STRING) WHEN 2 THEN _file END AS _file, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 2 THEN _block END AS _block, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 2 THEN _line END AS _line
    FROM <arrived 0>
    WHERE (_source = 0 AND (w1 < 9 OR w2 IS NULL)) OR (_source = 1) OR (_source = 2)
    UNION ALL SELECT CASE _source WHEN 1 THEN 9 WHEN 0 THEN 11 END AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS BIGINT) AS w1, CAST(NULL AS DECIMAL(10,2)) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS STRING) AS w4, CASE _source WHEN 1 THEN w4 WHEN 0 THEN CAST(NULL AS DOUBLE) END AS w5, pmod(hash(w0), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    WHERE (_source = 1 AND (w4 > 0.5D)) OR (_source = 0)
    UNION ALL SELECT 4 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS BIGINT) AS w1, CAST(NULL AS DECIMAL(10,2)) AS w2, CAST(NULL AS INT) AS w3, w2 AS w4, CAST(NULL AS DOUBLE) AS w5, pmod(hash(w0), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 3>
    UNION ALL SELECT 10 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS BIGINT) AS w1, CAST(NULL AS DECIMAL(10,2)) AS w2, CAST(NULL AS INT) AS w3, w2 AS w4, CAST(NULL AS DOUBLE) AS w5, pmod(hash(w2), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 3>
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 2
  SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 END AS _port, _start, _until, _weight, w0 AS w0, CASE _source WHEN 0 THEN w1 WHEN 1 THEN CAST(NULL AS INT) END AS w1, CASE _source WHEN 0 THEN w2 WHEN 1 THEN CAST(NULL AS STRING) END AS w2, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN w3 END AS w3, CASE _source WHEN 0 THEN CAST(NULL AS DOUBLE) WHEN 1 THEN w4 END AS w4, CAST(NULL AS DECIMAL(10,2)) AS w5, pmod(hash(w0), 4) AS _shard
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1)
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w1 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS DOUBLE) AS w4, w0 AS w5, pmod(hash(w1), 4) AS _shard
    FROM tailrace_stage_0_0
    UNION ALL SELECT 3 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, w1 AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS DOUBLE) AS w4, CAST(NULL AS DECIMAL(10,2)) AS w5, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_0_1
    UNION ALL SELECT 4 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS STRING) AS w2, w0 AS w3, w1 AS w4, CAST(NULL AS DECIMAL(10,2)) AS w5, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_0_2
    UNION ALL SELECT 5 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, w0 AS w2, CAST(NULL AS BIGINT) AS w3, w1 AS w4, CAST(NULL AS DECIMAL(10,2)) AS w5, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_0_3
    UNION ALL SELECT 6 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, w0 AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS DOUBLE) AS w4, CAST(NULL AS DECIMAL(10,2)) AS w5, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_4
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 3
  SELECT _start, _until, _weight, w0 AS w0, w1 AS w1, w2 AS w2, pmod(hash(w0, w1, w2), 4) AS _shard
    FROM tailrace_stage_1_0
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output chosen
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`
    FROM tailrace_stage_0_5

output either
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`
    FROM tailrace_stage_0_6

output joined
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `d`, w2 AS `c`
    FROM tailrace_stage_2_0

output named
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `v`, w1 AS `name`
    FROM tailrace_stage_1_1

output by_weight
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `w`, w1 AS `n`
    FROM tailrace_stage_0_7

output priced
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `price`
    FROM tailrace_stage_1_2

output newest
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_8

output outside
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `name`, w1 AS `d`
    FROM tailrace_stage_1_3

output late_comer
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `name`, w1 AS `n`
    FROM tailrace_stage_1_4

== to an end, later batch
<arrived 3>
  is gone

view tailrace_source_3
  is gone

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3, w4, w5
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _source >= 0 AND _weight IS NOT NULL AND _unreadable IS NULL)

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 WHEN 2 THEN 2 WHEN 4 THEN 5 WHEN 5 THEN 6 END AS _port, _start, _until, _weight, CASE _source WHEN 0 THEN w1 WHEN 1 THEN CAST(NULL AS INT) WHEN 2 THEN w0 WHEN 4 THEN w1 WHEN 5 THEN w0 END AS w0, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN w3 WHEN 2 THEN CAST(NULL AS BIGINT) WHEN 4 THEN CAST(NULL AS BIGINT) WHEN 5 THEN CAST(NULL AS BIGINT) END AS w1, CASE _source WHEN 0 THEN CAST(NULL AS DECIMAL(10,2)) WHEN 1 THEN CAST(NULL AS DECIMAL(10,2)) WHEN 2 THEN w5 WHEN 4 THEN CAST(NULL AS DECIMAL(10,2)) WHEN 5 THEN CAST(NULL AS DECIMAL(10,2)) END AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS STRING) AS w4, CASE _source WHEN 0 THEN CAST(NULL AS DOUBLE) WHEN 1 THEN CAST(NULL AS DOUBLE) WHEN 2 THEN CAST(NULL AS DOUBLE) WHEN 4 THEN CAST(NULL AS DOUBLE) WHEN 5 THEN w4 END AS w5, CASE _source WHEN 0 THEN pmod(hash(w1), 4) WHEN 1 THEN pmod(hash(w3), 4) WHEN 2 THEN CAST(0 AS INT) WHEN 4 THEN pmod(hash(w1), 4) WHEN 5 THEN pmod(hash(w0), 4) END AS _shard, CASE _source WHEN 0 THEN CAST(NULL AS STRING) WHEN 1 THEN CAST(NULL AS STRING) WHEN 2 THEN _file WHEN 4 THEN CAST(NULL AS STRING) WHEN 5 THEN _file END AS _file, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 2 THEN _block WHEN 4 THEN CAST(NULL AS BIGINT) WHEN 5 THEN _block END AS _block, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 2 THEN _line WHEN 4 THEN CAST(NULL AS BIGINT) WHEN 5 THEN _line END AS _line
    FROM <arrived 0>
    WHERE (_source = 0 AND (w0 = 3)) OR (_source = 1 AND (w0 IN (1, 5) OR w0 <> 1)) OR (_source = 2) OR (_source = 4 AND (w0 > 2 OR w1 = 0)) OR (_source = 5)
    UNION ALL SELECT CASE _source WHEN 0 THEN 3 WHEN 1 THEN 7 WHEN 2 THEN 8 END AS _port, _start, _until, _weight, w0 AS w0, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN w3 WHEN 2 THEN CAST(NULL AS BIGINT) END AS w1, CASE _source WHEN 0 THEN CAST(NULL AS DECIMAL(10,2)) WHEN 1 THEN CAST(NULL AS DECIMAL(10,2)) WHEN 2 THEN w5 END AS w2, CASE _source WHEN 0 THEN w1 WHEN 1 THEN CAST(NULL AS INT) WHEN 2 THEN CAST(NULL AS INT) END AS w3, CAST(NULL AS STRING) AS w4, CAST(NULL AS DOUBLE) AS w5, pmod(hash(w0), 4) AS _shard, CASE _source WHEN 0 THEN CAST(NULL AS STRING) WHEN 1 THEN CAST(NULL AS STRING) WHEN 2 THEN _file END AS _file, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 2 THEN _block END AS _block, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 2 THEN _line END AS _line
    FROM <arrived 0>
    WHERE (_source = 0 AND (w1 < 9 OR w2 IS NULL)) OR (_source = 1) OR (_source = 2)
    UNION ALL SELECT CASE _source WHEN 1 THEN 9 WHEN 0 THEN 11 END AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS BIGINT) AS w1, CAST(NULL AS DECIMAL(10,2)) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS STRING) AS w4, CASE _source WHEN 1 THEN w4 WHEN 0 THEN CAST(NULL AS DOUBLE) END AS w5, pmod(hash(w0), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    WHERE (_source = 1 AND (w4 > 0.5D)) OR (_source = 0)
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3, w4, w5
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _source >= 0 AND _weight IS NOT NULL AND _unreadable IS NULL)

output chosen
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_5
    WHERE _start <= 36000)

output either
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_6
    WHERE _start <= 36000)

output joined
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `d`, w2 AS `c`
    FROM (SELECT *
    FROM tailrace_stage_2_0
    WHERE _start <= 36000)

output named
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `v`, w1 AS `name`
    FROM (SELECT *
    FROM tailrace_stage_1_1
    WHERE _start <= 36000)

output by_weight
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `w`, w1 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_0_7
    WHERE _start <= 36000)

output priced
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `price`
    FROM (SELECT *
    FROM tailrace_stage_1_2
    WHERE _start <= 36000)

output newest
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_8
    WHERE _start <= 36000)

output outside
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `name`, w1 AS `d`
    FROM (SELECT *
    FROM tailrace_stage_1_3
    WHERE _start <= 36000)

output late_comer
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `name`, w1 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_1_4
    WHERE _start <= 36000)

== continuously, first batch
rows A
  rows of A
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, 1L AS _weight, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(`v` AS INT) AS w1, CAST(`t` AS STRING) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS DOUBLE) AS w4, CAST(NULL AS DECIMAL(10,2)) AS w5)

rows B
  rows of B
  selectExpr(1 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, 1L AS _weight, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS STRING) AS w2, CAST(`v` AS BIGINT) AS w3, CAST(`d` AS DOUBLE) AS w4, CAST(NULL AS DECIMAL(10,2)) AS w5)

rows C
  rows of C
  selectExpr(IF(CAST(`beat` AS BOOLEAN) AND unix_micros(CAST(`ts` AS TIMESTAMP)) IS NOT NULL, -3, 2) AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, 1L AS _weight, _metadata.file_path AS _file, _metadata.file_block_start AS _block, CAST(NULL AS STRING) AS _unreadable, CAST(`k` AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS DOUBLE) AS w4, CAST(`v` AS DECIMAL(10,2)) AS w5)

rows Signed
  rows of Signed
  selectExpr(4 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, CASE trim(`op`) WHEN '+' THEN 1L WHEN '-' THEN -1L END AS _weight, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(`w` AS INT) AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS DOUBLE) AS w4, CAST(NULL AS DECIMAL(10,2)) AS w5)

rows Latest
  rows of Latest
  selectExpr(5 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, 1L AS _weight, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(`price` AS DOUBLE) AS w4, CAST(NULL AS DECIMAL(10,2)) AS w5)

asked
  count(IF(_source >= 0, 1, NULL)) AS rows
  min(IF(_source = 0 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS first0
  max(IF(_source = 0 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS last0
  count(IF(_source = 0 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS timed0
  min(IF(_source = 1 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS first1
  max(IF(_source = 1 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS last1
  count(IF(_source = 1 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS timed1
  min(IF(_source = 2 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS first2
  max(IF(_source = 2 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS last2
  count(IF(_source = 2 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS timed2
  max(IF(_source = -3, _moment, NULL)) AS promised2
  min(IF(_source = 4 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS first4
  max(IF(_source = 4 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS last4
  count(IF(_source = 4 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS timed4
  min(IF(_source = 5 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS first5
  max(IF(_source = 5 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS last5
  count(IF(_source = 5 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS timed5

<arrived 3>
  (SELECT 0L AS _start, 0L + 1L AS _until, _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3, w4, w5
    FROM tailrace_source_3
    WHERE true AND _weight IS NOT NULL AND _unreadable IS NULL)

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3, w4, w5
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _source >= 0 AND _weight IS NOT NULL AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view tailrace_source_3
  rows of Fixed
  selectExpr(3 AS _source, 0L AS _moment, 1L AS _weight, _metadata.file_path AS _file, _metadata.file_block_start AS _block, IF(`k` IS NULL, _unreadable, concat(_unreadable, '')) AS _unreadable, CAST(`k` AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(`name` AS STRING) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS DOUBLE) AS w4, CAST(NULL AS DECIMAL(10,2)) AS w5)

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 WHEN 2 THEN 2 WHEN 4 THEN 5 WHEN 5 THEN 6 END AS _port, _start, _until, _weight, CASE _source WHEN 0 THEN w1 WHEN 1 THEN CAST(NULL AS INT) WHEN 2 THEN w0 WHEN 4 THEN w1 WHEN 5 THEN w0 END AS w0, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN w3 WHEN 2 THEN CAST(NULL AS BIGINT) WHEN 4 THEN CAST(NULL AS BIGINT) WHEN 5 THEN CAST(NULL AS BIGINT) END AS w1, CASE _source WHEN 0 THEN CAST(NULL AS DECIMAL(10,2)) WHEN 1 THEN CAST(NULL AS DECIMAL(10,2)) WHEN 2 THEN w5 WHEN 4 THEN CAST(NULL AS DECIMAL(10,2)) WHEN 5 THEN CAST(NULL AS DECIMAL(10,2)) END AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS STRING) AS w4, CASE _source WHEN 0 THEN CAST(NULL AS DOUBLE) WHEN 1 THEN CAST(NULL AS DOUBLE) WHEN 2 THEN CAST(NULL AS DOUBLE) WHEN 4 THEN CAST(NULL AS DOUBLE) WHEN 5 THEN w4 END AS w5, CASE _source WHEN 0 THEN pmod(hash(w1), 4) WHEN 1 THEN pmod(hash(w3), 4) WHEN 2 THEN CAST(0 AS INT) WHEN 4 THEN pmod(hash(w1), 4) WHEN 5 THEN pmod(hash(w0), 4) END AS _shard, CASE _source WHEN 0 THEN CAST(NULL AS STRING) WHEN 1 THEN CAST(NULL AS STRING) WHEN 2 THEN _file WHEN 4 THEN CAST(NULL AS STRING) WHEN 5 THEN _file END AS _file, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 2 THEN _block WHEN 4 THEN CAST(NULL AS BIGINT) WHEN 5 THEN _block END AS _block, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 2 THEN _line WHEN 4 THEN CAST(NULL AS BIGINT) WHEN 5 THEN _line END AS _line
    FROM <arrived 0>
    WHERE (_source = 0 AND (w0 = 3)) OR (_source = 1 AND (w0 IN (1, 5) OR w0 <> 1)) OR (_source = 2) OR (_source = 4 AND (w0 > 2 OR w1 = 0)) OR (_source = 5)
    UNION ALL SELECT CASE _source WHEN 0 THEN 3 WHEN 1 THEN 7 WHEN 2 THEN 8 END AS _port, _start, _until, _weight, w0 AS w0, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN w3 WHEN 2 THEN CAST(NULL AS BIGINT) END AS w1, CASE _source WHEN 0 THEN CAST(NULL AS DECIMAL(10,2)) WHEN 1 THEN CAST(NULL AS DECIMAL(10,2)) WHEN 2 THEN w5 END AS w2, CASE _source WHEN 0 THEN w1 WHEN 1 THEN CAST(NULL AS INT) WHEN 2 THEN CAST(NULL AS INT) END AS w3, CAST(NULL AS STRING) AS w4, CAST(NULL AS DOUBLE) AS w5, pmod(hash(w0), 4) AS _shard, CASE _source WHEN 0 THEN CAST(NULL AS STRING) WHEN 1 THEN CAST(NULL AS STRING) WHEN 2 THEN _file END AS _file, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 2 THEN _block END AS _block, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 2 THEN _line END AS _line
    FROM <arrived 0>
    WHERE (_source = 0 AND (w1 < 9 OR w2 IS NULL)) OR (_source = 1) OR (_source = 2)
    UNION ALL SELECT 9 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS BIGINT) AS w1, CAST(NULL AS DECIMAL(10,2)) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS STRING) AS w4, w4 AS w5, pmod(hash(w0), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 1)
    WHERE w4 > 0.5D
    UNION ALL SELECT 4 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS BIGINT) AS w1, CAST(NULL AS DECIMAL(10,2)) AS w2, CAST(NULL AS INT) AS w3, w2 AS w4, CAST(NULL AS DOUBLE) AS w5, pmod(hash(w0), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 3>
    UNION ALL SELECT 10 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS BIGINT) AS w1, CAST(NULL AS DECIMAL(10,2)) AS w2, CAST(NULL AS INT) AS w3, w2 AS w4, CAST(NULL AS DOUBLE) AS w5, pmod(hash(w2), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 3>
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 2
  SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 END AS _port, _start, _until, _weight, w0 AS w0, CASE _source WHEN 0 THEN w1 WHEN 1 THEN CAST(NULL AS INT) END AS w1, CASE _source WHEN 0 THEN w2 WHEN 1 THEN CAST(NULL AS STRING) END AS w2, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN w3 END AS w3, CASE _source WHEN 0 THEN CAST(NULL AS DOUBLE) WHEN 1 THEN w4 END AS w4, CAST(NULL AS DECIMAL(10,2)) AS w5, pmod(hash(w0), 4) AS _shard
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1)
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w1 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS DOUBLE) AS w4, w0 AS w5, pmod(hash(w1), 4) AS _shard
    FROM tailrace_stage_0_0
    UNION ALL SELECT 3 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, w1 AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS DOUBLE) AS w4, CAST(NULL AS DECIMAL(10,2)) AS w5, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_0_1
    UNION ALL SELECT 4 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS STRING) AS w2, w0 AS w3, w1 AS w4, CAST(NULL AS DECIMAL(10,2)) AS w5, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_0_2
    UNION ALL SELECT 5 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, w0 AS w2, CAST(NULL AS BIGINT) AS w3, w1 AS w4, CAST(NULL AS DECIMAL(10,2)) AS w5, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_0_3
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 3
  SELECT _start, _until, _weight, w0 AS w0, w1 AS w1, w2 AS w2, pmod(hash(w0, w1, w2), 4) AS _shard
    FROM tailrace_stage_1_0
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output chosen
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`
    FROM tailrace_stage_0_4

output either
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`
    FROM tailrace_stage_0_5

output joined
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `d`, w2 AS `c`
    FROM tailrace_stage_2_0

output named
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `v`, w1 AS `name`
    FROM tailrace_stage_1_1

output by_weight
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `w`, w1 AS `n`
    FROM tailrace_stage_0_6

output priced
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`, w1 AS `price`
    FROM tailrace_stage_1_2

output newest
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_7

output outside
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `name`, w1 AS `d`
    FROM tailrace_stage_1_3

== continuously, later batch, late_comer joins
<arrived 3>
  (SELECT 10L AS _start, 10L + 1L AS _until, _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3, w4, w5
    FROM tailrace_source_3
    WHERE true AND _weight IS NOT NULL AND _unreadable IS NULL)

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3, w4, w5
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _source >= 0 AND _weight IS NOT NULL AND _unreadable IS NULL)

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 WHEN 2 THEN 2 WHEN 4 THEN 5 WHEN 5 THEN 6 END AS _port, _start, _until, _weight, CASE _source WHEN 0 THEN w1 WHEN 1 THEN CAST(NULL AS INT) WHEN 2 THEN w0 WHEN 4 THEN w1 WHEN 5 THEN w0 END AS w0, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN w3 WHEN 2 THEN CAST(NULL AS BIGINT) WHEN 4 THEN CAST(NULL AS BIGINT) WHEN 5 THEN CAST(NULL AS BIGINT) END AS w1, CASE _source WHEN 0 THEN CAST(NULL AS DECIMAL(10,2)) WHEN 1 THEN CAST(NULL AS DECIMAL(10,2)) WHEN 2 THEN w5 WHEN 4 THEN CAST(NULL AS DECIMAL(10,2)) WHEN 5 THEN CAST(NULL AS DECIMAL(10,2)) END AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS STRING) AS w4, CASE _source WHEN 0 THEN CAST(NULL AS DOUBLE) WHEN 1 THEN CAST(NULL AS DOUBLE) WHEN 2 THEN CAST(NULL AS DOUBLE) WHEN 4 THEN CAST(NULL AS DOUBLE) WHEN 5 THEN w4 END AS w5, CASE _source WHEN 0 THEN pmod(hash(w1), 4) WHEN 1 THEN pmod(hash(w3), 4) WHEN 2 THEN CAST(0 AS INT) WHEN 4 THEN pmod(hash(w1), 4) WHEN 5 THEN pmod(hash(w0), 4) END AS _shard, CASE _source WHEN 0 THEN CAST(NULL AS STRING) WHEN 1 THEN CAST(NULL AS STRING) WHEN 2 THEN _file WHEN 4 THEN CAST(NULL AS STRING) WHEN 5 THEN _file END AS _file, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 2 THEN _block WHEN 4 THEN CAST(NULL AS BIGINT) WHEN 5 THEN _block END AS _block, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 2 THEN _line WHEN 4 THEN CAST(NULL AS BIGINT) WHEN 5 THEN _line END AS _line
    FROM <arrived 0>
    WHERE (_source = 0 AND (w0 = 3)) OR (_source = 1 AND (w0 IN (1, 5) OR w0 <> 1)) OR (_source = 2) OR (_source = 4 AND (w0 > 2 OR w1 = 0)) OR (_source = 5)
    UNION ALL SELECT CASE _source WHEN 0 THEN 3 WHEN 1 THEN 7 WHEN 2 THEN 8 END AS _port, _start, _until, _weight, w0 AS w0, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN w3 WHEN 2 THEN CAST(NULL AS BIGINT) END AS w1, CASE _source WHEN 0 THEN CAST(NULL AS DECIMAL(10,2)) WHEN 1 THEN CAST(NULL AS DECIMAL(10,2)) WHEN 2 THEN w5 END AS w2, CASE _source WHEN 0 THEN w1 WHEN 1 THEN CAST(NULL AS INT) WHEN 2 THEN CAST(NULL AS INT) END AS w3, CAST(NULL AS STRING) AS w4, CAST(NULL AS DOUBLE) AS w5, pmod(hash(w0), 4) AS _shard, CASE _source WHEN 0 THEN CAST(NULL AS STRING) WHEN 1 THEN CAST(NULL AS STRING) WHEN 2 THEN _file END AS _file, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 2 THEN _block END AS _block, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 2 THEN _line END AS _line
    FROM <arrived 0>
    WHERE (_source = 0 AND (w1 < 9 OR w2 IS NULL)) OR (_source = 1) OR (_source = 2)
    UNION ALL SELECT CASE _source WHEN 1 THEN 9 WHEN 0 THEN 11 END AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS BIGINT) AS w1, CAST(NULL AS DECIMAL(10,2)) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS STRING) AS w4, CASE _source WHEN 1 THEN w4 WHEN 0 THEN CAST(NULL AS DOUBLE) END AS w5, pmod(hash(w0), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    WHERE (_source = 1 AND (w4 > 0.5D)) OR (_source = 0)
    UNION ALL SELECT 12 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS BIGINT) AS w1, CAST(NULL AS DECIMAL(10,2)) AS w2, CAST(NULL AS INT) AS w3, w2 AS w4, CAST(NULL AS DOUBLE) AS w5, pmod(hash(w0), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 3>
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 2
  SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 END AS _port, _start, _until, _weight, w0 AS w0, CASE _source WHEN 0 THEN w1 WHEN 1 THEN CAST(NULL AS INT) END AS w1, CASE _source WHEN 0 THEN w2 WHEN 1 THEN CAST(NULL AS STRING) END AS w2, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN w3 END AS w3, CASE _source WHEN 0 THEN CAST(NULL AS DOUBLE) WHEN 1 THEN w4 END AS w4, CAST(NULL AS DECIMAL(10,2)) AS w5, pmod(hash(w0), 4) AS _shard
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1)
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w1 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS DOUBLE) AS w4, w0 AS w5, pmod(hash(w1), 4) AS _shard
    FROM tailrace_stage_0_0
    UNION ALL SELECT 3 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, w1 AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS DOUBLE) AS w4, CAST(NULL AS DECIMAL(10,2)) AS w5, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_0_1
    UNION ALL SELECT 4 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS STRING) AS w2, w0 AS w3, w1 AS w4, CAST(NULL AS DECIMAL(10,2)) AS w5, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_0_2
    UNION ALL SELECT 5 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, w0 AS w2, CAST(NULL AS BIGINT) AS w3, w1 AS w4, CAST(NULL AS DECIMAL(10,2)) AS w5, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_0_3
    UNION ALL SELECT 6 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, w0 AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS DOUBLE) AS w4, CAST(NULL AS DECIMAL(10,2)) AS w5, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_4
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output chosen
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`
    FROM tailrace_stage_0_5

output either
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`
    FROM tailrace_stage_0_6

output by_weight
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `w`, w1 AS `n`
    FROM tailrace_stage_0_7

output newest
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_8

output late_comer
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `name`, w1 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_1_4
    WHERE _start >= 12)
