== to an end, first batch
rows S
  rows of S
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(`v` AS INT) AS w1)

asked
  count(1) AS rows
  min(IF(_unreadable IS NULL, _moment, NULL)) AS first0
  max(IF(_unreadable IS NULL, _moment, NULL)) AS last0
  count(IF(_unreadable IS NULL, _moment, NULL)) AS timed0

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 100000L)) div 100000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 100000L)) div 100000L) + 1L AS _until, 1L AS _weight, _source, w0, w1
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 100000L)) div 100000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view messages for stage 1
  SELECT 0 AS _port, _start, w0 AS w0, w1 AS w1, CAST(NULL AS BIGINT) AS w2, pmod(hash(w0), 4) AS _shard
    FROM <arrived 0>
    UNION ALL SELECT 1 AS _port, _start, p0 AS w0, CAST(NULL AS INT) AS w1, p1 AS w2, _shard AS _shard
    FROM (SELECT w0 AS p0, greatest(((_start + 35999L) - pmod(_start + 35999L, 36000L)), 35999L) AS _life0, ((_start + 864001L + 35999L) - pmod(_start + 864001L + 35999L, 36000L)) AS _life1, pmod(hash(w0), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1
    FROM <arrived 0>
    GROUP BY w0, greatest(((_start + 35999L) - pmod(_start + 35999L, 36000L)), 35999L), ((_start + 864001L + 35999L) - pmod(_start + 864001L + 35999L, 36000L)), pmod(hash(w0), 4))
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output milliseconds
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_0

output many_milliseconds
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_1

output one_second
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_2

output seconds
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_3

output one_minute
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_4

output minutes
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_5

output one_hour
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_6

output hours
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_7

output one_day
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_8

output days
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_9

output ticks
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_10

output many_ticks
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_11

output zero_ticks
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_12

output zero_seconds
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_12

output shorter
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_13

output tumbling
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_14

output longer
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_15

output not_dividing
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_16

output one_tick
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_2

output ticks_and_unit
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_17

output unit_and_ticks
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_18

output whole_milliseconds
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_19

output zero_range
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_20

output over_lines
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `n`
    FROM tailrace_stage_0_21

== to an end, later batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 100000L)) div 100000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 100000L)) div 100000L) + 1L AS _until, 1L AS _weight, _source, w0, w1
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 100000L)) div 100000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 100000L)) div 100000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 100000L)) div 100000L) + 1L AS _until, 1L AS _weight, _source, w0, w1
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 100000L)) div 100000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

output milliseconds
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_0
    WHERE _start <= 360000)

output many_milliseconds
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_1
    WHERE _start <= 360000)

output one_second
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_2
    WHERE _start <= 360000)

output seconds
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_3
    WHERE _start <= 360000)

output one_minute
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_4
    WHERE _start <= 360000)

output minutes
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_5
    WHERE _start <= 360000)

output one_hour
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_6
    WHERE _start <= 360000)

output hours
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_7
    WHERE _start <= 360000)

output one_day
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_8
    WHERE _start <= 360000)

output days
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_9
    WHERE _start <= 360000)

output ticks
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_10
    WHERE _start <= 360000)

output many_ticks
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_11
    WHERE _start <= 360000)

output zero_ticks
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_12
    WHERE _start <= 360000)

output zero_seconds
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_12
    WHERE _start <= 360000)

output shorter
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_13
    WHERE _start <= 360000)

output tumbling
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_14
    WHERE _start <= 360000)

output longer
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_15
    WHERE _start <= 360000)

output not_dividing
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_16
    WHERE _start <= 360000)

output one_tick
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_2
    WHERE _start <= 360000)

output ticks_and_unit
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_17
    WHERE _start <= 360000)

output unit_and_ticks
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_18
    WHERE _start <= 360000)

output whole_milliseconds
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_19
    WHERE _start <= 360000)

output zero_range
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_20
    WHERE _start <= 360000)

output over_lines
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_0_21
    WHERE _start <= 360000)
