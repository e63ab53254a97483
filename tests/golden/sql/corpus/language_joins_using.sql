== to an end, first batch
rows A
  rows of A
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(`day` AS DATE) AS w1, CAST(`v` AS INT) AS w2, CAST(NULL AS STRING) AS w3)

rows B
  rows of B
  selectExpr(2 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(`day` AS DATE) AS w1, CAST(`w` AS INT) AS w2, CAST(NULL AS STRING) AS w3)

asked
  count(1) AS rows
  min(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS first0
  max(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS last0
  count(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS timed0
  min(IF(_source = 2 AND _unreadable IS NULL, _moment, NULL)) AS first2
  max(IF(_source = 2 AND _unreadable IS NULL, _moment, NULL)) AS last2
  count(IF(_source = 2 AND _unreadable IS NULL, _moment, NULL)) AS timed2

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
  rows of Names
  selectExpr(1 AS _source, 0L AS _moment, _metadata.file_path AS _file, IF(`k` IS NULL, _unreadable, concat(_unreadable, '')) AS _unreadable, CAST(`k` AS INT) AS w0, CAST(NULL AS DATE) AS w1, CAST(NULL AS INT) AS w2, CAST(`name` AS STRING) AS w3)

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 0 WHEN 2 THEN 2 END AS _port, _start, w0 AS w0, w2 AS w1, w1 AS w2, CAST(NULL AS STRING) AS w3, pmod(hash(w0), 4) AS _shard
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 2)
    UNION ALL SELECT CASE _source WHEN 0 THEN 3 WHEN 2 THEN 4 END AS _port, _start, w0 AS w0, w2 AS w1, w1 AS w2, CAST(NULL AS STRING) AS w3, pmod(hash(w2), 4) AS _shard
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 2)
    UNION ALL SELECT 1 AS _port, _start, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS DATE) AS w2, w3 AS w3, pmod(hash(w0), 4) AS _shard
    FROM <arrived 1>
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 2
  SELECT _start, _until, _weight, w0 AS w0, w1 AS w1, w2 AS w2, w3 AS w3, pmod(hash(w0, w1, w2, w3), 4) AS _shard
    FROM tailrace_stage_0_0
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output inner_using
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`, w2 AS `name`
    FROM tailrace_stage_0_1

output two_columns
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `day`, w2 AS `v`, w3 AS `w`
    FROM tailrace_stage_0_2

output left_using
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`, w2 AS `name`
    FROM tailrace_stage_0_3

output right_using
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`, w2 AS `name`
    FROM tailrace_stage_0_4

output full_using
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `day`, w2 AS `v`, w3 AS `w`
    FROM tailrace_stage_1_0

output star_using
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `day`, w2 AS `v`, w3 AS `name`
    FROM tailrace_stage_0_5

output grouped_using
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `total`
    FROM tailrace_stage_0_6

output chained_using
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`, w2 AS `w`, w3 AS `name`
    FROM tailrace_stage_0_7

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
  SELECT CASE _source WHEN 0 THEN 0 WHEN 2 THEN 2 END AS _port, _start, w0 AS w0, w2 AS w1, w1 AS w2, CAST(NULL AS STRING) AS w3, pmod(hash(w0), 4) AS _shard
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 2)
    UNION ALL SELECT CASE _source WHEN 0 THEN 3 WHEN 2 THEN 4 END AS _port, _start, w0 AS w0, w2 AS w1, w1 AS w2, CAST(NULL AS STRING) AS w3, pmod(hash(w2), 4) AS _shard
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 2)
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1, w2, w3
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

output inner_using
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`, w2 AS `name`
    FROM (SELECT *
    FROM tailrace_stage_0_1
    WHERE _start <= 36000)

output two_columns
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `day`, w2 AS `v`, w3 AS `w`
    FROM (SELECT *
    FROM tailrace_stage_0_2
    WHERE _start <= 36000)

output left_using
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`, w2 AS `name`
    FROM (SELECT *
    FROM tailrace_stage_0_3
    WHERE _start <= 36000)

output right_using
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`, w2 AS `name`
    FROM (SELECT *
    FROM tailrace_stage_0_4
    WHERE _start <= 36000)

output full_using
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `day`, w2 AS `v`, w3 AS `w`
    FROM (SELECT *
    FROM tailrace_stage_1_0
    WHERE _start <= 36000)

output star_using
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `day`, w2 AS `v`, w3 AS `name`
    FROM (SELECT *
    FROM tailrace_stage_0_5
    WHERE _start <= 36000)

output grouped_using
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `total`
    FROM (SELECT *
    FROM tailrace_stage_0_6
    WHERE _start <= 36000)

output chained_using
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`, w2 AS `w`, w3 AS `name`
    FROM (SELECT *
    FROM tailrace_stage_0_7
    WHERE _start <= 36000)
