== to an end, first batch
rows S
  rows of S
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, 1L AS _weight, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(`v` AS INT) AS w1, CAST(NULL AS STRING) AS w2)

rows R
  rows of R
  selectExpr(1 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, CASE trim(`op`) WHEN '+' THEN 1L WHEN '-' THEN -1L END AS _weight, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(`label` AS STRING) AS w2)

asked
  count(1) AS rows
  min(IF(_source = 0 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS first0
  max(IF(_source = 0 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS last0
  count(IF(_source = 0 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS timed0
  min(IF(_source = 1 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS first1
  max(IF(_source = 1 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS last1
  count(IF(_source = 1 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS timed1

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _weight IS NOT NULL AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 END AS _port, _start, _until, _weight, w0 AS w0, CASE _source WHEN 0 THEN w1 WHEN 1 THEN CAST(NULL AS INT) END AS w1, CASE _source WHEN 0 THEN CAST(CAST(w1 AS BIGINT) DIV 10L AS BIGINT) WHEN 1 THEN CAST(NULL AS BIGINT) END AS w2, CASE _source WHEN 0 THEN CAST(CASE WHEN w1 > 7 THEN 'high' ELSE 'low' END AS STRING) WHEN 1 THEN w2 END AS w3, CASE _source WHEN 0 THEN CAST(1 AS INT) WHEN 1 THEN CAST(NULL AS INT) END AS w4, CASE _source WHEN 0 THEN CAST('a, b)' AS STRING) WHEN 1 THEN CAST(NULL AS STRING) END AS w5, CAST(NULL AS BIGINT) AS w6, CAST(NULL AS BIGINT) AS w7, pmod(hash(w0), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1)
    UNION ALL SELECT CASE _source WHEN 0 THEN 2 WHEN 1 THEN 6 END AS _port, _start, _until, _weight, CASE _source WHEN 0 THEN w0 WHEN 1 THEN CAST(NULL AS INT) END AS w0, CASE _source WHEN 0 THEN w1 WHEN 1 THEN CAST(NULL AS INT) END AS w1, CAST(NULL AS BIGINT) AS w2, CASE _source WHEN 0 THEN CAST(NULL AS STRING) WHEN 1 THEN w2 END AS w3, CAST(NULL AS INT) AS w4, CAST(NULL AS STRING) AS w5, CAST(NULL AS BIGINT) AS w6, CAST(NULL AS BIGINT) AS w7, CASE _source WHEN 0 THEN CAST(0 AS INT) WHEN 1 THEN pmod(hash(w2), 4) END AS _shard, CASE _source WHEN 0 THEN _file WHEN 1 THEN CAST(NULL AS STRING) END AS _file, CASE _source WHEN 0 THEN _block WHEN 1 THEN CAST(NULL AS BIGINT) END AS _block, CASE _source WHEN 0 THEN _line WHEN 1 THEN CAST(NULL AS BIGINT) END AS _line
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1)
    UNION ALL SELECT 7 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BIGINT) AS w2, w2 AS w3, CAST(NULL AS INT) AS w4, CAST(NULL AS STRING) AS w5, CAST(NULL AS BIGINT) AS w6, CAST(NULL AS BIGINT) AS w7, pmod(hash(w2), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 1)
    WHERE w2 <> 'x'
    UNION ALL SELECT 3 AS _port, _start, _until, _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, p0 AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS INT) AS w4, CAST(NULL AS STRING) AS w5, CAST(NULL AS BIGINT) AS w6, CAST(NULL AS BIGINT) AS w7, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT _start AS _life0, CAST(0 AS INT) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p0
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    GROUP BY _start, CAST(0 AS INT))
    UNION ALL SELECT 4 AS _port, _start, _until, _weight, p1 AS w0, p2 AS w1, p0 AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS INT) AS w4, CAST(NULL AS STRING) AS w5, CAST(NULL AS BIGINT) AS w6, CAST(NULL AS BIGINT) AS w7, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT _start AS _life0, CAST(0 AS INT) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p0, CAST(max(w1) AS INT) AS p1, CAST(min(w1) AS INT) AS p2
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    GROUP BY _start, CAST(0 AS INT))
    UNION ALL SELECT 5 AS _port, _start, _until, _weight, p0 AS w0, CAST(NULL AS INT) AS w1, p1 AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS INT) AS w4, CAST(NULL AS STRING) AS w5, p2 AS w6, p3 AS w7, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT w0 AS p0, _start AS _life0, pmod(hash(w0), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1, CAST(count(w1) AS BIGINT) AS p2, CAST(sum(w1) AS BIGINT) AS p3
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    GROUP BY w0, _start, pmod(hash(w0), 4))
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output i_star
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_0

output d_star
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_1

output r_star
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)

output i_qualified_star
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `v`, w2 AS `label`
    FROM tailrace_stage_0_2

output i_aliases
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `grp`, w1 AS `twice`, w2 AS `plus_one`
    FROM tailrace_stage_0_3

output spaced
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_4

output lower_case
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `v`
    FROM tailrace_stage_0_5

output i_aggregate
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `count`
    FROM tailrace_stage_0_6

output r_aggregates
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `n`, w1 AS `spread`
    FROM tailrace_stage_0_7

output d_group
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `total`
    FROM tailrace_stage_0_8

output i_distinct
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`
    FROM tailrace_stage_0_9

output i_distinct_star
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_10

output d_distinct_two
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `decade`
    FROM tailrace_stage_0_11

output r_distinct
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `label`
    FROM tailrace_stage_0_12

output i_count_distinct
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `ks`
    FROM tailrace_stage_0_13

output i_case
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `band`
    FROM tailrace_stage_0_14

output i_relation
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `label`
    FROM tailrace_stage_0_15

output i_top
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_16

output i_constant
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `one`, w1 AS `txt`, w2 AS `k`
    FROM tailrace_stage_0_17

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

output i_star
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_0
    WHERE _start <= 36000)

output d_star
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_1
    WHERE _start <= 36000)

output r_star
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0 AND _start <= 36000)

output i_qualified_star
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `v`, w2 AS `label`
    FROM (SELECT *
    FROM tailrace_stage_0_2
    WHERE _start <= 36000)

output i_aliases
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `grp`, w1 AS `twice`, w2 AS `plus_one`
    FROM (SELECT *
    FROM tailrace_stage_0_3
    WHERE _start <= 36000)

output spaced
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_4
    WHERE _start <= 36000)

output lower_case
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_5
    WHERE _start <= 36000)

output i_aggregate
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `count`
    FROM (SELECT *
    FROM tailrace_stage_0_6
    WHERE _start <= 36000)

output r_aggregates
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `n`, w1 AS `spread`
    FROM (SELECT *
    FROM tailrace_stage_0_7
    WHERE _start <= 36000)

output d_group
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `total`
    FROM (SELECT *
    FROM tailrace_stage_0_8
    WHERE _start <= 36000)

output i_distinct
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0_9
    WHERE _start <= 36000)

output i_distinct_star
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_10
    WHERE _start <= 36000)

output d_distinct_two
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `decade`
    FROM (SELECT *
    FROM tailrace_stage_0_11
    WHERE _start <= 36000)

output r_distinct
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `label`
    FROM (SELECT *
    FROM tailrace_stage_0_12
    WHERE _start <= 36000)

output i_count_distinct
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `ks`
    FROM (SELECT *
    FROM tailrace_stage_0_13
    WHERE _start <= 36000)

output i_case
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `band`
    FROM (SELECT *
    FROM tailrace_stage_0_14
    WHERE _start <= 36000)

output i_relation
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `label`
    FROM (SELECT *
    FROM tailrace_stage_0_15
    WHERE _start <= 36000)

output i_top
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_16
    WHERE _start <= 36000)

output i_constant
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `one`, w1 AS `txt`, w2 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0_17
    WHERE _start <= 36000)
