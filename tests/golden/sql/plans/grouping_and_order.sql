== to an end, first batch
rows S
  rows of S
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(`k` AS INT) AS w0, CAST(`v` AS INT) AS w1, CAST(`x` AS DOUBLE) AS w2, CAST(`name` AS STRING) AS w3)

asked
  count(1) AS rows
  min(_moment) AS first0
  max(_moment) AS last0
  count(_moment) AS timed0

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)])

view tailrace_rows
  rows of all

view messages for stage 1
  SELECT 0 AS _port, _start, w1 AS w0, w2 AS w1, w3 AS w2, w0 AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS BIGINT) AS w5, CAST(NULL AS BIGINT) AS w6, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM <arrived 0>
    UNION ALL SELECT 4 AS _port, _start, w0 AS w0, CAST(NULL AS DOUBLE) AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS BIGINT) AS w5, CAST(NULL AS BIGINT) AS w6, pmod(hash(w0), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    UNION ALL SELECT 1 AS _port, _start, CAST(NULL AS INT) AS w0, CAST(NULL AS DOUBLE) AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS INT) AS w3, p0 AS w4, p1 AS w5, CAST(NULL AS BIGINT) AS w6, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT CAST(CAST(w1 AS BIGINT) DIV 10L AS BIGINT) AS p0, _start AS _life0, pmod(hash(CAST(CAST(w1 AS BIGINT) DIV 10L AS BIGINT)), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1
    FROM <arrived 0>
    GROUP BY CAST(CAST(w1 AS BIGINT) DIV 10L AS BIGINT), _start, pmod(hash(CAST(CAST(w1 AS BIGINT) DIV 10L AS BIGINT)), 4))
    UNION ALL SELECT 2 AS _port, _start, p1 AS w0, CAST(NULL AS DOUBLE) AS w1, p0 AS w2, CAST(NULL AS INT) AS w3, p2 AS w4, p3 AS w5, p4 AS w6, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT w3 AS p0, w0 AS p1, _start AS _life0, pmod(hash(w0), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p2, CAST(count(IF(w1 > 0, w1, NULL)) AS BIGINT) AS p3, CAST(sum(IF(w1 > 0, w1, NULL)) AS BIGINT) AS p4
    FROM <arrived 0>
    GROUP BY w3, w0, _start, pmod(hash(w0), 4))
    UNION ALL SELECT 3 AS _port, _start, p0 AS w0, CAST(NULL AS DOUBLE) AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS INT) AS w3, p1 AS w4, CAST(NULL AS BIGINT) AS w5, CAST(NULL AS BIGINT) AS w6, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT w0 AS p0, _start AS _life0, pmod(hash(w0), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1
    FROM <arrived 0>
    GROUP BY w0, _start, pmod(hash(w0), 4))
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 2
  SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard
    FROM tailrace_stage_0_0
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, w1 AS w0, w0 AS w1, CAST(0 AS INT) AS _shard
    FROM tailrace_stage_0_1
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output whole
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `count`, w1 AS `sum`, w2 AS `avg`, w3 AS `min`, w4 AS `count_2`, w5 AS `median`, w6 AS `stddev`
    FROM tailrace_stage_0_2

output by_expression
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `tens`, w1 AS `n`
    FROM tailrace_stage_0_3

output by_position
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `name`, w1 AS `k`, w2 AS `s`
    FROM tailrace_stage_0_4

output twice
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `usual`
    FROM tailrace_stage_1_0

output distinct_values
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `name`, w1 AS `odd`
    FROM tailrace_stage_0_5

output top
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_6

output top_groups
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM tailrace_stage_1_1

output unordered
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM tailrace_stage_0_7

== to an end, later batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)])

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)])

output whole
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `count`, w1 AS `sum`, w2 AS `avg`, w3 AS `min`, w4 AS `count_2`, w5 AS `median`, w6 AS `stddev`
    FROM (SELECT *
    FROM tailrace_stage_0_2
    WHERE _start <= 36000)

output by_expression
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `tens`, w1 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_0_3
    WHERE _start <= 36000)

output by_position
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `name`, w1 AS `k`, w2 AS `s`
    FROM (SELECT *
    FROM tailrace_stage_0_4
    WHERE _start <= 36000)

output twice
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `usual`
    FROM (SELECT *
    FROM tailrace_stage_1_0
    WHERE _start <= 36000)

output distinct_values
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `name`, w1 AS `odd`
    FROM (SELECT *
    FROM tailrace_stage_0_5
    WHERE _start <= 36000)

output top
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_6
    WHERE _start <= 36000)

output top_groups
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_1_1
    WHERE _start <= 36000)

output unordered
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0_7
    WHERE _start <= 36000)

== continuously, first batch
rows S
  rows of S
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(`k` AS INT) AS w0, CAST(`v` AS INT) AS w1, CAST(`x` AS DOUBLE) AS w2, CAST(`name` AS STRING) AS w3)

asked
  count(1) AS rows
  min(_moment) AS first0
  max(_moment) AS last0
  count(_moment) AS timed0

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)])

view tailrace_rows
  rows of all

