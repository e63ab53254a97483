== to an end, first batch
rows S
  rows of S
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(`k` AS INT) AS w0, CAST(`v` AS INT) AS w1, CAST(NULL AS STRING) AS w2)

rows T
  rows of T
  selectExpr(1 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(`k` AS INT) AS w0, CAST(`w` AS INT) AS w1, CAST(NULL AS STRING) AS w2)

rows Growing
  rows of Growing
  selectExpr(3 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(`name` AS STRING) AS w2)

rows Changing
  rows of Changing
  selectExpr(4 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(`k` AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(`name` AS STRING) AS w2)

asked
  count(1) AS rows
  min(IF(_source = 0, _moment, NULL)) AS first0
  max(IF(_source = 0, _moment, NULL)) AS last0
  count(IF(_source = 0, _moment, NULL)) AS timed0
  min(IF(_source = 1, _moment, NULL)) AS first1
  max(IF(_source = 1, _moment, NULL)) AS last1
  count(IF(_source = 1, _moment, NULL)) AS timed1
  min(IF(_source = 3, _moment, NULL)) AS first3
  max(IF(_source = 3, _moment, NULL)) AS last3
  count(IF(_source = 3, _moment, NULL)) AS timed3
  min(IF(_source = 4, _moment, NULL)) AS first4
  max(IF(_source = 4, _moment, NULL)) AS last4
  count(IF(_source = 4, _moment, NULL)) AS timed4

<arrived 2>
  (SELECT 0L AS _start, 0L + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2
    FROM tailrace_source_2
    WHERE true)

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)])

view tailrace_rows
  rows of all

