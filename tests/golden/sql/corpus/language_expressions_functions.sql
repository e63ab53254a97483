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

view tailrace_stage_0
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS INT) AS w4, CAST(NULL AS INT) AS w5, CAST(NULL AS BIGINT) AS w6, CAST(NULL AS DOUBLE) AS w7, CAST(NULL AS INT) AS w8, CAST(NULL AS STRING) AS w9, CAST(NULL AS DECIMAL(8,2)) AS w10, CAST(NULL AS INT) AS w11, CAST(NULL AS DOUBLE) AS w12, CAST(NULL AS DOUBLE) AS w13, CAST(NULL AS DECIMAL(2,1)) AS w14, CAST(NULL AS DOUBLE) AS w15, CAST(NULL AS STRING) AS w16, CAST(NULL AS STRING) AS w17, CAST(NULL AS STRING) AS w18, CAST(NULL AS STRING) AS w19, CAST(NULL AS STRING) AS w20, CAST(NULL AS STRING) AS w21, CAST(NULL AS STRING) AS w22, CAST(NULL AS DECIMAL(12,2)) AS w23, CAST(NULL AS BIGINT) AS w24, CAST(id AS INT) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT 0 AS _port, _start, CAST(w3 + 1 AS INT) AS w0, CAST(w3 - 1 AS INT) AS w1, CAST(w3 * 2 AS INT) AS w2, CAST(CAST(w3 AS BIGINT) DIV 7L AS BIGINT) AS w3, CAST(w3 % 7 AS INT) AS w4, CAST(-w3 AS INT) AS w5, CAST(CAST(w3 - 20 AS BIGINT) DIV 3L AS BIGINT) AS w6, CAST(w4 / 2.0D AS DOUBLE) AS w7, w0 AS w8, w1 AS w9, w2 AS w10, w3 AS w11, w4 AS w12, CAST(NULL AS DOUBLE) AS w13, CAST(NULL AS DECIMAL(2,1)) AS w14, CAST(NULL AS DOUBLE) AS w15, CAST(NULL AS STRING) AS w16, CAST(NULL AS STRING) AS w17, CAST(NULL AS STRING) AS w18, CAST(NULL AS STRING) AS w19, CAST(NULL AS STRING) AS w20, CAST(NULL AS STRING) AS w21, CAST(NULL AS STRING) AS w22, CAST(NULL AS DECIMAL(12,2)) AS w23, CAST(NULL AS BIGINT) AS w24, pmod(hash(CAST(w3 * 2 AS INT)), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
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
  repartitionById(4, _shard)
  sortWithinPartitions(_start, _file, _block, _line)
  drop(_shard, _file, _block, _line)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:string,w1:double,w2:double,w3:int,w4:string,w5:int,w6:int,w7:bigint,w8:int,w9:int,w10:bigint,w11:double,w12:decimal(2,1),w13:double,w14:string,w15:string,w16:string,w17:string,w18:string,w19:string,w20:decimal(12,2),w21:decimal(8,2)>)

view tailrace_stage_1
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS BIGINT) AS _until, CAST(NULL AS BIGINT) AS _weight, CAST(NULL AS STRING) AS w0, CAST(NULL AS DOUBLE) AS w1, CAST(NULL AS DOUBLE) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS INT) AS w4, CAST(NULL AS STRING) AS w5, CAST(NULL AS INT) AS w6, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, w1 AS w0, CAST(NULL AS DOUBLE) AS w1, CAST(NULL AS DOUBLE) AS w2, w0 AS w3, w3 AS w4, CAST(`lower`(w1) AS STRING) AS w5, CAST(`abs`(w3) AS INT) AS w6, pmod(hash(CAST(`abs`(w3) AS INT)), 4) AS _shard
    FROM <arrived 0>
    UNION ALL SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, w2 AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS INT) AS w4, CAST(NULL AS STRING) AS w5, CAST(NULL AS INT) AS w6, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 0)
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS DOUBLE) AS w1, CAST(NULL AS DOUBLE) AS w2, w3 AS w3, CAST(NULL AS INT) AS w4, w4 AS w5, CAST(NULL AS INT) AS w6, pmod(hash(w3), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 1)
  repartitionById(4, _shard)
  drop(_shard)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:string,w1:double,w2:int,w3:int>)

