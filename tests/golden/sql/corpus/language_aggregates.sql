== to an end, first batch
rows S
  rows of S
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(`g` AS STRING) AS w1, CAST(`v` AS INT) AS w2, CAST(`d` AS DOUBLE) AS w3)

asked
  count(1) AS rows
  min(IF(_unreadable IS NULL, _moment, NULL)) AS first0
  max(IF(_unreadable IS NULL, _moment, NULL)) AS last0
  count(IF(_unreadable IS NULL, _moment, NULL)) AS timed0

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view tailrace_stage_0
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS DOUBLE) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS STRING) AS w4, CAST(NULL AS INT) AS w5, CAST(NULL AS BIGINT) AS w6, CAST(NULL AS INT) AS w7, CAST(NULL AS STRING) AS w8, CAST(NULL AS BIGINT) AS w9, CAST(NULL AS BIGINT) AS w10, CAST(id AS INT) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT 0 AS _port, _start, w2 AS w0, CAST(1 AS INT) AS w1, w3 AS w2, w0 AS w3, w1 AS w4, CAST(w2 * 2 + 1 AS INT) AS w5, CAST(CAST(w2 AS BIGINT) DIV 2L AS BIGINT) AS w6, CAST(w2 % 10 AS INT) AS w7, CAST(NULL AS STRING) AS w8, CAST(NULL AS BIGINT) AS w9, CAST(NULL AS BIGINT) AS w10, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM <arrived 0>
    UNION ALL SELECT 1 AS _port, _start, w0 AS w0, w2 AS w1, CAST(NULL AS DOUBLE) AS w2, CAST(NULL AS INT) AS w3, w1 AS w4, CAST(NULL AS INT) AS w5, CAST(NULL AS BIGINT) AS w6, CAST(NULL AS INT) AS w7, CAST(NULL AS STRING) AS w8, CAST(NULL AS BIGINT) AS w9, CAST(NULL AS BIGINT) AS w10, pmod(hash(w0), 4) AS _shard, _file, _block, _line
    FROM <arrived 0>
    UNION ALL SELECT 2 AS _port, _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, p1 AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS STRING) AS w4, CAST(NULL AS INT) AS w5, p0 AS w6, CAST(NULL AS INT) AS w7, CAST(NULL AS STRING) AS w8, CAST(NULL AS BIGINT) AS w9, CAST(NULL AS BIGINT) AS w10, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT _start AS _life0, CAST(0 AS INT) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p0, CAST(max(w3) AS DOUBLE) AS p1
    FROM <arrived 0>
    GROUP BY _start, CAST(0 AS INT))
    UNION ALL SELECT 3 AS _port, _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS DOUBLE) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS STRING) AS w4, CAST(NULL AS INT) AS w5, p0 AS w6, CAST(NULL AS INT) AS w7, CAST(NULL AS STRING) AS w8, CAST(NULL AS BIGINT) AS w9, CAST(NULL AS BIGINT) AS w10, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT _start AS _life0, CAST(0 AS INT) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p0
    FROM <arrived 0>
    GROUP BY _start, CAST(0 AS INT))
    UNION ALL SELECT 4 AS _port, _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS DOUBLE) AS w2, CAST(NULL AS INT) AS w3, p1 AS w4, CAST(NULL AS INT) AS w5, p0 AS w6, CAST(NULL AS INT) AS w7, p2 AS w8, CAST(NULL AS BIGINT) AS w9, CAST(NULL AS BIGINT) AS w10, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT _start AS _life0, CAST(0 AS INT) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p0, CAST(min(w1) AS STRING) AS p1, CAST(max(w1) AS STRING) AS p2
    FROM <arrived 0>
    GROUP BY _start, CAST(0 AS INT))
    UNION ALL SELECT 5 AS _port, _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS DOUBLE) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS STRING) AS w4, CAST(NULL AS INT) AS w5, p0 AS w6, CAST(NULL AS INT) AS w7, CAST(NULL AS STRING) AS w8, p1 AS w9, p2 AS w10, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT greatest(((_start + 9L) - pmod(_start + 9L, 10L)), 9L) AS _life0, ((_start + 61L + 9L) - pmod(_start + 61L + 9L, 10L)) AS _life1, CAST(0 AS INT) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p0, CAST(count(w2) AS BIGINT) AS p1, CAST(sum(w2) AS BIGINT) AS p2
    FROM <arrived 0>
    GROUP BY greatest(((_start + 9L) - pmod(_start + 9L, 10L)), 9L), ((_start + 61L + 9L) - pmod(_start + 61L + 9L, 10L)), CAST(0 AS INT))
  repartitionById(4, _shard)
  sortWithinPartitions(_start, _file, _block, _line)
  drop(_shard, _file, _block, _line)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:int,w2:string,w3:bigint,w4:bigint,w5:bigint,w6:bigint,w7:double,w8:double,w9:double,w10:double,w11:bigint,w12:string>)