view tailrace_source_2
  rows of Still
  selectExpr(2 AS _source, 0L AS _moment, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(`k` AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(`name` AS STRING) AS w2)

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 WHEN 3 THEN 3 WHEN 4 THEN 6 END AS _port, _start, CASE _source WHEN 0 THEN w0 WHEN 1 THEN w0 WHEN 3 THEN CAST(NULL AS INT) WHEN 4 THEN w0 END AS w0, CASE _source WHEN 0 THEN CAST(NULL AS INT) WHEN 1 THEN w1 WHEN 3 THEN CAST(NULL AS INT) WHEN 4 THEN CAST(NULL AS INT) END AS w1, CASE _source WHEN 0 THEN CAST(NULL AS STRING) WHEN 1 THEN CAST(NULL AS STRING) WHEN 3 THEN w2 WHEN 4 THEN w2 END AS w2, CASE _source WHEN 0 THEN pmod(hash(w0), 4) WHEN 1 THEN pmod(hash(w0), 4) WHEN 3 THEN pmod(hash(w2), 4) WHEN 4 THEN pmod(hash(w0), 4) END AS _shard, CASE _source WHEN 0 THEN CAST(NULL AS STRING) WHEN 1 THEN CAST(NULL AS STRING) WHEN 3 THEN CAST(NULL AS STRING) WHEN 4 THEN _file END AS _file, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 3 THEN CAST(NULL AS BIGINT) WHEN 4 THEN _block END AS _block, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 3 THEN CAST(NULL AS BIGINT) WHEN 4 THEN _line END AS _line
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1) OR (_source = 3) OR (_source = 4)
    UNION ALL SELECT CASE _source WHEN 0 THEN 4 WHEN 1 THEN 5 END AS _port, _start, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS STRING) AS w2, pmod(spark_partition_id(), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1)
    UNION ALL SELECT 2 AS _port, _start, w0 AS w0, CAST(NULL AS INT) AS w1, w2 AS w2, pmod(hash(w0), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 2>
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output filtered
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    WHERE w1 > 1

output joined
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `w`
    FROM tailrace_stage_0_0

output looked_up
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `name`
    FROM tailrace_stage_0_1

output grown
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `name`
    FROM tailrace_stage_0_2

output united
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`
    FROM tailrace_stage_0_3

output named
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    WHERE w1 > 9

output may_change
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `name`
    FROM tailrace_stage_0_4

output bounded
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM tailrace_stage_0_5

output without
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM tailrace_stage_0_6

== to an end, later batch
<arrived 2>
  is gone

view tailrace_source_2
  is gone

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)])

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 WHEN 3 THEN 3 WHEN 4 THEN 6 END AS _port, _start, CASE _source WHEN 0 THEN w0 WHEN 1 THEN w0 WHEN 3 THEN CAST(NULL AS INT) WHEN 4 THEN w0 END AS w0, CASE _source WHEN 0 THEN CAST(NULL AS INT) WHEN 1 THEN w1 WHEN 3 THEN CAST(NULL AS INT) WHEN 4 THEN CAST(NULL AS INT) END AS w1, CASE _source WHEN 0 THEN CAST(NULL AS STRING) WHEN 1 THEN CAST(NULL AS STRING) WHEN 3 THEN w2 WHEN 4 THEN w2 END AS w2, CASE _source WHEN 0 THEN pmod(hash(w0), 4) WHEN 1 THEN pmod(hash(w0), 4) WHEN 3 THEN pmod(hash(w2), 4) WHEN 4 THEN pmod(hash(w0), 4) END AS _shard, CASE _source WHEN 0 THEN CAST(NULL AS STRING) WHEN 1 THEN CAST(NULL AS STRING) WHEN 3 THEN CAST(NULL AS STRING) WHEN 4 THEN _file END AS _file, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 3 THEN CAST(NULL AS BIGINT) WHEN 4 THEN _block END AS _block, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 3 THEN CAST(NULL AS BIGINT) WHEN 4 THEN _line END AS _line
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1) OR (_source = 3) OR (_source = 4)
    UNION ALL SELECT CASE _source WHEN 0 THEN 4 WHEN 1 THEN 5 END AS _port, _start, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS STRING) AS w2, pmod(spark_partition_id(), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1)
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)])

output filtered
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0 AND _start <= 36000)
    WHERE w1 > 1

output joined
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `w`
    FROM (SELECT *
    FROM tailrace_stage_0_0
    WHERE _start <= 36000)

output looked_up
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `name`
    FROM (SELECT *
    FROM tailrace_stage_0_1
    WHERE _start <= 36000)

output grown
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `name`
    FROM (SELECT *
    FROM tailrace_stage_0_2
    WHERE _start <= 36000)

output united
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0_3
    WHERE _start <= 36000)

output named
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0 AND _start <= 36000)
    WHERE w1 > 9

output may_change
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `name`
    FROM (SELECT *
    FROM tailrace_stage_0_4
    WHERE _start <= 36000)

output bounded
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0_5
    WHERE _start <= 36000)

output without
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0_6
    WHERE _start <= 36000)

== continuously, first batch
rows S
  rows of S
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(`k` AS INT) AS w0, CAST(`v` AS INT) AS w1, CAST(NULL AS STRING) AS w2)

rows T
  rows of T
  selectExpr(1 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(`k` AS INT) AS w0, CAST(`w` AS INT) AS w1, CAST(NULL AS STRING) AS w2)

rows Growing
  rows of Growing
  selectExpr(3 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(`k` AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(`name` AS STRING) AS w2)

rows Changing
  rows of Changing
  selectExpr(4 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(`k` AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(`name` AS STRING) AS w2)

asked
  count(1) AS rows
  min(IF(_source = 0, _moment, NULL)) AS first0
  max(IF(_source = 0, _moment, NULL)) AS last0
  count(IF(_source = 0, _moment, NULL)) AS timed0
  min(IF(_source = 1, _moment, NULL)) AS first1
  max(IF(_source = 1, _moment, NULL)) AS last1
  count(IF(_source = 1, _moment, NULL)) AS timed1
  min(IF(_source = 3, _moment, NULL)) AS first3
  max(IF(_source = 3, _moment, NULL)) AS last3
  count(IF(_source = 3, _moment, NULL)) AS timed3
  min(IF(_source = 4, _moment, NULL)) AS first4
  max(IF(_source = 4, _moment, NULL)) AS last4
  count(IF(_source = 4, _moment, NULL)) AS timed4

<arrived 2>
  (SELECT 0L AS _start, 0L + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2
    FROM tailrace_source_2
    WHERE true)

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)])

view tailrace_rows
  rows of all

view tailrace_source_2
  rows of Still
  selectExpr(2 AS _source, 0L AS _moment, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(`k` AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(`name` AS STRING) AS w2)

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 WHEN 3 THEN 3 WHEN 4 THEN 6 END AS _port, _start, CASE _source WHEN 0 THEN w0 WHEN 1 THEN w0 WHEN 3 THEN CAST(NULL AS INT) WHEN 4 THEN w0 END AS w0, CASE _source WHEN 0 THEN CAST(NULL AS INT) WHEN 1 THEN w1 WHEN 3 THEN CAST(NULL AS INT) WHEN 4 THEN CAST(NULL AS INT) END AS w1, CASE _source WHEN 0 THEN CAST(NULL AS STRING) WHEN 1 THEN CAST(NULL AS STRING) WHEN 3 THEN w2 WHEN 4 THEN w2 END AS w2, CASE _source WHEN 0 THEN pmod(hash(w0), 4) WHEN 1 THEN pmod(hash(w0), 4) WHEN 3 THEN pmod(hash(w2), 4) WHEN 4 THEN pmod(hash(w0), 4) END AS _shard, CASE _source WHEN 0 THEN CAST(NULL AS STRING) WHEN 1 THEN CAST(NULL AS STRING) WHEN 3 THEN CAST(NULL AS STRING) WHEN 4 THEN _file END AS _file, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 3 THEN CAST(NULL AS BIGINT) WHEN 4 THEN _block END AS _block, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 3 THEN CAST(NULL AS BIGINT) WHEN 4 THEN _line END AS _line
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1) OR (_source = 3) OR (_source = 4)
    UNION ALL SELECT CASE _source WHEN 0 THEN 4 WHEN 1 THEN 5 END AS _port, _start, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS STRING) AS w2, pmod(spark_partition_id(), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1)
    UNION ALL SELECT 2 AS _port, _start, w0 AS w0, CAST(NULL AS INT) AS w1, w2 AS w2, pmod(hash(w0), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 2>
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output filtered
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    WHERE w1 > 1

output joined
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `w`
    FROM tailrace_stage_0_0

output looked_up
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `name`
    FROM tailrace_stage_0_1

output grown
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `name`
    FROM tailrace_stage_0_2

output united
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`
    FROM tailrace_stage_0_3

output named
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    WHERE w1 > 9

output may_change
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `name`
    FROM tailrace_stage_0_4

output bounded
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM tailrace_stage_0_5

== continuously, later batch, without joins
<arrived 2>
  is gone

view tailrace_source_2
  is gone

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)])

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 WHEN 3 THEN 3 WHEN 4 THEN 6 END AS _port, _start, CASE _source WHEN 0 THEN w0 WHEN 1 THEN w0 WHEN 3 THEN CAST(NULL AS INT) WHEN 4 THEN w0 END AS w0, CASE _source WHEN 0 THEN CAST(NULL AS INT) WHEN 1 THEN w1 WHEN 3 THEN CAST(NULL AS INT) WHEN 4 THEN CAST(NULL AS INT) END AS w1, CASE _source WHEN 0 THEN CAST(NULL AS STRING) WHEN 1 THEN CAST(NULL AS STRING) WHEN 3 THEN w2 WHEN 4 THEN w2 END AS w2, CASE _source WHEN 0 THEN pmod(hash(w0), 4) WHEN 1 THEN pmod(hash(w0), 4) WHEN 3 THEN pmod(hash(w2), 4) WHEN 4 THEN pmod(hash(w0), 4) END AS _shard, CASE _source WHEN 0 THEN CAST(NULL AS STRING) WHEN 1 THEN CAST(NULL AS STRING) WHEN 3 THEN CAST(NULL AS STRING) WHEN 4 THEN _file END AS _file, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 3 THEN CAST(NULL AS BIGINT) WHEN 4 THEN _block END AS _block, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 3 THEN CAST(NULL AS BIGINT) WHEN 4 THEN _line END AS _line
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1) OR (_source = 3) OR (_source = 4)
    UNION ALL SELECT CASE _source WHEN 0 THEN 4 WHEN 1 THEN 5 END AS _port, _start, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS STRING) AS w2, pmod(spark_partition_id(), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1)
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output without
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0_6
    WHERE _start >= 12)
