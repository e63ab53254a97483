== to an end, first batch
rows Trips
  rows of Trips
  selectExpr(0 AS _source, unix_micros(CAST(`began` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _unreadable AS _unreadable, CAST(`id` AS INT) AS w0, CAST(`day` AS DATE) AS w1, CAST(`began` AS TIMESTAMP) AS w2, CAST(`ended` AS TIMESTAMP) AS w3)

asked
  count(1) AS rows
  min(IF(_unreadable IS NULL, _moment, NULL)) AS first0
  max(IF(_unreadable IS NULL, _moment, NULL)) AS last0
  count(IF(_unreadable IS NULL, _moment, NULL)) AS timed0

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1, w2, w3
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view messages for stage 1
  SELECT _start, w0 AS w0, pmod(hash(w0), 4) AS _shard
    FROM <arrived 0>
    WHERE w3 - w2 >= INTERVAL '0 01:30:00.000000' DAY TO SECOND AND w3 - w2 <= INTERVAL '2 00:00:00.000000' DAY TO SECOND OR w3 > w2 + INTERVAL '-0 03:00:00.000000' DAY TO SECOND
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output ends
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `id`, CAST(w2 + INTERVAL '0 00:05:00.000000' DAY TO SECOND AS TIMESTAMP) AS `a`, CAST(w2 + INTERVAL '0 00:05:00.000000' DAY TO SECOND AS TIMESTAMP) AS `b`, CAST(w2 - INTERVAL '0 00:00:10.000000' DAY TO SECOND AS TIMESTAMP) AS `c`, CAST(w1 + INTERVAL '1-2' YEAR TO MONTH AS DATE) AS `d`, CAST(w3 - INTERVAL '1 02:03:04.000000' DAY TO SECOND AS TIMESTAMP) AS `e`, CAST(`date_sub`(w1 - INTERVAL '0-1' YEAR TO MONTH, 2) AS DATE) AS `f`, CAST(`date_add`(w1, 3) AS DATE) AS `g`, CAST(`date_sub`(w1, 90) AS DATE) AS `h`
    FROM <arrived 0>

output long
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`
    FROM tailrace_stage_0_0

== to an end, later batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1, w2, w3
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1, w2, w3
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

output ends
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `id`, CAST(w2 + INTERVAL '0 00:05:00.000000' DAY TO SECOND AS TIMESTAMP) AS `a`, CAST(w2 + INTERVAL '0 00:05:00.000000' DAY TO SECOND AS TIMESTAMP) AS `b`, CAST(w2 - INTERVAL '0 00:00:10.000000' DAY TO SECOND AS TIMESTAMP) AS `c`, CAST(w1 + INTERVAL '1-2' YEAR TO MONTH AS DATE) AS `d`, CAST(w3 - INTERVAL '1 02:03:04.000000' DAY TO SECOND AS TIMESTAMP) AS `e`, CAST(`date_sub`(w1 - INTERVAL '0-1' YEAR TO MONTH, 2) AS DATE) AS `f`, CAST(`date_add`(w1, 3) AS DATE) AS `g`, CAST(`date_sub`(w1, 90) AS DATE) AS `h`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _start <= 36000)

output long
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `id`
    FROM (SELECT *
    FROM tailrace_stage_0_0
    WHERE _start <= 36000)
