== to an end, first batch
rows A
  rows of A
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(`v` AS INT) AS w1)

rows B
  rows of B
  selectExpr(1 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(`w` AS INT) AS w1)

asked
  count(1) AS rows
  min(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS first0
  max(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS last0
  count(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS timed0
  min(IF(_source = 1 AND _unreadable IS NULL, _moment, NULL)) AS first1
  max(IF(_source = 1 AND _unreadable IS NULL, _moment, NULL)) AS last1
  count(IF(_source = 1 AND _unreadable IS NULL, _moment, NULL)) AS timed1

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 4 END AS _port, _start, CASE _source WHEN 0 THEN w1 WHEN 1 THEN w0 END AS w0, CASE _source WHEN 0 THEN CAST(NULL AS INT) WHEN 1 THEN w1 END AS w1, CAST(NULL AS BIGINT) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, CASE _source WHEN 0 THEN pmod(hash(w1), 4) WHEN 1 THEN pmod(hash(w0), 4) END AS _shard
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1)
    UNION ALL SELECT 1 AS _port, _start, w0 AS w0, w1 AS w1, CAST(NULL AS BIGINT) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    UNION ALL SELECT 5 AS _port, _start, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BIGINT) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, pmod(spark_partition_id(), 4) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    UNION ALL SELECT 2 AS _port, _start, p0 AS w0, CAST(NULL AS INT) AS w1, p1 AS w2, p2 AS w3, p3 AS w4, _shard AS _shard
    FROM (SELECT w0 AS p0, _start AS _life0, pmod(hash(w0), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1, CAST(count(w1) AS BIGINT) AS p2, CAST(sum(w1) AS BIGINT) AS p3
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    GROUP BY w0, _start, pmod(hash(w0), 4))
    UNION ALL SELECT 3 AS _port, _start, p0 AS w0, CAST(NULL AS INT) AS w1, p1 AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, _shard AS _shard
    FROM (SELECT w0 AS p0, _start AS _life0, pmod(hash(w0), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    GROUP BY w0, _start, pmod(hash(w0), 4))
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 2
  SELECT 1 AS _port, _start, _until, _weight, w1 AS w0, w0 AS w1, CAST(0 AS INT) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 1)
    UNION ALL SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard
    FROM tailrace_stage_0_0
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard
    FROM tailrace_stage_0_1
    UNION ALL SELECT 3 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard
    FROM tailrace_stage_0_2
    UNION ALL SELECT 4 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard
    FROM tailrace_stage_0_4
    UNION ALL SELECT 5 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(0 AS INT) AS _shard
    FROM tailrace_stage_0_5
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 3
  SELECT 2 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS BIGINT) AS w1, w1 AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS INT) AS w4, pmod(hash(w1), 4) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    UNION ALL SELECT 3 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS BIGINT) AS w1, w1 AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS INT) AS w4, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    UNION ALL SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS BIGINT) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS INT) AS w4, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_0
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS INT) AS w4, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_1_0
    UNION ALL SELECT 4 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS INT) AS w4, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_1_1
    UNION ALL SELECT 5 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS BIGINT) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS INT) AS w4, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_1
    UNION ALL SELECT 6 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS INT) AS w4, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_1_2
    UNION ALL SELECT 7 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS BIGINT) AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS INT) AS w4, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_2
    UNION ALL SELECT 8 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS INT) AS w4, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_1_3
    UNION ALL SELECT 9 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS INT) AS w4, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_3
    UNION ALL SELECT 10 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS BIGINT) AS w1, w1 AS w2, w2 AS w3, w3 AS w4, pmod(hash(w2), 4) AS _shard
    FROM tailrace_stage_1_4
    UNION ALL SELECT 11 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS BIGINT) AS w1, w1 AS w2, w2 AS w3, w3 AS w4, CAST(0 AS INT) AS _shard
    FROM tailrace_stage_1_4
    UNION ALL SELECT 12 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS BIGINT) AS w1, w1 AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS INT) AS w4, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_1_5
    UNION ALL SELECT 13 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS BIGINT) AS w1, w1 AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS INT) AS w4, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_7
    UNION ALL SELECT 14 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS INT) AS w4, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_1_6
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 4
  SELECT 4 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS BIGINT) AS w1, w1 AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS INT) AS w4, CAST(NULL AS INT) AS w5, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    UNION ALL SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS INT) AS w4, CAST(NULL AS INT) AS w5, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_2_0
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS INT) AS w4, CAST(NULL AS INT) AS w5, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_2_1
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS BIGINT) AS w1, w1 AS w2, w2 AS w3, w3 AS w4, CAST(NULL AS INT) AS w5, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_6
    UNION ALL SELECT 3 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS BIGINT) AS w1, w1 AS w2, w2 AS w3, w3 AS w4, w4 AS w5, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_2_2
    UNION ALL SELECT 5 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS INT) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS INT) AS w4, CAST(NULL AS INT) AS w5, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_2_3
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output by_inequality
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `above`
    FROM tailrace_stage_3_0

output in_the_aggregate
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `total`
    FROM tailrace_stage_3_1

output under_or
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM tailrace_stage_2_4

output over_groups
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `total`
    FROM tailrace_stage_2_5

output inside_an_aggregate
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `known`
    FROM tailrace_stage_1_7

output two_levels
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM tailrace_stage_3_2

output set_operation
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM tailrace_stage_2_6

output in_from
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `most`
    FROM tailrace_stage_3_3

== to an end, later batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

output by_inequality
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `above`
    FROM (SELECT *
    FROM tailrace_stage_3_0
    WHERE _start <= 36000)

output in_the_aggregate
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `total`
    FROM (SELECT *
    FROM tailrace_stage_3_1
    WHERE _start <= 36000)

output under_or
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_2_4
    WHERE _start <= 36000)

output over_groups
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `total`
    FROM (SELECT *
    FROM tailrace_stage_2_5
    WHERE _start <= 36000)

output inside_an_aggregate
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `known`
    FROM (SELECT *
    FROM tailrace_stage_1_7
    WHERE _start <= 36000)

output two_levels
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_3_2
    WHERE _start <= 36000)

output set_operation
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_2_6
    WHERE _start <= 36000)

output in_from
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `most`
    FROM (SELECT *
    FROM tailrace_stage_3_3
    WHERE _start <= 36000)