view tailrace_stage_1
  SELECT -1L - id AS _start, CAST(NULL AS BIGINT) AS _until, CAST(NULL AS BIGINT) AS _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS STRING) AS w2, CAST(id AS INT) AS _shard
    FROM range(0, 1, 1, 1)
    UNION ALL SELECT _start, _until, _weight, w0 AS w0, w1 AS w1, w2 AS w2, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 0)
  repartition(1)
  drop(_shard)
  mapInArrow(…, struct<_start:bigint,_until:bigint,_weight:bigint,w0:bigint,w1:bigint,w2:bigint>)

output every_one
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w3 AS `n`, w4 AS `c`, w5 AS `ones`, w6 AS `t`, w7 AS `a`, w0 AS `lo`, w1 AS `hi`, w8 AS `sd`, w9 AS `vr`, w10 AS `md`, w11 AS `ks`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 1)
  select(*)

output every_one_grouped
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w2 AS `g`, w3 AS `count`, w4 AS `count_2`, w5 AS `sum`, w7 AS `avg`, w0 AS `min`, w1 AS `max`, w8 AS `stddev`, w9 AS `variance`, w10 AS `median`, w6 AS `count_3`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 2)
  select(*)

output two_distincts
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `dk`, w1 AS `dv`, w2 AS `dg`
    FROM tailrace_stage_1
  select(*)

output of_expressions
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w3 AS `s`, w7 AS `a`, w4 AS `digits`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 3)
  select(*)

output in_expressions
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `spread`, w3 AS `whole`, w7 AS `sd`, w4 AS `pct`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 4)
  select(*)

output over_unbounded
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w3 AS `n`, w7 AS `top`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 5)
  select(*)

output over_now
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w3 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 6)
  select(*)

output of_strings
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w2 AS `first_one`, w12 AS `last_one`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 7)
  select(*)

output with_slide
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w3 AS `s`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 8)
  select(*)

output lower_case
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w3 AS `n`, w4 AS `s`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 9)
  select(*)

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

view tailrace_stage_1
  SELECT -1L - id AS _start, CAST(NULL AS BIGINT) AS _until, CAST(NULL AS BIGINT) AS _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS STRING) AS w2, CAST(id AS INT) AS _shard
    FROM range(0, 1, 1, 1)
    UNION ALL SELECT _start, _until, _weight, w0 AS w0, w1 AS w1, w2 AS w2, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 0)
  repartition(1)
  sortWithinPartitions(_start)
  drop(_shard)
  mapInArrow(…, struct<_start:bigint,_until:bigint,_weight:bigint,w0:bigint,w1:bigint,w2:bigint>)

output every_one
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w3 AS `n`, w4 AS `c`, w5 AS `ones`, w6 AS `t`, w7 AS `a`, w0 AS `lo`, w1 AS `hi`, w8 AS `sd`, w9 AS `vr`, w10 AS `md`, w11 AS `ks`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 1 AND _start <= 36000)
  select(*)

output every_one_grouped
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w2 AS `g`, w3 AS `count`, w4 AS `count_2`, w5 AS `sum`, w7 AS `avg`, w0 AS `min`, w1 AS `max`, w8 AS `stddev`, w9 AS `variance`, w10 AS `median`, w6 AS `count_3`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 2 AND _start <= 36000)
  select(*)

output two_distincts
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `dk`, w1 AS `dv`, w2 AS `dg`
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _start <= 36000)
  select(*)

output of_expressions
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w3 AS `s`, w7 AS `a`, w4 AS `digits`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 3 AND _start <= 36000)
  select(*)

output in_expressions
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `spread`, w3 AS `whole`, w7 AS `sd`, w4 AS `pct`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 4 AND _start <= 36000)
  select(*)

output over_unbounded
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w3 AS `n`, w7 AS `top`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 5 AND _start <= 36000)
  select(*)

output over_now
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w3 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 6 AND _start <= 36000)
  select(*)

output of_strings
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w2 AS `first_one`, w12 AS `last_one`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 7 AND _start <= 36000)
  select(*)

output with_slide
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w3 AS `s`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 8 AND _start <= 36000)
  select(*)

output lower_case
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w3 AS `n`, w4 AS `s`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 9 AND _start <= 36000)
  select(*)
