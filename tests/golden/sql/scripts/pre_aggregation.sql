== to an end, first batch
rows S
  rows of S
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, CAST(`k` AS INT) AS w0, CAST(`g` AS STRING) AS w1, CAST(`v` AS INT) AS w2, CAST(`b` AS BIGINT) AS w3, CAST(`d` AS DOUBLE) AS w4, CAST(`p` AS DECIMAL(12,2)) AS w5, CAST(`x` AS STRING) AS w6)

asked
  count(1) AS rows
  min(_moment) AS first0
  max(_moment) AS last0
  count(_moment) AS timed0

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3, w4, w5, w6
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)])

view tailrace_rows
  rows of all

view messages for stage 1
  SELECT 0 AS _port, _start, w0 AS w0, w2 AS w1, w3 AS w2, w6 AS w3, w4 AS w4, CAST(NULL AS BIGINT) AS w5, CAST(NULL AS DECIMAL(22,2)) AS w6, CAST(NULL AS BIGINT) AS w7, CAST(NULL AS BIGINT) AS w8, CAST(NULL AS STRING) AS w9, CAST(NULL AS DECIMAL(12,2)) AS w10, pmod(hash(w0), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    UNION ALL SELECT 4 AS _port, _start, w0 AS w0, w2 AS w1, CAST(NULL AS BIGINT) AS w2, w1 AS w3, CAST(NULL AS DOUBLE) AS w4, CAST(NULL AS BIGINT) AS w5, CAST(NULL AS DECIMAL(22,2)) AS w6, CAST(NULL AS BIGINT) AS w7, CAST(NULL AS BIGINT) AS w8, w6 AS w9, CAST(NULL AS DECIMAL(12,2)) AS w10, pmod(hash(w0), 4) AS _shard, _file, _block, _line
    FROM <arrived 0>
    UNION ALL SELECT 5 AS _port, _start, w0 AS w0, w2 AS w1, w3 AS w2, w1 AS w3, w4 AS w4, CAST(NULL AS BIGINT) AS w5, CAST(NULL AS DECIMAL(22,2)) AS w6, CAST(NULL AS BIGINT) AS w7, CAST(NULL AS BIGINT) AS w8, w6 AS w9, w5 AS w10, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM <arrived 0>
    UNION ALL SELECT 6 AS _port, _start, w0 AS w0, w2 AS w1, CAST(NULL AS BIGINT) AS w2, w1 AS w3, w4 AS w4, CAST(NULL AS BIGINT) AS w5, CAST(NULL AS DECIMAL(22,2)) AS w6, CAST(NULL AS BIGINT) AS w7, CAST(NULL AS BIGINT) AS w8, w6 AS w9, CAST(NULL AS DECIMAL(12,2)) AS w10, pmod(hash(w1), 4) AS _shard, _file, _block, _line
    FROM <arrived 0>
    UNION ALL SELECT 1 AS _port, _start, p4 AS w0, CAST(NULL AS INT) AS w1, p1 AS w2, p0 AS w3, CAST(NULL AS DOUBLE) AS w4, p2 AS w5, p3 AS w6, CAST(NULL AS BIGINT) AS w7, CAST(NULL AS BIGINT) AS w8, CAST(NULL AS STRING) AS w9, CAST(NULL AS DECIMAL(12,2)) AS w10, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT w1 AS p0, greatest(((_start + 59L) - pmod(_start + 59L, 60L)), 59L) AS _life0, ((_start + 61L + 59L) - pmod(_start + 61L + 59L, 60L)) AS _life1, pmod(hash(w1), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1, CAST(count(w5) AS BIGINT) AS p2, CAST(sum(w5) AS DECIMAL(22,2)) AS p3, CAST(max(w2) AS INT) AS p4
    FROM <arrived 0>
    WHERE w2 > 0 OR w1 = 'a'
    GROUP BY w1, greatest(((_start + 59L) - pmod(_start + 59L, 60L)), 59L), ((_start + 61L + 59L) - pmod(_start + 61L + 59L, 60L)), pmod(hash(w1), 4))
    UNION ALL SELECT 2 AS _port, _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, p0 AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS DOUBLE) AS w4, p1 AS w5, CAST(NULL AS DECIMAL(22,2)) AS w6, p2 AS w7, p3 AS w8, CAST(NULL AS STRING) AS w9, CAST(NULL AS DECIMAL(12,2)) AS w10, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT greatest(((_start + 2L) - pmod(_start + 2L, 3L)), 2L) AS _life0, ((_start + 10L + 2L) - pmod(_start + 10L + 2L, 3L)) AS _life1, CAST(0 AS INT) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p0, CAST(count(IF(w2 > 3, 1, NULL)) AS BIGINT) AS p1, CAST(count(IF(w1 IS NULL, w2, NULL)) AS BIGINT) AS p2, CAST(sum(IF(w1 IS NULL, w2, NULL)) AS BIGINT) AS p3
    FROM <arrived 0>
    GROUP BY greatest(((_start + 2L) - pmod(_start + 2L, 3L)), 2L), ((_start + 10L + 2L) - pmod(_start + 10L + 2L, 3L)), CAST(0 AS INT))
    UNION ALL SELECT 3 AS _port, _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, p0 AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS DOUBLE) AS w4, p1 AS w5, CAST(NULL AS DECIMAL(22,2)) AS w6, p2 AS w7, p3 AS w8, CAST(NULL AS STRING) AS w9, CAST(NULL AS DECIMAL(12,2)) AS w10, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT _start AS _life0, CAST(0 AS INT) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p0, CAST(count(w2) AS BIGINT) AS p1, CAST(count(CAST(w2 + 1 AS INT)) AS BIGINT) AS p2, CAST(sum(CAST(w2 + 1 AS INT)) AS BIGINT) AS p3
    FROM <arrived 0>
    GROUP BY _start, CAST(0 AS INT))
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output sums
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `n`, w2 AS `v`, w3 AS `b`, w4 AS `x`
    FROM tailrace_stage_0_0

