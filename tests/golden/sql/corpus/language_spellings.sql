== to an end, first batch
rows People
  rows of People
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _unreadable AS _unreadable, CAST(`id` AS INT) AS w0, CAST(`name` AS STRING) AS w1, CAST(`born` AS DATE) AS w2, CAST(`tag` AS STRING) AS w3)

asked
  count(1) AS rows
  min(IF(_unreadable IS NULL, _moment, NULL)) AS first0
  max(IF(_unreadable IS NULL, _moment, NULL)) AS last0
  count(IF(_unreadable IS NULL, _moment, NULL)) AS timed0

<arrived 1>
  (SELECT 0L AS _start, 0L + 1L AS _until, 1L AS _weight, _source, w0, w1, w2, w3
    FROM tailrace_source_1
    WHERE true AND _unreadable IS NULL)

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1, w2, w3
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view tailrace_source_1
  rows of Towns
  selectExpr(1 AS _source, 0L AS _moment, _metadata.file_path AS _file, IF(`tag` IS NULL, _unreadable, concat(_unreadable, '')) AS _unreadable, CAST(NULL AS INT) AS w0, CAST(`tag` AS STRING) AS w1, CAST(NULL AS DATE) AS w2, CAST(`town` AS STRING) AS w3)

view messages for stage 1
  SELECT 0 AS _port, _start, w0 AS w0, w1 AS w1, w3 AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS DATE) AS w4, pmod(hash(w3), 4) AS _shard
    FROM <arrived 0>
    UNION ALL SELECT 3 AS _port, _start, w0 AS w0, w1 AS w1, CAST(CAST(NULL AS STRING) AS STRING) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS DATE) AS w4, pmod(hash(CAST(CAST(NULL AS STRING) AS STRING)), 4) AS _shard
    FROM <arrived 0>
    UNION ALL SELECT 1 AS _port, _start, CAST(1 AS INT) AS w0, w1 AS w1, w3 AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS DATE) AS w4, pmod(hash(w1), 4) AS _shard
    FROM <arrived 1>
    UNION ALL SELECT 2 AS _port, _start, CAST(NULL AS INT) AS w0, p0 AS w1, CAST(NULL AS STRING) AS w2, p1 AS w3, p2 AS w4, _shard AS _shard
    FROM (SELECT w3 AS p0, _start AS _life0, pmod(hash(w3), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1, CAST(max(w2) AS DATE) AS p2
    FROM <arrived 0>
    GROUP BY w3, _start, pmod(hash(w3), 4))
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 2
  SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, w2 AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS STRING) AS w4, CAST(0 AS INT) AS _shard
    FROM tailrace_stage_0_0
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, w1 AS w0, CAST(NULL AS BIGINT) AS w1, CAST(NULL AS DATE) AS w2, w0 AS w3, w2 AS w4, CAST(0 AS INT) AS _shard
    FROM tailrace_stage_0_1
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output texts
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, CAST(`substring`(w1, 1, 2) AS STRING) AS `a`, CAST(`substr`(w1, 3) AS STRING) AS `b`, CAST(`trim`('x', w1) AS STRING) AS `c`, CAST(`ltrim`(w1) AS STRING) AS `d`, CAST(`trim`('y', w1) AS STRING) AS `e`, CAST(`position`('a', w1 || 'a') AS INT) AS `f`, CAST(`overlay`(w1, 'zz', 2, 1) AS STRING) AS `g`, CAST(`date_part`('YEAR', w2) AS INT) AS `h`, CAST(`named_struct`('n', w0, 'name', w1) AS STRUCT<`n`: INT, `name`: STRING>) AS `i`
    FROM <arrived 0>
    WHERE NOT w1 LIKE 'a%' AND NOT w1 LIKE 'b%' AND (w0 >= 9 OR w0 >= 1) AND (w0 >= 9 OR w0 <= 9) AND (w0 <= 1 OR w0 >= 1) AND (w0 <= 1 OR w0 <= 9) AND (w0 > 3) IS NOT NULL AND (w1 ILIKE '%X%' OR w1 ILIKE '%Y%') AND w3 <=> 'a'

output stars
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `id`, w1 AS `name`, w2 AS `tag`, w3 AS `town`
    FROM tailrace_stage_0_2

output groups
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `tag`, w1 AS `n`, w2 AS `youngest`
    FROM tailrace_stage_1_0

output names
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`, w1 AS `name`, w2 AS `tag`
    FROM tailrace_stage_1_1

== to an end, later batch
<arrived 1>
  is gone

view tailrace_source_1
  is gone

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1, w2, w3
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view messages for stage 1
  SELECT 0 AS _port, _start, w0 AS w0, w1 AS w1, w3 AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS DATE) AS w4, pmod(hash(w3), 4) AS _shard
    FROM <arrived 0>
    UNION ALL SELECT 3 AS _port, _start, w0 AS w0, w1 AS w1, CAST(CAST(NULL AS STRING) AS STRING) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS DATE) AS w4, pmod(hash(CAST(CAST(NULL AS STRING) AS STRING)), 4) AS _shard
    FROM <arrived 0>
    UNION ALL SELECT 2 AS _port, _start, CAST(NULL AS INT) AS w0, p0 AS w1, CAST(NULL AS STRING) AS w2, p1 AS w3, p2 AS w4, _shard AS _shard
    FROM (SELECT w3 AS p0, _start AS _life0, pmod(hash(w3), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1, CAST(max(w2) AS DATE) AS p2
    FROM <arrived 0>
    GROUP BY w3, _start, pmod(hash(w3), 4))
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1, w2, w3
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

output texts
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, CAST(`substring`(w1, 1, 2) AS STRING) AS `a`, CAST(`substr`(w1, 3) AS STRING) AS `b`, CAST(`trim`('x', w1) AS STRING) AS `c`, CAST(`ltrim`(w1) AS STRING) AS `d`, CAST(`trim`('y', w1) AS STRING) AS `e`, CAST(`position`('a', w1 || 'a') AS INT) AS `f`, CAST(`overlay`(w1, 'zz', 2, 1) AS STRING) AS `g`, CAST(`date_part`('YEAR', w2) AS INT) AS `h`, CAST(`named_struct`('n', w0, 'name', w1) AS STRUCT<`n`: INT, `name`: STRING>) AS `i`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _start <= 36000)
    WHERE NOT w1 LIKE 'a%' AND NOT w1 LIKE 'b%' AND (w0 >= 9 OR w0 >= 1) AND (w0 >= 9 OR w0 <= 9) AND (w0 <= 1 OR w0 >= 1) AND (w0 <= 1 OR w0 <= 9) AND (w0 > 3) IS NOT NULL AND (w1 ILIKE '%X%' OR w1 ILIKE '%Y%') AND w3 <=> 'a'

output stars
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `id`, w1 AS `name`, w2 AS `tag`, w3 AS `town`
    FROM (SELECT *
    FROM tailrace_stage_0_2
    WHERE _start <= 36000)

output groups
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `tag`, w1 AS `n`, w2 AS `youngest`
    FROM (SELECT *
    FROM tailrace_stage_1_0
    WHERE _start <= 36000)

output names
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`, w1 AS `name`, w2 AS `tag`
    FROM (SELECT *
    FROM tailrace_stage_1_1
    WHERE _start <= 36000)
