== to an end, first batch
rows Bids
  rows of Bids
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(`item` AS INT) AS w0, CAST(`bidder` AS INT) AS w1, CAST(`price` AS INT) AS w2)

asked
  count(1) AS rows
  min(_moment) AS first0
  max(_moment) AS last0
  count(_moment) AS timed0

<arrived 0>
  (SELECT _moment AS _start, _moment + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT _moment <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)])

view tailrace_rows
  rows of all

view messages for stage 1
  SELECT 0 AS _port, _start, w0 AS w0, w2 AS w1, CAST(NULL AS BIGINT) AS w2, pmod(hash(w0), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    WHERE w2 > 10
    UNION ALL SELECT 1 AS _port, _start, w1 AS w0, w2 AS w1, CAST(NULL AS BIGINT) AS w2, pmod(hash(w1), 4) AS _shard, _file, _block, _line
    FROM <arrived 0>
    WHERE w1 <> 3
    UNION ALL SELECT 2 AS _port, _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BIGINT) AS w2, pmod(spark_partition_id(), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    UNION ALL SELECT 3 AS _port, _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, p0 AS w2, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT greatest(((_start + 59L) - pmod(_start + 59L, 60L)), 59L) AS _life0, ((_start + 61L + 59L) - pmod(_start + 61L + 59L, 60L)) AS _life1, CAST(0 AS INT) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p0
    FROM <arrived 0>
    GROUP BY greatest(((_start + 59L) - pmod(_start + 59L, 60L)), 59L), ((_start + 61L + 59L) - pmod(_start + 61L + 59L, 60L)), CAST(0 AS INT))
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 2
  SELECT _start, _until, _weight, w0 AS w0, w1 AS w1, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_0_0
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 3
  SELECT _start, _until, _weight, w0 AS w0, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_1_0
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output per_minute
  SELECT _start AS _ts, w0 AS `item`, w1 AS `top`, w2 AS `window_end`
    FROM tailrace_stage_0_1

output visits
  SELECT _start AS _ts, w0 AS `bidder`, w1 AS `n`
    FROM tailrace_stage_0_2

output changing
  SELECT _start AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `n`
    FROM tailrace_stage_2_0

output overlapping
  SELECT _start AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `n`
    FROM tailrace_stage_0_3

== to an end, later batch
<arrived 0>
  (SELECT _moment AS _start, _moment + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT _moment <= array(9L)[CAST(pmod(_moment, 1L) AS INT)])

== to an end, large batch
<arrived 0>
  (SELECT _moment AS _start, _moment + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT _moment <= array(19L)[CAST(pmod(_moment, 1L) AS INT)])

output per_minute
  SELECT _start AS _ts, w0 AS `item`, w1 AS `top`, w2 AS `window_end`
    FROM (SELECT *
    FROM tailrace_stage_0_1
    WHERE _start <= 500)

output visits
  SELECT _start AS _ts, w0 AS `bidder`, w1 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_0_2
    WHERE _start <= 500)

output changing
  SELECT _start AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_2_0
    WHERE _start <= 500)

output overlapping
  SELECT _start AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_0_3
    WHERE _start <= 500)

== continuously, first batch
rows Bids
  rows of Bids
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(`ts` AS BIGINT) AS w0, CAST(`item` AS INT) AS w1, CAST(`bidder` AS INT) AS w2, CAST(`price` AS INT) AS w3)

asked
  count(1) AS rows
  min(_moment) AS first0
  max(_moment) AS last0
  count(_moment) AS timed0

<arrived 0>
  (SELECT _moment AS _start, _moment + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3
    FROM tailrace_rows
    WHERE NOT _moment <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)])

view tailrace_rows
  rows of all

view messages for stage 1
  SELECT 0 AS _port, _start, w1 AS w0, w3 AS w1, pmod(hash(w1), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    WHERE w3 > 10
    UNION ALL SELECT 1 AS _port, _start, w2 AS w0, w3 AS w1, pmod(hash(w2), 4) AS _shard, _file, _block, _line
    FROM <arrived 0>
    WHERE w2 <> 3
    UNION ALL SELECT 2 AS _port, _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, pmod(spark_partition_id(), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 2
  SELECT _start, _until, _weight, w0 AS w0, w1 AS w1, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_0_0
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 3
  SELECT _start, _until, _weight, w0 AS w0, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_1_0
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output per_minute
  SELECT _start AS _ts, w0 AS `item`, w1 AS `top`, w2 AS `window_end`
    FROM tailrace_stage_0_1

output visits
  SELECT _start AS _ts, w0 AS `bidder`, w1 AS `n`
    FROM tailrace_stage_0_2

output changing
  SELECT _start AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `n`
    FROM tailrace_stage_2_0

== continuously, later batch, overlapping joins
<arrived 0>
  (SELECT _moment AS _start, _moment + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3
    FROM tailrace_rows
    WHERE NOT _moment <= array(9L)[CAST(pmod(_moment, 1L) AS INT)])

view messages for stage 1
  SELECT 0 AS _port, _start, w1 AS w0, w3 AS w1, CAST(NULL AS BIGINT) AS w2, pmod(hash(w1), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    WHERE w3 > 10
    UNION ALL SELECT 1 AS _port, _start, w2 AS w0, w3 AS w1, CAST(NULL AS BIGINT) AS w2, pmod(hash(w2), 4) AS _shard, _file, _block, _line
    FROM <arrived 0>
    WHERE w2 <> 3
    UNION ALL SELECT 2 AS _port, _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BIGINT) AS w2, pmod(spark_partition_id(), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    UNION ALL SELECT 3 AS _port, _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, p0 AS w2, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT greatest(((_start + 59L) - pmod(_start + 59L, 60L)), 59L) AS _life0, ((_start + 61L + 59L) - pmod(_start + 61L + 59L, 60L)) AS _life1, CAST(0 AS INT) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p0
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _start >= 12)
    GROUP BY greatest(((_start + 59L) - pmod(_start + 59L, 60L)), 59L), ((_start + 61L + 59L) - pmod(_start + 61L + 59L, 60L)), CAST(0 AS INT))
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output overlapping
  SELECT _start AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_0_3
    WHERE _start >= 12)