output tumbling
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `g`, w1 AS `p`, w2 AS `v`
    FROM tailrace_stage_0_1

output chosen
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `n`, w1 AS `v`
    FROM tailrace_stage_0_2

output total
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `n`, w1 AS `v`
    FROM tailrace_stage_0_3

output doubles
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `d`, w2 AS `s`
    FROM tailrace_stage_0_4

output sampled
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `g`, w2 AS `v`, w3 AS `x`
    FROM tailrace_stage_0_5

output last_of_slot
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `g`, w2 AS `v`, w3 AS `b`, w4 AS `d`, w5 AS `p`, w6 AS `x`
    FROM tailrace_stage_0_6

output seen
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `n`, w2 AS `v`, w3 AS `x`, w4 AS `d`
    FROM tailrace_stage_0_7

== to an end, later batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3, w4, w5, w6
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)])

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3, w4, w5, w6
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)])

view messages for stage 1
  SELECT 0 AS _port, _start, w0 AS w0, w2 AS w1, w3 AS w2, w6 AS w3, w4 AS w4, CAST(NULL AS BIGINT) AS w5, CAST(NULL AS DECIMAL(22,2)) AS w6, CAST(NULL AS BIGINT) AS w7, CAST(NULL AS BIGINT) AS w8, CAST(NULL AS STRING) AS w9, CAST(NULL AS DECIMAL(12,2)) AS w10, pmod(hash(w0), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    UNION ALL SELECT 1 AS _port, _start, p4 AS w0, CAST(NULL AS INT) AS w1, p1 AS w2, p0 AS w3, CAST(NULL AS DOUBLE) AS w4, p2 AS w5, p3 AS w6, CAST(NULL AS BIGINT) AS w7, CAST(NULL AS BIGINT) AS w8, CAST(NULL AS STRING) AS w9, CAST(NULL AS DECIMAL(12,2)) AS w10, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT w1 AS p0, greatest(((_start + 59L) - pmod(_start + 59L, 60L)), 59L) AS _life0, ((_start + 61L + 59L) - pmod(_start + 61L + 59L, 60L)) AS _life1, pmod(hash(w1), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1, CAST(count(w5) AS BIGINT) AS p2, CAST(sum(w5) AS DECIMAL(22,2)) AS p3, CAST(max(w2) AS INT) AS p4
    FROM <arrived 0>
    WHERE w2 > 0 OR w1 = 'a'
    GROUP BY w1, greatest(((_start + 59L) - pmod(_start + 59L, 60L)), 59L), ((_start + 61L + 59L) - pmod(_start + 61L + 59L, 60L)), pmod(hash(w1), 4))
    UNION ALL SELECT 2 AS _port, _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, p0 AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS DOUBLE) AS w4, p1 AS w5, CAST(NULL AS DECIMAL(22,2)) AS w6, p2 AS w7, p3 AS w8, CAST(NULL AS STRING) AS w9, CAST(NULL AS DECIMAL(12,2)) AS w10, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT greatest(((_start + 2L) - pmod(_start + 2L, 3L)), 2L) AS _life0, ((_start + 10L + 2L) - pmod(_start + 10L + 2L, 3L)) AS _life1, CAST(0 AS INT) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p0, CAST(count(IF(w2 > 3, 1, NULL)) AS BIGINT) AS p1, CAST(count(IF(w1 IS NULL, w2, NULL)) AS BIGINT) AS p2, CAST(sum(IF(w1 IS NULL, w2, NULL)) AS BIGINT) AS p3
    FROM <arrived 0>
    GROUP BY greatest(((_start + 2L) - pmod(_start + 2L, 3L)), 2L), ((_start + 10L + 2L) - pmod(_start + 10L + 2L, 3L)), CAST(0 AS INT))
    UNION ALL SELECT 3 AS _port, _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, p0 AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS DOUBLE) AS w4, p1 AS w5, CAST(NULL AS DECIMAL(22,2)) AS w6, p2 AS w7, p3 AS w8, CAST(NULL AS STRING) AS w9, CAST(NULL AS DECIMAL(12,2)) AS w10, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT _start AS _life0, CAST(0 AS INT) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p0, CAST(count(w2) AS BIGINT) AS p1, CAST(count(CAST(w2 + 1 AS INT)) AS BIGINT) AS p2, CAST(sum(CAST(w2 + 1 AS INT)) AS BIGINT) AS p3
    FROM <arrived 0>
    GROUP BY _start, CAST(0 AS INT))
    UNION ALL SELECT 4 AS _port, _start, w0 AS w0, w2 AS w1, CAST(NULL AS BIGINT) AS w2, w1 AS w3, CAST(NULL AS DOUBLE) AS w4, CAST(NULL AS BIGINT) AS w5, CAST(NULL AS DECIMAL(22,2)) AS w6, CAST(NULL AS BIGINT) AS w7, CAST(NULL AS BIGINT) AS w8, w6 AS w9, CAST(NULL AS DECIMAL(12,2)) AS w10, pmod(hash(w0), 4) AS _shard, _file, _block, _line
    FROM (SELECT /*+ BROADCAST(_bounds) */ _rows.*
    FROM (SELECT *
    FROM <arrived 0>) AS _rows
    LEFT JOIN (SELECT max(_start) AS _bound, w0 AS _key0
    FROM <arrived 0>
    GROUP BY greatest((_start + 9L) div 10L, 1L), w0) AS _bounds ON _start = _bound AND w0 <=> _key0
    WHERE false OR _bound IS NOT NULL)
    UNION ALL SELECT 5 AS _port, _start, w0 AS w0, w2 AS w1, w3 AS w2, w1 AS w3, w4 AS w4, CAST(NULL AS BIGINT) AS w5, CAST(NULL AS DECIMAL(22,2)) AS w6, CAST(NULL AS BIGINT) AS w7, CAST(NULL AS BIGINT) AS w8, w6 AS w9, w5 AS w10, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM (SELECT /*+ BROADCAST(_bounds) */ _rows.*
    FROM (SELECT *
    FROM <arrived 0>) AS _rows
    LEFT JOIN (SELECT max(_start) AS _bound
    FROM <arrived 0>
    GROUP BY greatest((_start + 9L) div 10L, 1L)) AS _bounds ON _start = _bound
    WHERE false OR _bound IS NOT NULL)
    UNION ALL SELECT 6 AS _port, _start, w0 AS w0, w2 AS w1, CAST(NULL AS BIGINT) AS w2, w1 AS w3, w4 AS w4, CAST(NULL AS BIGINT) AS w5, CAST(NULL AS DECIMAL(22,2)) AS w6, CAST(NULL AS BIGINT) AS w7, CAST(NULL AS BIGINT) AS w8, w6 AS w9, CAST(NULL AS DECIMAL(12,2)) AS w10, pmod(hash(w1), 4) AS _shard, _file, _block, _line
    FROM (SELECT /*+ BROADCAST(_bounds) */ _rows.*
    FROM (SELECT *
    FROM <arrived 0>) AS _rows
    LEFT JOIN (SELECT min(_start) AS _bound, w1 AS _key0
    FROM <arrived 0>
    GROUP BY _start div 10L, w1) AS _bounds ON _start = _bound AND w1 <=> _key0
    WHERE _start + 3L > (_start div 10L + 1L) * 10L OR _bound IS NOT NULL)
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output sums
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `n`, w2 AS `v`, w3 AS `b`, w4 AS `x`
    FROM (SELECT *
    FROM tailrace_stage_0_0
    WHERE _start <= 36000)