output arithmetic
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w3 AS `p`, w5 AS `m`, w6 AS `t`, w7 AS `q`, w8 AS `r`, w9 AS `n`, w10 AS `z`, w1 AS `h`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 2)
  select(*)

output numbers
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w3 AS `a`, w1 AS `r`, w7 AS `f`, w10 AS `c`, w2 AS `s`, w11 AS `sq`, w5 AS `g`, w6 AS `l`, w8 AS `pm`, w12 AS `fixed_point`, w13 AS `sci`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 3)
  select(*)

output strings
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `u`, w4 AS `lo`, w3 AS `n`, w14 AS `m`, w15 AS `t`, w16 AS `c`, w17 AS `shouted`, w18 AS `rep`, w19 AS `q`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 4)
  select(*)

output nulls
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `c`, w3 AS `p`, w1 AS `ww`, w20 AS `am`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 5)
  select(*)

output conditional
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `howmany`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 6)
  select(*)

output subscripts
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `first_word`, w3 AS `words`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 7)
  select(*)

output in_every_clause
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `city`, w1 AS `a`
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 0)
  select(*)

output in_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w2 AS `saleId`, w3 AS `pts`
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 1)
  select(*)

output star_and_more
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w3 AS `saleId`, w0 AS `City`, w21 AS `amount`, w5 AS `pts`, w1 AS `w`, w6 AS `twice`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 8)
  select(*)

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

view tailrace_stage_1
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS BIGINT) AS _until, CAST(NULL AS BIGINT) AS _weight, CAST(NULL AS STRING) AS w0, CAST(NULL AS DOUBLE) AS w1, CAST(NULL AS DOUBLE) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS INT) AS w4, CAST(NULL AS STRING) AS w5, CAST(NULL AS INT) AS w6, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, w1 AS w0, CAST(NULL AS DOUBLE) AS w1, CAST(NULL AS DOUBLE) AS w2, w0 AS w3, w3 AS w4, CAST(`lower`(w1) AS STRING) AS w5, CAST(`abs`(w3) AS INT) AS w6, pmod(hash(CAST(`abs`(w3) AS INT)), 4) AS _shard
    FROM <arrived 0>
    UNION ALL SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, w2 AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS INT) AS w4, CAST(NULL AS STRING) AS w5, CAST(NULL AS INT) AS w6, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 0)
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS DOUBLE) AS w1, CAST(NULL AS DOUBLE) AS w2, w3 AS w3, CAST(NULL AS INT) AS w4, w4 AS w5, CAST(NULL AS INT) AS w6, pmod(hash(w3), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 1)
  repartitionById(4, _shard)
  sortWithinPartitions(_start)
  drop(_shard)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:string,w1:double,w2:int,w3:int>)

output arithmetic
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w3 AS `p`, w5 AS `m`, w6 AS `t`, w7 AS `q`, w8 AS `r`, w9 AS `n`, w10 AS `z`, w1 AS `h`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 2 AND _start <= 36000)
  select(*)

output numbers
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w3 AS `a`, w1 AS `r`, w7 AS `f`, w10 AS `c`, w2 AS `s`, w11 AS `sq`, w5 AS `g`, w6 AS `l`, w8 AS `pm`, w12 AS `fixed_point`, w13 AS `sci`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 3 AND _start <= 36000)
  select(*)

output strings
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `u`, w4 AS `lo`, w3 AS `n`, w14 AS `m`, w15 AS `t`, w16 AS `c`, w17 AS `shouted`, w18 AS `rep`, w19 AS `q`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 4 AND _start <= 36000)
  select(*)

output nulls
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `c`, w3 AS `p`, w1 AS `ww`, w20 AS `am`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 5 AND _start <= 36000)
  select(*)

output conditional
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `howmany`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 6 AND _start <= 36000)
  select(*)

output subscripts
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `first_word`, w3 AS `words`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 7 AND _start <= 36000)
  select(*)

output in_every_clause
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `city`, w1 AS `a`
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 0 AND _start <= 36000)
  select(*)

output in_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w2 AS `saleId`, w3 AS `pts`
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _port = 1 AND _start <= 36000)
  select(*)

output star_and_more
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w3 AS `saleId`, w0 AS `City`, w21 AS `amount`, w5 AS `pts`, w1 AS `w`, w6 AS `twice`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 8 AND _start <= 36000)
  select(*)
