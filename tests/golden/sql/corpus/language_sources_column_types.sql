== to an end, first batch
rows Typed
  rows of Typed
  selectExpr(0 AS _source, unix_micros(CAST(`tm` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, CAST(`ti` AS TINYINT) AS w0, CAST(`si` AS SMALLINT) AS w1, CAST(`i` AS INT) AS w2, CAST(`ii` AS INT) AS w3, CAST(`bi` AS BIGINT) AS w4, CAST(`f` AS FLOAT) AS w5, CAST(`d` AS DOUBLE) AS w6, CAST(`dc` AS DECIMAL(10,2)) AS w7, CAST(`dd` AS DECIMAL(10,0)) AS w8, CAST(`s` AS STRING) AS w9, CAST(`vc` AS STRING) AS w10, CAST(`b` AS BOOLEAN) AS w11, CAST(`bin` AS BINARY) AS w12, CAST(`dt` AS DATE) AS w13, CAST(`tm` AS TIMESTAMP) AS w14, CAST(`tags` AS ARRAY<STRING>) AS w15, CAST(`props` AS MAP<STRING, INT>) AS w16, CAST(`pos` AS STRUCT<`x`: INT, `y`: INT>) AS w17)

asked
  count(1) AS rows
  min(_moment) AS first0
  max(_moment) AS last0
  count(_moment) AS timed0

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, w10, w11, w12, w13, w14, w15, w16, w17
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)])

view tailrace_rows
  rows of all

view messages for stage 1
  SELECT 0 AS _port, _start, w0 AS w0, w1 AS w1, w2 AS w2, w3 AS w3, w4 AS w4, w5 AS w5, w6 AS w6, w7 AS w7, w8 AS w8, w9 AS w9, w10 AS w10, w11 AS w11, w12 AS w12, w13 AS w13, w14 AS w14, w15 AS w15, w16 AS w16, w17 AS w17, pmod(hash(w11, w13), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    UNION ALL SELECT 1 AS _port, _start, w0 AS w0, w1 AS w1, w2 AS w2, CAST(NULL AS INT) AS w3, w4 AS w4, w5 AS w5, w6 AS w6, w7 AS w7, w8 AS w8, w9 AS w9, w10 AS w10, w11 AS w11, CAST(NULL AS BINARY) AS w12, w13 AS w13, CAST(NULL AS TIMESTAMP) AS w14, w15 AS w15, w16 AS w16, w17 AS w17, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM <arrived 0>
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output everything
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `ti`, w1 AS `si`, w2 AS `i`, w3 AS `ii`, w4 AS `bi`, w5 AS `f`, w6 AS `d`, w7 AS `dc`, w8 AS `dd`, w9 AS `s`, w10 AS `vc`, w11 AS `b`, w12 AS `bin`, w13 AS `dt`, w14 AS `tm`, w15 AS `tags`, w16 AS `props`, w17 AS `pos`
    FROM tailrace_stage_0_0

output widened
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `a`, w1 AS `b`, w2 AS `c`, w3 AS `e`, w4 AS `g`
    FROM tailrace_stage_0_1

output compared
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `i`
    FROM tailrace_stage_0_2

output inside
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `first_tag`, w1 AS `px`, w2 AS `x`, w3 AS `y`
    FROM tailrace_stage_0_3

output measured
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `n`
    FROM tailrace_stage_0_4

output grouped
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `b`, w1 AS `dt`, w2 AS `total`, w3 AS `mean`
    FROM tailrace_stage_0_5

== to an end, later batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, w10, w11, w12, w13, w14, w15, w16, w17
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)])

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, w10, w11, w12, w13, w14, w15, w16, w17
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)])

output everything
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `ti`, w1 AS `si`, w2 AS `i`, w3 AS `ii`, w4 AS `bi`, w5 AS `f`, w6 AS `d`, w7 AS `dc`, w8 AS `dd`, w9 AS `s`, w10 AS `vc`, w11 AS `b`, w12 AS `bin`, w13 AS `dt`, w14 AS `tm`, w15 AS `tags`, w16 AS `props`, w17 AS `pos`
    FROM (SELECT *
    FROM tailrace_stage_0_0
    WHERE _start <= 36000)

output widened
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `a`, w1 AS `b`, w2 AS `c`, w3 AS `e`, w4 AS `g`
    FROM (SELECT *
    FROM tailrace_stage_0_1
    WHERE _start <= 36000)

output compared
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `i`
    FROM (SELECT *
    FROM tailrace_stage_0_2
    WHERE _start <= 36000)

output inside
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `first_tag`, w1 AS `px`, w2 AS `x`, w3 AS `y`
    FROM (SELECT *
    FROM tailrace_stage_0_3
    WHERE _start <= 36000)

output measured
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_0_4
    WHERE _start <= 36000)

output grouped
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `b`, w1 AS `dt`, w2 AS `total`, w3 AS `mean`
    FROM (SELECT *
    FROM tailrace_stage_0_5
    WHERE _start <= 36000)