view messages for stage 1
  SELECT 0 AS _port, _start, w1 AS w0, w2 AS w1, w3 AS w2, w0 AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS BIGINT) AS w5, CAST(NULL AS BIGINT) AS w6, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM <arrived 0>
    UNION ALL SELECT 1 AS _port, _start, CAST(NULL AS INT) AS w0, CAST(NULL AS DOUBLE) AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS INT) AS w3, p0 AS w4, p1 AS w5, CAST(NULL AS BIGINT) AS w6, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT CAST(CAST(w1 AS BIGINT) DIV 10L AS BIGINT) AS p0, _start AS _life0, pmod(hash(CAST(CAST(w1 AS BIGINT) DIV 10L AS BIGINT)), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1
    FROM <arrived 0>
    GROUP BY CAST(CAST(w1 AS BIGINT) DIV 10L AS BIGINT), _start, pmod(hash(CAST(CAST(w1 AS BIGINT) DIV 10L AS BIGINT)), 4))
    UNION ALL SELECT 2 AS _port, _start, p1 AS w0, CAST(NULL AS DOUBLE) AS w1, p0 AS w2, CAST(NULL AS INT) AS w3, p2 AS w4, p3 AS w5, p4 AS w6, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT w3 AS p0, w0 AS p1, _start AS _life0, pmod(hash(w0), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p2, CAST(count(IF(w1 > 0, w1, NULL)) AS BIGINT) AS p3, CAST(sum(IF(w1 > 0, w1, NULL)) AS BIGINT) AS p4
    FROM <arrived 0>
    GROUP BY w3, w0, _start, pmod(hash(w0), 4))
    UNION ALL SELECT 3 AS _port, _start, p0 AS w0, CAST(NULL AS DOUBLE) AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS INT) AS w3, p1 AS w4, CAST(NULL AS BIGINT) AS w5, CAST(NULL AS BIGINT) AS w6, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT w0 AS p0, _start AS _life0, pmod(hash(w0), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1
    FROM <arrived 0>
    GROUP BY w0, _start, pmod(hash(w0), 4))
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 2
  SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard
    FROM tailrace_stage_0_0
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, w1 AS w0, w0 AS w1, CAST(0 AS INT) AS _shard
    FROM tailrace_stage_0_1
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output whole
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `count`, w1 AS `sum`, w2 AS `avg`, w3 AS `min`, w4 AS `count_2`, w5 AS `median`, w6 AS `stddev`
    FROM tailrace_stage_0_2

output by_expression
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `tens`, w1 AS `n`
    FROM tailrace_stage_0_3

output by_position
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `name`, w1 AS `k`, w2 AS `s`
    FROM tailrace_stage_0_4

output twice
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `usual`
    FROM tailrace_stage_1_0

output distinct_values
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `name`, w1 AS `odd`
    FROM tailrace_stage_0_5

output top
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_6

output top_groups
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM tailrace_stage_1_1

== continuously, later batch, unordered joins
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)])

view messages for stage 1
  SELECT 0 AS _port, _start, w1 AS w0, w2 AS w1, w3 AS w2, w0 AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS BIGINT) AS w5, CAST(NULL AS BIGINT) AS w6, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM <arrived 0>
    UNION ALL SELECT 4 AS _port, _start, w0 AS w0, CAST(NULL AS DOUBLE) AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS BIGINT) AS w5, CAST(NULL AS BIGINT) AS w6, pmod(hash(w0), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    UNION ALL SELECT 1 AS _port, _start, CAST(NULL AS INT) AS w0, CAST(NULL AS DOUBLE) AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS INT) AS w3, p0 AS w4, p1 AS w5, CAST(NULL AS BIGINT) AS w6, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT CAST(CAST(w1 AS BIGINT) DIV 10L AS BIGINT) AS p0, _start AS _life0, pmod(hash(CAST(CAST(w1 AS BIGINT) DIV 10L AS BIGINT)), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1
    FROM <arrived 0>
    GROUP BY CAST(CAST(w1 AS BIGINT) DIV 10L AS BIGINT), _start, pmod(hash(CAST(CAST(w1 AS BIGINT) DIV 10L AS BIGINT)), 4))
    UNION ALL SELECT 2 AS _port, _start, p1 AS w0, CAST(NULL AS DOUBLE) AS w1, p0 AS w2, CAST(NULL AS INT) AS w3, p2 AS w4, p3 AS w5, p4 AS w6, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT w3 AS p0, w0 AS p1, _start AS _life0, pmod(hash(w0), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p2, CAST(count(IF(w1 > 0, w1, NULL)) AS BIGINT) AS p3, CAST(sum(IF(w1 > 0, w1, NULL)) AS BIGINT) AS p4
    FROM <arrived 0>
    GROUP BY w3, w0, _start, pmod(hash(w0), 4))
    UNION ALL SELECT 3 AS _port, _start, p0 AS w0, CAST(NULL AS DOUBLE) AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS INT) AS w3, p1 AS w4, CAST(NULL AS BIGINT) AS w5, CAST(NULL AS BIGINT) AS w6, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT w0 AS p0, _start AS _life0, pmod(hash(w0), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1
    FROM <arrived 0>
    GROUP BY w0, _start, pmod(hash(w0), 4))
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output unordered
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0_7
    WHERE _start >= 12)