output tumbling
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `g`, w1 AS `p`, w2 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_1
    WHERE _start <= 36000)

output chosen
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `n`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_2
    WHERE _start <= 36000)

output total
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `n`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_3
    WHERE _start <= 36000)

output doubles
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `d`, w2 AS `s`
    FROM (SELECT *
    FROM tailrace_stage_0_4
    WHERE _start <= 36000)

output sampled
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `g`, w2 AS `v`, w3 AS `x`
    FROM (SELECT *
    FROM tailrace_stage_0_5
    WHERE _start <= 36000)

output last_of_slot
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `g`, w2 AS `v`, w3 AS `b`, w4 AS `d`, w5 AS `p`, w6 AS `x`
    FROM (SELECT *
    FROM tailrace_stage_0_6
    WHERE _start <= 36000)

output seen
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `n`, w2 AS `v`, w3 AS `x`, w4 AS `d`
    FROM (SELECT *
    FROM tailrace_stage_0_7
    WHERE _start <= 36000)

== continuously, first batch
rows S
  rows of S
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, CAST(`k` AS INT) AS w0, CAST(`g` AS STRING) AS w1, CAST(`v` AS INT) AS w2, CAST(`b` AS BIGINT) AS w3, CAST(`d` AS DOUBLE) AS w4, CAST(`p` AS DECIMAL(12,2)) AS w5, CAST(`x` AS STRING) AS w6)

