== to an end, first batch
rows Sale
  rows of Sale
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`saleId` AS INT) AS w0, CAST(`City` AS STRING) AS w1, CAST(`amount` AS DECIMAL(8,2)) AS w2, CAST(`pts` AS INT) AS w3, CAST(`w` AS DOUBLE) AS w4)

asked
  count(1) AS rows
  min(IF(_unreadable IS NULL, _moment, NULL)) AS first0
  max(IF(_unreadable IS NULL, _moment, NULL)) AS last0
  count(IF(_unreadable IS NULL, _moment, NULL)) AS timed0

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3, w4
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view messages for stage 1
  SELECT 0 AS _port, _start, CAST(w3 + 1 AS INT) AS w0, CAST(w3 - 1 AS INT) AS w1, CAST(w3 * 2 AS INT) AS w2, CAST(CAST(w3 AS BIGINT) DIV 7L AS BIGINT) AS w3, CAST(w3 % 7 AS INT) AS w4, CAST(-w3 AS INT) AS w5, CAST(CAST(w3 - 20 AS BIGINT) DIV 3L AS BIGINT) AS w6, CAST(w4 / 2.0D AS DOUBLE) AS w7, w0 AS w8, w1 AS w9, w2 AS w10, w3 AS w11, w4 AS w12, CAST(NULL AS DOUBLE) AS w13, CAST(NULL AS DECIMAL(2,1)) AS w14, CAST(NULL AS DOUBLE) AS w15, CAST(NULL AS STRING) AS w16, CAST(NULL AS STRING) AS w17, CAST(NULL AS STRING) AS w18, CAST(NULL AS STRING) AS w19, CAST(NULL AS STRING) AS w20, CAST(NULL AS STRING) AS w21, CAST(NULL AS STRING) AS w22, CAST(NULL AS DECIMAL(12,2)) AS w23, CAST(NULL AS BIGINT) AS w24, pmod(hash(CAST(w3 * 2 AS INT)), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    UNION ALL SELECT 1 AS _port, _start, CAST(`abs`(w3) AS INT) AS w0, CAST(`greatest`(w3, 3, 4) AS INT) AS w1, CAST(`least`(w3, 3) AS INT) AS w2, CAST(`floor`(w4) AS BIGINT) AS w3, CAST(`pmod`(w3, 5) AS INT) AS w4, CAST(NULL AS INT) AS w5, CAST(`ceil`(w4) AS BIGINT) AS w6, CAST(`round`(w4, 2) AS DOUBLE) AS w7, CAST(NULL AS INT) AS w8, CAST(NULL AS STRING) AS w9, CAST(NULL AS DECIMAL(8,2)) AS w10, CAST(NULL AS INT) AS w11, CAST(`sqrt`(w4) AS DOUBLE) AS w12, CAST(`power`(w3, 2) AS DOUBLE) AS w13, CAST(1.5 AS DECIMAL(2,1)) AS w14, CAST(2000.0D AS DOUBLE) AS w15, CAST(NULL AS STRING) AS w16, CAST(NULL AS STRING) AS w17, CAST(NULL AS STRING) AS w18, CAST(NULL AS STRING) AS w19, CAST(NULL AS STRING) AS w20, CAST(NULL AS STRING) AS w21, CAST(NULL AS STRING) AS w22, CAST(NULL AS DECIMAL(12,2)) AS w23, CAST(NULL AS BIGINT) AS w24, pmod(hash(CAST(`abs`(w3) AS INT)), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    UNION ALL SELECT 2 AS _port, _start, CAST(`length`(w1) AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS INT) AS w4, CAST(NULL AS INT) AS w5, CAST(NULL AS BIGINT) AS w6, CAST(NULL AS DOUBLE) AS w7, CAST(NULL AS INT) AS w8, CAST(`upper`(w1) AS STRING) AS w9, CAST(NULL AS DECIMAL(8,2)) AS w10, CAST(NULL AS INT) AS w11, CAST(NULL AS DOUBLE) AS w12, CAST(NULL AS DOUBLE) AS w13, CAST(NULL AS DECIMAL(2,1)) AS w14, CAST(NULL AS DOUBLE) AS w15, CAST(`lower`(w1) AS STRING) AS w16, CAST(`substring`(w1, 2, 2) AS STRING) AS w17, CAST(`trim`(w1) AS STRING) AS w18, CAST(`concat`(w1, '-', CAST(w0 AS STRING)) AS STRING) AS w19, CAST(w1 || '!' AS STRING) AS w20, CAST(`replace`(w1, 'o', '0') AS STRING) AS w21, CAST('it\'s' AS STRING) AS w22, CAST(NULL AS DECIMAL(12,2)) AS w23, CAST(NULL AS BIGINT) AS w24, pmod(hash(CAST(`upper`(w1) AS STRING)), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    UNION ALL SELECT 3 AS _port, _start, CAST(`nullif`(w3, 0) AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS INT) AS w4, CAST(NULL AS INT) AS w5, CAST(NULL AS BIGINT) AS w6, CAST(`ifnull`(w4, 0.0D) AS DOUBLE) AS w7, CAST(NULL AS INT) AS w8, CAST(`coalesce`(w1, 'none') AS STRING) AS w9, CAST(NULL AS DECIMAL(8,2)) AS w10, CAST(NULL AS INT) AS w11, CAST(NULL AS DOUBLE) AS w12, CAST(NULL AS DOUBLE) AS w13, CAST(NULL AS DECIMAL(2,1)) AS w14, CAST(NULL AS DOUBLE) AS w15, CAST(NULL AS STRING) AS w16, CAST(NULL AS STRING) AS w17, CAST(NULL AS STRING) AS w18, CAST(NULL AS STRING) AS w19, CAST(NULL AS STRING) AS w20, CAST(NULL AS STRING) AS w21, CAST(NULL AS STRING) AS w22, CAST(`nvl`(CAST(w2 AS DECIMAL(12,2)), CAST(0 AS DECIMAL(12,2))) AS DECIMAL(12,2)) AS w23, CAST(NULL AS BIGINT) AS w24, pmod(hash(CAST(`coalesce`(w1, 'none') AS STRING), CAST(`nullif`(w3, 0) AS INT), CAST(`ifnull`(w4, 0.0D) AS DOUBLE), CAST(`nvl`(CAST(w2 AS DECIMAL(12,2)), CAST(0 AS DECIMAL(12,2))) AS DECIMAL(12,2))), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    UNION ALL SELECT 4 AS _port, _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS INT) AS w4, CAST(NULL AS INT) AS w5, CAST(NULL AS BIGINT) AS w6, CAST(NULL AS DOUBLE) AS w7, CAST(NULL AS INT) AS w8, CAST(`if`(w3 > 3, 'many', 'few') AS STRING) AS w9, CAST(NULL AS DECIMAL(8,2)) AS w10, CAST(NULL AS INT) AS w11, CAST(NULL AS DOUBLE) AS w12, CAST(NULL AS DOUBLE) AS w13, CAST(NULL AS DECIMAL(2,1)) AS w14, CAST(NULL AS DOUBLE) AS w15, CAST(NULL AS STRING) AS w16, CAST(NULL AS STRING) AS w17, CAST(NULL AS STRING) AS w18, CAST(NULL AS STRING) AS w19, CAST(NULL AS STRING) AS w20, CAST(NULL AS STRING) AS w21, CAST(NULL AS STRING) AS w22, CAST(NULL AS DECIMAL(12,2)) AS w23, CAST(NULL AS BIGINT) AS w24, pmod(hash(CAST(`if`(w3 > 3, 'many', 'few') AS STRING)), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    UNION ALL SELECT 5 AS _port, _start, CAST(`size`(`split`(w1, ' ')) AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS INT) AS w4, CAST(NULL AS INT) AS w5, CAST(NULL AS BIGINT) AS w6, CAST(NULL AS DOUBLE) AS w7, CAST(NULL AS INT) AS w8, CAST(`split`(w1, ' ')[0] AS STRING) AS w9, CAST(NULL AS DECIMAL(8,2)) AS w10, CAST(NULL AS INT) AS w11, CAST(NULL AS DOUBLE) AS w12, CAST(NULL AS DOUBLE) AS w13, CAST(NULL AS DECIMAL(2,1)) AS w14, CAST(NULL AS DOUBLE) AS w15, CAST(NULL AS STRING) AS w16, CAST(NULL AS STRING) AS w17, CAST(NULL AS STRING) AS w18, CAST(NULL AS STRING) AS w19, CAST(NULL AS STRING) AS w20, CAST(NULL AS STRING) AS w21, CAST(NULL AS STRING) AS w22, CAST(NULL AS DECIMAL(12,2)) AS w23, CAST(NULL AS BIGINT) AS w24, pmod(hash(CAST(`split`(w1, ' ')[0] AS STRING), CAST(`size`(`split`(w1, ' ')) AS INT)), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    UNION ALL SELECT 7 AS _port, _start, w3 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS INT) AS w4, CAST(NULL AS INT) AS w5, CAST(NULL AS BIGINT) AS w6, CAST(NULL AS DOUBLE) AS w7, CAST(NULL AS INT) AS w8, w1 AS w9, CAST(NULL AS DECIMAL(8,2)) AS w10, CAST(NULL AS INT) AS w11, CAST(NULL AS DOUBLE) AS w12, CAST(NULL AS DOUBLE) AS w13, CAST(NULL AS DECIMAL(2,1)) AS w14, CAST(NULL AS DOUBLE) AS w15, CAST(NULL AS STRING) AS w16, CAST(NULL AS STRING) AS w17, CAST(NULL AS STRING) AS w18, CAST(NULL AS STRING) AS w19, CAST(NULL AS STRING) AS w20, CAST(NULL AS STRING) AS w21, CAST(NULL AS STRING) AS w22, CAST(NULL AS DECIMAL(12,2)) AS w23, CAST(NULL AS BIGINT) AS w24, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM <arrived 0>
    UNION ALL SELECT 6 AS _port, _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, p1 AS w3, CAST(NULL AS INT) AS w4, CAST(NULL AS INT) AS w5, p2 AS w6, CAST(NULL AS DOUBLE) AS w7, CAST(NULL AS INT) AS w8, p0 AS w9, CAST(NULL AS DECIMAL(8,2)) AS w10, CAST(NULL AS INT) AS w11, CAST(NULL AS DOUBLE) AS w12, CAST(NULL AS DOUBLE) AS w13, CAST(NULL AS DECIMAL(2,1)) AS w14, CAST(NULL AS DOUBLE) AS w15, CAST(NULL AS STRING) AS w16, CAST(NULL AS STRING) AS w17, CAST(NULL AS STRING) AS w18, CAST(NULL AS STRING) AS w19, CAST(NULL AS STRING) AS w20, CAST(NULL AS STRING) AS w21, CAST(NULL AS STRING) AS w22, CAST(NULL AS DECIMAL(12,2)) AS w23, p3 AS w24, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT CAST(`upper`(w1) AS STRING) AS p0, _start AS _life0, pmod(hash(CAST(`upper`(w1) AS STRING)), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1, CAST(count(CAST(`abs`(w3) AS INT)) AS BIGINT) AS p2, CAST(sum(CAST(`abs`(w3) AS INT)) AS BIGINT) AS p3
    FROM <arrived 0>
    WHERE `length`(w1) > 2
    GROUP BY CAST(`upper`(w1) AS STRING), _start, pmod(hash(CAST(`upper`(w1) AS STRING)), 4))
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 2
  SELECT 1 AS _port, _start, _until, _weight, w1 AS w0, CAST(NULL AS DOUBLE) AS w1, CAST(NULL AS DOUBLE) AS w2, w0 AS w3, w3 AS w4, CAST(`lower`(w1) AS STRING) AS w5, CAST(`abs`(w3) AS INT) AS w6, pmod(hash(CAST(`abs`(w3) AS INT)), 4) AS _shard
    FROM <arrived 0>
    UNION ALL SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, w2 AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS INT) AS w4, CAST(NULL AS STRING) AS w5, CAST(NULL AS INT) AS w6, CAST(0 AS INT) AS _shard
    FROM tailrace_stage_0_0
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS DOUBLE) AS w1, CAST(NULL AS DOUBLE) AS w2, w1 AS w3, CAST(NULL AS INT) AS w4, w2 AS w5, CAST(NULL AS INT) AS w6, pmod(hash(w1), 4) AS _shard
    FROM tailrace_stage_0_1
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output arithmetic
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `p`, w1 AS `m`, w2 AS `t`, w3 AS `q`, w4 AS `r`, w5 AS `n`, w6 AS `z`, w7 AS `h`
    FROM tailrace_stage_0_2

output numbers
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `a`, w1 AS `r`, w2 AS `f`, w3 AS `c`, w4 AS `s`, w5 AS `sq`, w6 AS `g`, w7 AS `l`, w8 AS `pm`, w9 AS `fixed_point`, w10 AS `sci`
    FROM tailrace_stage_0_3

output strings
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `u`, w1 AS `lo`, w2 AS `n`, w3 AS `m`, w4 AS `t`, w5 AS `c`, w6 AS `shouted`, w7 AS `rep`, w8 AS `q`
    FROM tailrace_stage_0_4

output nulls
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `c`, w1 AS `p`, w2 AS `ww`, w3 AS `am`
    FROM tailrace_stage_0_5

output conditional
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `howmany`
    FROM tailrace_stage_0_6

output subscripts
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `first_word`, w1 AS `words`
    FROM tailrace_stage_0_7

output in_every_clause
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `city`, w1 AS `a`
    FROM tailrace_stage_1_0

output in_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `saleId`, w1 AS `pts`
    FROM tailrace_stage_1_1

output star_and_more
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `saleId`, w1 AS `City`, w2 AS `amount`, w3 AS `pts`, w4 AS `w`, w5 AS `twice`
    FROM tailrace_stage_0_8

== to an end, later batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3, w4
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3, w4
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

output arithmetic
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `p`, w1 AS `m`, w2 AS `t`, w3 AS `q`, w4 AS `r`, w5 AS `n`, w6 AS `z`, w7 AS `h`
    FROM (SELECT *
    FROM tailrace_stage_0_2
    WHERE _start <= 36000)

output numbers
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `a`, w1 AS `r`, w2 AS `f`, w3 AS `c`, w4 AS `s`, w5 AS `sq`, w6 AS `g`, w7 AS `l`, w8 AS `pm`, w9 AS `fixed_point`, w10 AS `sci`
    FROM (SELECT *
    FROM tailrace_stage_0_3
    WHERE _start <= 36000)

output strings
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `u`, w1 AS `lo`, w2 AS `n`, w3 AS `m`, w4 AS `t`, w5 AS `c`, w6 AS `shouted`, w7 AS `rep`, w8 AS `q`
    FROM (SELECT *
    FROM tailrace_stage_0_4
    WHERE _start <= 36000)

output nulls
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `c`, w1 AS `p`, w2 AS `ww`, w3 AS `am`
    FROM (SELECT *
    FROM tailrace_stage_0_5
    WHERE _start <= 36000)

output conditional
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `howmany`
    FROM (SELECT *
    FROM tailrace_stage_0_6
    WHERE _start <= 36000)

output subscripts
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `first_word`, w1 AS `words`
    FROM (SELECT *
    FROM tailrace_stage_0_7
    WHERE _start <= 36000)

output in_every_clause
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `city`, w1 AS `a`
    FROM (SELECT *
    FROM tailrace_stage_1_0
    WHERE _start <= 36000)

output in_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `saleId`, w1 AS `pts`
    FROM (SELECT *
    FROM tailrace_stage_1_1
    WHERE _start <= 36000)

output star_and_more
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `saleId`, w1 AS `City`, w2 AS `amount`, w3 AS `pts`, w4 AS `w`, w5 AS `twice`
    FROM (SELECT *
    FROM tailrace_stage_0_8
    WHERE _start <= 36000)
