== to an end, first batch
rows Order Lines
  rows of Order Lines
  selectExpr(0 AS _source, unix_micros(CAST(`time stamp` AS TIMESTAMP)) AS _moment, 1L AS _weight, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`Order Id` AS INT) AS w0, CAST(`select` AS STRING) AS w1, CAST(`from` AS INT) AS w2, CAST(`Qty` AS INT) AS w3, CAST(`it's` AS INT) AS w4, CAST(NULL AS INT) AS w5, CAST(NULL AS INT) AS w6)

rows S'
  rows of S'
  selectExpr(1 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, CASE trim(`op`) WHEN '+' THEN 1L WHEN '-' THEN -1L END AS _weight, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`B` AS INT) AS w0, CAST(`group` AS STRING) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS INT) AS w4, CAST(NULL AS INT) AS w5, CAST(NULL AS INT) AS w6)

rows Words
  rows of Words
  selectExpr(2 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, 1L AS _weight, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`range` AS INT) AS w0, CAST(NULL AS STRING) AS w1, CAST(`rows` AS INT) AS w2, CAST(`now` AS INT) AS w3, CAST(`slide` AS INT) AS w4, CAST(`frequency` AS INT) AS w5, CAST(`unbounded` AS INT) AS w6)

rows CamelCase
  rows of CamelCase
  selectExpr(3 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, 1L AS _weight, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`user_id` AS INT) AS w0, CAST(`UserName` AS STRING) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS INT) AS w4, CAST(NULL AS INT) AS w5, CAST(NULL AS INT) AS w6)

asked
  count(1) AS rows
  min(IF(_source = 0 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS first0
  max(IF(_source = 0 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS last0
  count(IF(_source = 0 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS timed0
  min(IF(_source = 1 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS first1
  max(IF(_source = 1 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS last1
  count(IF(_source = 1 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS timed1
  min(IF(_source = 2 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS first2
  max(IF(_source = 2 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS last2
  count(IF(_source = 2 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS timed2
  min(IF(_source = 3 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS first3
  max(IF(_source = 3 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS last3
  count(IF(_source = 3 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS timed3

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3, w4, w5, w6
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _weight IS NOT NULL AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 WHEN 2 THEN 3 WHEN 3 THEN 4 END AS _port, _start, _until, _weight, w0 AS w0, CASE _source WHEN 0 THEN w1 WHEN 1 THEN w1 WHEN 2 THEN CAST(NULL AS STRING) WHEN 3 THEN w1 END AS w1, CASE _source WHEN 0 THEN w2 WHEN 1 THEN CAST(NULL AS INT) WHEN 2 THEN w2 WHEN 3 THEN CAST(NULL AS INT) END AS w2, CASE _source WHEN 0 THEN w3 WHEN 1 THEN CAST(NULL AS INT) WHEN 2 THEN w3 WHEN 3 THEN CAST(NULL AS INT) END AS w3, CASE _source WHEN 0 THEN w4 WHEN 1 THEN CAST(NULL AS INT) WHEN 2 THEN w4 WHEN 3 THEN CAST(NULL AS INT) END AS w4, CAST(NULL AS BIGINT) AS w5, CASE _source WHEN 0 THEN pmod(hash(w0), 4) WHEN 1 THEN pmod(hash(w0), 4) WHEN 2 THEN pmod(hash(w0, w2, w3, w4), 4) WHEN 3 THEN pmod(hash(w1, w0), 4) END AS _shard, CASE _source WHEN 0 THEN _file WHEN 1 THEN CAST(NULL AS STRING) WHEN 2 THEN CAST(NULL AS STRING) WHEN 3 THEN CAST(NULL AS STRING) END AS _file, CASE _source WHEN 0 THEN _block WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 2 THEN CAST(NULL AS BIGINT) WHEN 3 THEN CAST(NULL AS BIGINT) END AS _block, CASE _source WHEN 0 THEN _line WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 2 THEN CAST(NULL AS BIGINT) WHEN 3 THEN CAST(NULL AS BIGINT) END AS _line
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1) OR (_source = 2 AND (w6 > w5)) OR (_source = 3 AND (w1 = 'x' OR w0 > 3))
    UNION ALL SELECT 5 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS STRING) AS w1, w3 AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS INT) AS w4, CAST(NULL AS BIGINT) AS w5, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, p0 AS w0, CAST(NULL AS STRING) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS INT) AS w4, p1 AS w5, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT w0 AS p0, _start AS _life0, pmod(hash(w0), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    GROUP BY w0, _start, pmod(hash(w0), 4))
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 2
  SELECT _start, _until, _weight, w0 AS w0, w1 AS w1, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_0_0
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output all lines
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `Order Id`, w1 AS `select`, w2 AS `from`, w3 AS `Qty`
    FROM tailrace_stage_0_1

output quoted_alias
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `an alias`, w1 AS `it's`
    FROM tailrace_stage_0_2

output quoted_partition
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `Order Id`, w1 AS `select`, w2 AS `from`, w3 AS `Qty`, w4 AS `it's`
    FROM tailrace_stage_0_3

output primed
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `Qty`, w1 AS `group`
    FROM tailrace_stage_1_0

output of_view
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `the id`
    FROM tailrace_stage_0_4

output window_words
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `range`, w1 AS `rows`, w2 AS `now`, w3 AS `slide`
    FROM tailrace_stage_0_5

output any_case
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `UserName`, w1 AS `user_id`
    FROM tailrace_stage_0_6

output quoted_sequence
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `Order Id`, w1 AS `sum of`
    FROM tailrace_stage_0_7

== to an end, later batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3, w4, w5, w6
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _weight IS NOT NULL AND _unreadable IS NULL)

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3, w4, w5, w6
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _weight IS NOT NULL AND _unreadable IS NULL)

output all lines
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `Order Id`, w1 AS `select`, w2 AS `from`, w3 AS `Qty`
    FROM (SELECT *
    FROM tailrace_stage_0_1
    WHERE _start <= 36000)

output quoted_alias
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `an alias`, w1 AS `it's`
    FROM (SELECT *
    FROM tailrace_stage_0_2
    WHERE _start <= 36000)

output quoted_partition
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `Order Id`, w1 AS `select`, w2 AS `from`, w3 AS `Qty`, w4 AS `it's`
    FROM (SELECT *
    FROM tailrace_stage_0_3
    WHERE _start <= 36000)

output primed
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `Qty`, w1 AS `group`
    FROM (SELECT *
    FROM tailrace_stage_1_0
    WHERE _start <= 36000)

output of_view
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `the id`
    FROM (SELECT *
    FROM tailrace_stage_0_4
    WHERE _start <= 36000)

output window_words
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `range`, w1 AS `rows`, w2 AS `now`, w3 AS `slide`
    FROM (SELECT *
    FROM tailrace_stage_0_5
    WHERE _start <= 36000)

output any_case
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `UserName`, w1 AS `user_id`
    FROM (SELECT *
    FROM tailrace_stage_0_6
    WHERE _start <= 36000)

output quoted_sequence
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `Order Id`, w1 AS `sum of`
    FROM (SELECT *
    FROM tailrace_stage_0_7
    WHERE _start <= 36000)
