== to an end, first batch
rows B
  rows of B
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, 1L AS _weight, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(`w` AS INT) AS w1, CAST(NULL AS STRING) AS w2)

rows A
  rows of A
  selectExpr(1 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, 1L AS _weight, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(`v` AS INT) AS w1, CAST(NULL AS STRING) AS w2)

rows R
  rows of R
  selectExpr(2 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, CASE trim(`op`) WHEN '+' THEN 1L WHEN '-' THEN -1L END AS _weight, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(`label` AS STRING) AS w2)

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

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _weight IS NOT NULL AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 WHEN 2 THEN 5 END AS _port, _start, _until, _weight, w0 AS w0, CASE _source WHEN 0 THEN CAST(NULL AS INT) WHEN 1 THEN w1 WHEN 2 THEN CAST(NULL AS INT) END AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS BIGINT) AS w3, pmod(hash(w0), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    WHERE (_source = 0 AND (w1 > 1)) OR (_source = 1) OR (_source = 2 AND (w2 LIKE 'x%'))
    UNION ALL SELECT CASE _source WHEN 0 THEN 2 WHEN 1 THEN 3 WHEN 2 THEN 6 END AS _port, _start, _until, _weight, w0 AS w0, CASE _source WHEN 0 THEN CAST(NULL AS INT) WHEN 1 THEN w1 WHEN 2 THEN CAST(NULL AS INT) END AS w1, CASE _source WHEN 0 THEN CAST(NULL AS STRING) WHEN 1 THEN CAST(NULL AS STRING) WHEN 2 THEN w2 END AS w2, CAST(NULL AS BIGINT) AS w3, CASE _source WHEN 0 THEN CAST(0 AS INT) WHEN 1 THEN CAST(0 AS INT) WHEN 2 THEN pmod(hash(w0), 4) END AS _shard, CASE _source WHEN 0 THEN _file WHEN 1 THEN CAST(NULL AS STRING) WHEN 2 THEN CAST(NULL AS STRING) END AS _file, CASE _source WHEN 0 THEN _block WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 2 THEN CAST(NULL AS BIGINT) END AS _block, CASE _source WHEN 0 THEN _line WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 2 THEN CAST(NULL AS BIGINT) END AS _line
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1) OR (_source = 2)
    UNION ALL SELECT CASE _source WHEN 0 THEN 4 WHEN 2 THEN 7 WHEN 1 THEN 8 END AS _port, _start, _until, _weight, w0 AS w0, CASE _source WHEN 0 THEN w1 WHEN 2 THEN CAST(NULL AS INT) WHEN 1 THEN CAST(NULL AS INT) END AS w1, CASE _source WHEN 0 THEN CAST(NULL AS STRING) WHEN 2 THEN w2 WHEN 1 THEN CAST(NULL AS STRING) END AS w2, CAST(NULL AS BIGINT) AS w3, CASE _source WHEN 0 THEN pmod(hash(w0), 4) WHEN 2 THEN pmod(hash(w2), 4) WHEN 1 THEN pmod(hash(w0), 4) END AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 2) OR (_source = 1 AND (w1 > 0))
    UNION ALL SELECT 9 AS _port, _start, _until, _weight, p0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS STRING) AS w2, p1 AS w3, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT w0 AS p0, _start AS _life0, pmod(hash(w0), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    GROUP BY w0, _start, pmod(hash(w0), 4))
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 2
  SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS STRING) AS w1, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 1)
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS STRING) AS w1, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_0
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, w0 AS w1, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_1
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output correlated
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_2

output not_correlated
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_3

output negated
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM tailrace_stage_1_0

output by_two_columns
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM tailrace_stage_0_4

output on_relation
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`
    FROM tailrace_stage_0_5

output relation_outside
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `label`
    FROM tailrace_stage_1_1

output both_kinds
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM tailrace_stage_0_6

output nested
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM tailrace_stage_0_7

output of_aggregate
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM tailrace_stage_0_8

== to an end, later batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _weight IS NOT NULL AND _unreadable IS NULL)

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _weight IS NOT NULL AND _unreadable IS NULL)

output correlated
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_2
    WHERE _start <= 36000)

output not_correlated
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_3
    WHERE _start <= 36000)

output negated
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_1_0
    WHERE _start <= 36000)

output by_two_columns
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0_4
    WHERE _start <= 36000)

output on_relation
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0_5
    WHERE _start <= 36000)

output relation_outside
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `label`
    FROM (SELECT *
    FROM tailrace_stage_1_1
    WHERE _start <= 36000)

output both_kinds
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0_6
    WHERE _start <= 36000)

output nested
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0_7
    WHERE _start <= 36000)

output of_aggregate
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0_8
    WHERE _start <= 36000)