asked
  count(1) AS rows
  min(_moment) AS first0
  max(_moment) AS last0
  count(_moment) AS timed0

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3, w4, w5, w6
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)])

view tailrace_rows
  rows of all

view messages for stage 1
  SELECT 0 AS _port, _start, w0 AS w0, w2 AS w1, w3 AS w2, w6 AS w3, w4 AS w4, CAST(NULL AS BIGINT) AS w5, CAST(NULL AS DECIMAL(22,2)) AS w6, CAST(NULL AS BIGINT) AS w7, CAST(NULL AS BIGINT) AS w8, CAST(NULL AS STRING) AS w9, CAST(NULL AS DECIMAL(12,2)) AS w10, pmod(hash(w0), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    UNION ALL SELECT 4 AS _port, _start, w0 AS w0, w2 AS w1, CAST(NULL AS BIGINT) AS w2, w1 AS w3, CAST(NULL AS DOUBLE) AS w4, CAST(NULL AS BIGINT) AS w5, CAST(NULL AS DECIMAL(22,2)) AS w6, CAST(NULL AS BIGINT) AS w7, CAST(NULL AS BIGINT) AS w8, w6 AS w9, CAST(NULL AS DECIMAL(12,2)) AS w10, pmod(hash(w0), 4) AS _shard, _file, _block, _line
    FROM <arrived 0>
    UNION ALL SELECT 5 AS _port, _start, w0 AS w0, w2 AS w1, w3 AS w2, w1 AS w3, w4 AS w4, CAST(NULL AS BIGINT) AS w5, CAST(NULL AS DECIMAL(22,2)) AS w6, CAST(NULL AS BIGINT) AS w7, CAST(NULL AS BIGINT) AS w8, w6 AS w9, w5 AS w10, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM <arrived 0>
    UNION ALL SELECT 1 AS _port, _start, p4 AS w0, CAST(NULL AS INT) AS w1, p1 AS w2, p0 AS w3, CAST(NULL AS DOUBLE) AS w4, p2 AS w5, p3 AS w6, CAST(NULL AS BIGINT) AS w7, CAST(NULL AS BIGINT) AS w8, CAST(NULL AS STRING) AS w9, CAST(NULL AS DECIMAL(12,2)) AS w10, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT w1 AS p0, greatest(((_start + 59L) - pmod(_start + 59L, 60L)), 59L) AS _life0, ((_start + 61L + 59L) - pmod(_start + 61L + 59L, 60L)) AS _life1, pmod(hash(w1), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1, CAST(count(w5) AS BIGINT) AS p2, CAST(sum(w5) AS DECIMAL(22,2)) AS p3, CAST(max(w2) AS INT) AS p4
    FROM <arrived 0>
    WHERE w2 > 0 OR w1 = 'a'
    GROUP BY w1, greatest(((_start + 59L) - pmod(_start + 59L, 60L)), 59L), ((_start + 61L + 59L) - pmod(_start + 61L + 59L, 60L)), pmod(hash(w1), 4))
    UNION ALL SELECT 2 AS _port, _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, p0 AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS DOUBLE) AS w4, p1 AS w5, CAST(NULL AS DECIMAL(22,2)) AS w6, p2 AS w7, p3 AS w8, CAST(NULL AS STRING) AS w9, CAST(NULL AS DECIMAL(12,2)) AS w10, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT greatest(((_start + 2L) - pmod(_start + 2L, 3L)), 2L) AS _life0, ((_start + 10L + 2L) - pmod(_start + 10L + 2L, 3L)) AS _life1, CAST(0 AS INT) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p0, CAST(count(IF(w2 > 3, 1, NULL)) AS BIGINT) AS p1, CAST(count(IF(w1 IS NULL, w2, NULL)) AS BIGINT) AS p2, CAST(sum(IF(w1 IS NULL, w2, NULL)) AS BIGINT) AS p3
    FROM <arrived 0>
    GROUP BY greatest(((_start + 2L) - pmod(_start + 2L, 3L)), 2L), ((_start + 10L + 2L) - pmod(_start + 10L + 2L, 3L)), CAST(0 AS INT))
    UNION ALL SELECT 3 AS _port, _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, p0 AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS DOUBLE) AS w4, p1 AS w5, CAST(NULL AS DECIMAL(22,2)) AS w6, p2 AS w7, p3 AS w8, CAST(NULL AS STRING) AS w9, CAST(NULL AS DECIMAL(12,2)) AS w10, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT _start AS _life0, CAST(0 AS INT) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p0, CAST(count(w2) AS BIGINT) AS p1, CAST(count(CAST(w2 + 1 AS INT)) AS BIGINT) AS p2, CAST(sum(CAST(w2 + 1 AS INT)) AS BIGINT) AS p3
    FROM <arrived 0>
    GROUP BY _start, CAST(0 AS INT))
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output sums
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `n`, w2 AS `v`, w3 AS `b`, w4 AS `x`
    FROM tailrace_stage_0_0

