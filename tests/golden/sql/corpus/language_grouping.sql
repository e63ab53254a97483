== to an end, first batch
rows S
  rows of S
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(`g` AS STRING) AS w1, CAST(`v` AS INT) AS w2)

asked
  count(1) AS rows
  min(IF(_unreadable IS NULL, _moment, NULL)) AS first0
  max(IF(_unreadable IS NULL, _moment, NULL)) AS last0
  count(IF(_unreadable IS NULL, _moment, NULL)) AS timed0

<arrived 1>
  (SELECT 0L AS _start, 0L + 1L AS _until, 1L AS _weight, _source, w0, w1, w2
    FROM tailrace_source_1
    WHERE true AND _unreadable IS NULL)

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view tailrace_source_1
  rows of Names
  selectExpr(1 AS _source, 0L AS _moment, _metadata.file_path AS _file, IF(`k` IS NULL, _unreadable, concat(_unreadable, '')) AS _unreadable, CAST(`k` AS INT) AS w0, CAST(`name` AS STRING) AS w1, CAST(NULL AS INT) AS w2)

view messages for stage 1
  SELECT 11 AS _port, _start, w0 AS w0, CAST(NULL AS BIGINT) AS w1, w1 AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS INT) AS w5, pmod(hash(w0), 4) AS _shard
    FROM <arrived 0>
    UNION ALL SELECT 13 AS _port, _start, CAST(w2 % 2 AS INT) AS w0, CAST(NULL AS BIGINT) AS w1, w1 AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS INT) AS w5, pmod(hash(w1), 4) AS _shard
    FROM <arrived 0>
    UNION ALL SELECT 0 AS _port, _start, p0 AS w0, p1 AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS INT) AS w5, _shard AS _shard
    FROM (SELECT w0 AS p0, _start AS _life0, pmod(hash(w0), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1
    FROM <arrived 0>
    GROUP BY w0, _start, pmod(hash(w0), 4))
    UNION ALL SELECT 1 AS _port, _start, p1 AS w0, p2 AS w1, p0 AS w2, p3 AS w3, p4 AS w4, CAST(NULL AS INT) AS w5, _shard AS _shard
    FROM (SELECT w1 AS p0, w0 AS p1, _start AS _life0, pmod(hash(w1), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p2, CAST(count(w2) AS BIGINT) AS p3, CAST(sum(w2) AS BIGINT) AS p4
    FROM <arrived 0>
    GROUP BY w1, w0, _start, pmod(hash(w1), 4))
    UNION ALL SELECT 2 AS _port, _start, CAST(NULL AS INT) AS w0, p0 AS w1, CAST(NULL AS STRING) AS w2, p1 AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS INT) AS w5, _shard AS _shard
    FROM (SELECT CAST(CAST(w2 AS BIGINT) DIV 10L AS BIGINT) AS p0, _start AS _life0, pmod(hash(CAST(CAST(w2 AS BIGINT) DIV 10L AS BIGINT)), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1
    FROM <arrived 0>
    GROUP BY CAST(CAST(w2 AS BIGINT) DIV 10L AS BIGINT), _start, pmod(hash(CAST(CAST(w2 AS BIGINT) DIV 10L AS BIGINT)), 4))
    UNION ALL SELECT 3 AS _port, _start, p0 AS w0, p2 AS w1, p1 AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, p3 AS w5, _shard AS _shard
    FROM (SELECT w0 AS p0, w1 AS p1, _start AS _life0, pmod(hash(w1), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p2, CAST(max(w2) AS INT) AS p3
    FROM <arrived 0>
    GROUP BY w0, w1, _start, pmod(hash(w1), 4))
    UNION ALL SELECT 4 AS _port, _start, p0 AS w0, p1 AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS INT) AS w5, _shard AS _shard
    FROM (SELECT CAST(w2 % 2 AS INT) AS p0, _start AS _life0, pmod(hash(CAST(w2 % 2 AS INT)), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1
    FROM <arrived 0>
    GROUP BY CAST(w2 % 2 AS INT), _start, pmod(hash(CAST(w2 % 2 AS INT)), 4))
    UNION ALL SELECT 5 AS _port, _start, CAST(NULL AS INT) AS w0, p1 AS w1, p0 AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS INT) AS w5, _shard AS _shard
    FROM (SELECT w1 AS p0, _start AS _life0, pmod(hash(w1), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1
    FROM <arrived 0>
    GROUP BY w1, _start, pmod(hash(w1), 4))
    UNION ALL SELECT 6 AS _port, _start, CAST(NULL AS INT) AS w0, p1 AS w1, p0 AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS INT) AS w5, _shard AS _shard
    FROM (SELECT w1 AS p0, _start AS _life0, pmod(hash(w1), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1
    FROM <arrived 0>
    GROUP BY w1, _start, pmod(hash(w1), 4))
    UNION ALL SELECT 7 AS _port, _start, p0 AS w0, p1 AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, p2 AS w5, _shard AS _shard
    FROM (SELECT w0 AS p0, _start AS _life0, pmod(hash(w0), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1, CAST(min(w2) AS INT) AS p2
    FROM <arrived 0>
    GROUP BY w0, _start, pmod(hash(w0), 4))
    UNION ALL SELECT 8 AS _port, _start, p0 AS w0, p1 AS w1, CAST(NULL AS STRING) AS w2, p2 AS w3, p3 AS w4, CAST(NULL AS INT) AS w5, _shard AS _shard
    FROM (SELECT w0 AS p0, _start AS _life0, pmod(hash(w0), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1, CAST(count(w2) AS BIGINT) AS p2, CAST(sum(w2) AS BIGINT) AS p3
    FROM <arrived 0>
    GROUP BY w0, _start, pmod(hash(w0), 4))
    UNION ALL SELECT 9 AS _port, _start, CAST(NULL AS INT) AS w0, p0 AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS INT) AS w5, _shard AS _shard
    FROM (SELECT _start AS _life0, CAST(0 AS INT) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p0
    FROM <arrived 0>
    GROUP BY _start, CAST(0 AS INT))
    UNION ALL SELECT 10 AS _port, _start, CAST(NULL AS INT) AS w0, p1 AS w1, p0 AS w2, p2 AS w3, p3 AS w4, CAST(NULL AS INT) AS w5, _shard AS _shard
    FROM (SELECT w1 AS p0, _start AS _life0, pmod(hash(w1), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1, CAST(count(w2) AS BIGINT) AS p2, CAST(sum(w2) AS BIGINT) AS p3
    FROM <arrived 0>
    WHERE w2 > 0
    GROUP BY w1, _start, pmod(hash(w1), 4))
    UNION ALL SELECT 12 AS _port, _start, w0 AS w0, CAST(NULL AS BIGINT) AS w1, w1 AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS INT) AS w5, pmod(hash(w0), 4) AS _shard
    FROM <arrived 1>
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 2
  SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS STRING) AS w4, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_0
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, CAST(NULL AS BIGINT) AS w0, w0 AS w1, w1 AS w2, w2 AS w3, CAST(NULL AS STRING) AS w4, pmod(hash(w0, w1, w2), 4) AS _shard
    FROM tailrace_stage_0_1
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, CAST(NULL AS BIGINT) AS w0, CAST(NULL AS INT) AS w1, w0 AS w2, CAST(NULL AS INT) AS w3, w1 AS w4, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_2
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output one_column
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `n`
    FROM tailrace_stage_0_3

output two_columns
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `g`, w1 AS `k`, w2 AS `s`
    FROM tailrace_stage_0_4

output column_not_selected
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `n`
    FROM tailrace_stage_1_0

output expression
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `decade`, w1 AS `n`
    FROM tailrace_stage_0_5

output expression_of_group
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `label`, w1 AS `ug`, w2 AS `m`
    FROM tailrace_stage_1_1

output by_alias
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `parity`, w1 AS `n`
    FROM tailrace_stage_0_6

output by_position
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `g`, w1 AS `n`
    FROM tailrace_stage_0_7

output no_aggregate
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `g`
    FROM tailrace_stage_0_8

output constant_beside
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `what`, w1 AS `g`, w2 AS `n`
    FROM tailrace_stage_0_9

output having_count
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM tailrace_stage_0_10

output having_column
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `n`
    FROM tailrace_stage_0_11

output having_without_group
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `n`
    FROM tailrace_stage_0_12

output where_and_having
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `g`, w1 AS `a`
    FROM tailrace_stage_0_13

output over_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `name`, w1 AS `c`
    FROM tailrace_stage_1_2

output distinct_groups
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `n`
    FROM tailrace_stage_1_3

output plain_distinct
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `g`, w1 AS `parity`
    FROM tailrace_stage_0_14

== to an end, later batch
<arrived 1>
  is gone

view tailrace_source_1
  is gone

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view messages for stage 1
  SELECT 11 AS _port, _start, w0 AS w0, CAST(NULL AS BIGINT) AS w1, w1 AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS INT) AS w5, pmod(hash(w0), 4) AS _shard
    FROM <arrived 0>
    UNION ALL SELECT 13 AS _port, _start, CAST(w2 % 2 AS INT) AS w0, CAST(NULL AS BIGINT) AS w1, w1 AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS INT) AS w5, pmod(hash(w1), 4) AS _shard
    FROM <arrived 0>
    UNION ALL SELECT 0 AS _port, _start, p0 AS w0, p1 AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS INT) AS w5, _shard AS _shard
    FROM (SELECT w0 AS p0, _start AS _life0, pmod(hash(w0), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1
    FROM <arrived 0>
    GROUP BY w0, _start, pmod(hash(w0), 4))
    UNION ALL SELECT 1 AS _port, _start, p1 AS w0, p2 AS w1, p0 AS w2, p3 AS w3, p4 AS w4, CAST(NULL AS INT) AS w5, _shard AS _shard
    FROM (SELECT w1 AS p0, w0 AS p1, _start AS _life0, pmod(hash(w1), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p2, CAST(count(w2) AS BIGINT) AS p3, CAST(sum(w2) AS BIGINT) AS p4
    FROM <arrived 0>
    GROUP BY w1, w0, _start, pmod(hash(w1), 4))
    UNION ALL SELECT 2 AS _port, _start, CAST(NULL AS INT) AS w0, p0 AS w1, CAST(NULL AS STRING) AS w2, p1 AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS INT) AS w5, _shard AS _shard
    FROM (SELECT CAST(CAST(w2 AS BIGINT) DIV 10L AS BIGINT) AS p0, _start AS _life0, pmod(hash(CAST(CAST(w2 AS BIGINT) DIV 10L AS BIGINT)), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1
    FROM <arrived 0>
    GROUP BY CAST(CAST(w2 AS BIGINT) DIV 10L AS BIGINT), _start, pmod(hash(CAST(CAST(w2 AS BIGINT) DIV 10L AS BIGINT)), 4))
    UNION ALL SELECT 3 AS _port, _start, p0 AS w0, p2 AS w1, p1 AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, p3 AS w5, _shard AS _shard
    FROM (SELECT w0 AS p0, w1 AS p1, _start AS _life0, pmod(hash(w1), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p2, CAST(max(w2) AS INT) AS p3
    FROM <arrived 0>
    GROUP BY w0, w1, _start, pmod(hash(w1), 4))
    UNION ALL SELECT 4 AS _port, _start, p0 AS w0, p1 AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS INT) AS w5, _shard AS _shard
    FROM (SELECT CAST(w2 % 2 AS INT) AS p0, _start AS _life0, pmod(hash(CAST(w2 % 2 AS INT)), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1
    FROM <arrived 0>
    GROUP BY CAST(w2 % 2 AS INT), _start, pmod(hash(CAST(w2 % 2 AS INT)), 4))
    UNION ALL SELECT 5 AS _port, _start, CAST(NULL AS INT) AS w0, p1 AS w1, p0 AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS INT) AS w5, _shard AS _shard
    FROM (SELECT w1 AS p0, _start AS _life0, pmod(hash(w1), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1
    FROM <arrived 0>
    GROUP BY w1, _start, pmod(hash(w1), 4))
    UNION ALL SELECT 6 AS _port, _start, CAST(NULL AS INT) AS w0, p1 AS w1, p0 AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS INT) AS w5, _shard AS _shard
    FROM (SELECT w1 AS p0, _start AS _life0, pmod(hash(w1), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1
    FROM <arrived 0>
    GROUP BY w1, _start, pmod(hash(w1), 4))
    UNION ALL SELECT 7 AS _port, _start, p0 AS w0, p1 AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, p2 AS w5, _shard AS _shard
    FROM (SELECT w0 AS p0, _start AS _life0, pmod(hash(w0), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1, CAST(min(w2) AS INT) AS p2
    FROM <arrived 0>
    GROUP BY w0, _start, pmod(hash(w0), 4))
    UNION ALL SELECT 8 AS _port, _start, p0 AS w0, p1 AS w1, CAST(NULL AS STRING) AS w2, p2 AS w3, p3 AS w4, CAST(NULL AS INT) AS w5, _shard AS _shard
    FROM (SELECT w0 AS p0, _start AS _life0, pmod(hash(w0), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1, CAST(count(w2) AS BIGINT) AS p2, CAST(sum(w2) AS BIGINT) AS p3
    FROM <arrived 0>
    GROUP BY w0, _start, pmod(hash(w0), 4))
    UNION ALL SELECT 9 AS _port, _start, CAST(NULL AS INT) AS w0, p0 AS w1, CAST(NULL AS STRING) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS INT) AS w5, _shard AS _shard
    FROM (SELECT _start AS _life0, CAST(0 AS INT) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p0
    FROM <arrived 0>
    GROUP BY _start, CAST(0 AS INT))
    UNION ALL SELECT 10 AS _port, _start, CAST(NULL AS INT) AS w0, p1 AS w1, p0 AS w2, p2 AS w3, p3 AS w4, CAST(NULL AS INT) AS w5, _shard AS _shard
    FROM (SELECT w1 AS p0, _start AS _life0, pmod(hash(w1), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1, CAST(count(w2) AS BIGINT) AS p2, CAST(sum(w2) AS BIGINT) AS p3
    FROM <arrived 0>
    WHERE w2 > 0
    GROUP BY w1, _start, pmod(hash(w1), 4))
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

output one_column
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_0_3
    WHERE _start <= 36000)

output two_columns
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `g`, w1 AS `k`, w2 AS `s`
    FROM (SELECT *
    FROM tailrace_stage_0_4
    WHERE _start <= 36000)

output column_not_selected
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_1_0
    WHERE _start <= 36000)

output expression
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `decade`, w1 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_0_5
    WHERE _start <= 36000)

output expression_of_group
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `label`, w1 AS `ug`, w2 AS `m`
    FROM (SELECT *
    FROM tailrace_stage_1_1
    WHERE _start <= 36000)

output by_alias
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `parity`, w1 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_0_6
    WHERE _start <= 36000)

output by_position
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `g`, w1 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_0_7
    WHERE _start <= 36000)

output no_aggregate
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `g`
    FROM (SELECT *
    FROM tailrace_stage_0_8
    WHERE _start <= 36000)

output constant_beside
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `what`, w1 AS `g`, w2 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_0_9
    WHERE _start <= 36000)

output having_count
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0_10
    WHERE _start <= 36000)

output having_column
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_0_11
    WHERE _start <= 36000)

output having_without_group
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_0_12
    WHERE _start <= 36000)

output where_and_having
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `g`, w1 AS `a`
    FROM (SELECT *
    FROM tailrace_stage_0_13
    WHERE _start <= 36000)

output over_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `name`, w1 AS `c`
    FROM (SELECT *
    FROM tailrace_stage_1_2
    WHERE _start <= 36000)

output distinct_groups
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_1_3
    WHERE _start <= 36000)

output plain_distinct
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `g`, w1 AS `parity`
    FROM (SELECT *
    FROM tailrace_stage_0_14
    WHERE _start <= 36000)