output tumbling
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `g`, w1 AS `p`, w2 AS `v`
    FROM tailrace_stage_0_1

output chosen
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `n`, w1 AS `v`
    FROM tailrace_stage_0_2

output total
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `n`, w1 AS `v`
    FROM tailrace_stage_0_3

output doubles
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `d`, w2 AS `s`
    FROM tailrace_stage_0_4

output sampled
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `g`, w2 AS `v`, w3 AS `x`
    FROM tailrace_stage_0_5

output last_of_slot
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `g`, w2 AS `v`, w3 AS `b`, w4 AS `d`, w5 AS `p`, w6 AS `x`
    FROM tailrace_stage_0_6

== continuously, later batch, seen joins
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3, w4, w5, w6
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)])

view messages for stage 1
  SELECT 0 AS _port, _start, w0 AS w0, w2 AS w1, w3 AS w2, w6 AS w3, w4 AS w4, CAST(NULL AS BIGINT) AS w5, CAST(NULL AS DECIMAL(22,2)) AS w6, CAST(NULL AS BIGINT) AS w7, CAST(NULL AS BIGINT) AS w8, CAST(NULL AS STRING) AS w9, CAST(NULL AS DECIMAL(12,2)) AS w10, pmod(hash(w0), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    UNION ALL SELECT 4 AS _port, _start, w0 AS w0, w2 AS w1, CAST(NULL AS BIGINT) AS w2, w1 AS w3, CAST(NULL AS DOUBLE) AS w4, CAST(NULL AS BIGINT) AS w5, CAST(NULL AS DECIMAL(22,2)) AS w6, CAST(NULL AS BIGINT) AS w7, CAST(NULL AS BIGINT) AS w8, w6 AS w9, CAST(NULL AS DECIMAL(12,2)) AS w10, pmod(hash(w0), 4) AS _shard, _file, _block, _line
    FROM <arrived 0>
    UNION ALL SELECT 5 AS _port, _start, w0 AS w0, w2 AS w1, w3 AS w2, w1 AS w3, w4 AS w4, CAST(NULL AS BIGINT) AS w5, CAST(NULL AS DECIMAL(22,2)) AS w6, CAST(NULL AS BIGINT) AS w7, CAST(NULL AS BIGINT) AS w8, w6 AS w9, w5 AS w10, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM <arrived 0>
    UNION ALL SELECT 6 AS _port, _start, w0 AS w0, w2 AS w1, CAST(NULL AS BIGINT) AS w2, w1 AS w3, w4 AS w4, CAST(NULL AS BIGINT) AS w5, CAST(NULL AS DECIMAL(22,2)) AS w6, CAST(NULL AS BIGINT) AS w7, CAST(NULL AS BIGINT) AS w8, w6 AS w9, CAST(NULL AS DECIMAL(12,2)) AS w10, pmod(hash(w1), 4) AS _shard, _file, _block, _line
    FROM <arrived 0>
    UNION ALL SELECT 1 AS _port, _start, p4 AS w0, CAST(NULL AS INT) AS w1, p1 AS w2, p0 AS w3, CAST(NULL AS DOUBLE) AS w4, p2 AS w5, p3 AS w6, CAST(NULL AS BIGINT) AS w7, CAST(NULL AS BIGINT) AS w8, CAST(NULL AS STRING) AS w9, CAST(NULL AS DECIMAL(12,2)) AS w10, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT w1 AS p0, greatest(((_start + 59L) - pmod(_start + 59L, 60L)), 59L) AS _life0, ((_start + 61L + 59L) - pmod(_start + 61L + 59L, 60L)) AS _life1, pmod(hash(w1), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1, CAST(count(w5) AS BIGINT) AS p2, CAST(sum(w5) AS DECIMAL(22,2)) AS p3, CAST(max(w2) AS INT) AS p4
    FROM <arrived 0>
    WHERE w2 > 0 OR w1 = 'a'
    GROUP BY w1, greatest(((_start + 59L) - pmod(_start + 59L, 60L)), 59L), ((_start + 61L + 59L) - pmod(_start + 61L + 59L, 60L)), pmod(hash(w1), 4))
    UNION ALL SELECT 2 AS _port, _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, p0 AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS DOUBLE) AS w4, p1 AS w5, CAST(NULL AS DECIMAL(22,2)) AS w6, p2 AS w7, p3 AS w8, CAST(NULL AS STRING) AS w9, CAST(NULL AS DECIMAL(12,2)) AS w10, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT greatest(((_start + 2L) - pmod(_start + 2L, 3L)), 2L) AS _life0, ((_start + 10L + 2L) - pmod(_start + 10L + 2L, 3L)) AS _life1, CAST(0 AS INT) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p0, CAST(count(IF(w2 > 3, 1, NULL)) AS BIGINT) AS p1, CAST(count(IF(w1 IS NULL, w2, NULL)) AS BIGINT) AS p2, CAST(sum(IF(w1 IS NULL, w2, NULL)) AS BIGINT) AS p3
    FROM <arrived 0>
    GROUP BY greatest(((_start + 2L) - pmod(_start + 2L, 3L)), 2L), ((_start + 10L + 2L) - pmod(_start + 10L + 2L, 3L)), CAST(0 AS INT))
    UNION ALL SELECT 3 AS _port, _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, p0 AS w2, CAST(NULL AS STRING) AS w3, CAST(NULL AS DOUBLE) AS w4, p1 AS w5, CAST(NULL AS DECIMAL(22,2)) AS w6, p2 AS w7, p3 AS w8, CAST(NULL AS STRING) AS w9, CAST(NULL AS DECIMAL(12,2)) AS w10, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT _start AS _life0, CAST(0 AS INT) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p0, CAST(count(w2) AS BIGINT) AS p1, CAST(count(CAST(w2 + 1 AS INT)) AS BIGINT) AS p2, CAST(sum(CAST(w2 + 1 AS INT)) AS BIGINT) AS p3
    FROM <arrived 0>
    GROUP BY _start, CAST(0 AS INT))
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output seen
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `n`, w2 AS `v`, w3 AS `x`, w4 AS `d`
    FROM (SELECT *
    FROM tailrace_stage_0_7
    WHERE _start >= 12)
