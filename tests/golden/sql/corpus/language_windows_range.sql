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

view tailrace_stage_0
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BIGINT) AS w2, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT 0 AS _port, _start, w0 AS w0, w1 AS w1, CAST(NULL AS BIGINT) AS w2, pmod(hash(w0), 4) AS _shard
    FROM <arrived 0>
    UNION ALL SELECT 1 AS _port, _start, p0 AS w0, CAST(NULL AS INT) AS w1, p1 AS w2, _shard AS _shard
    FROM (SELECT w0 AS p0, greatest(((_start + 35999L) - pmod(_start + 35999L, 36000L)), 35999L) AS _life0, ((_start + 864001L + 35999L) - pmod(_start + 864001L + 35999L, 36000L)) AS _life1, pmod(hash(w0), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1
    FROM <arrived 0>
    GROUP BY w0, greatest(((_start + 35999L) - pmod(_start + 35999L, 36000L)), 35999L), ((_start + 864001L + 35999L) - pmod(_start + 864001L + 35999L, 36000L)), pmod(hash(w0), 4))
  repartitionById(4, _shard)
  drop(_shard)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:int,w2:bigint>)

output milliseconds
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 0)
  select(*)

output many_milliseconds
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 1)
  select(*)

output one_second
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 2)
  select(*)

output seconds
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 3)
  select(*)

output one_minute
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 4)
  select(*)

output minutes
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 5)
  select(*)

output one_hour
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 6)
  select(*)

output hours
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 7)
  select(*)

output one_day
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 8)
  select(*)

output days
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 9)
  select(*)

output ticks
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 10)
  select(*)

output many_ticks
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 11)
  select(*)

output zero_ticks
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 12)
  select(*)

output zero_seconds
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 12)
  select(*)

output shorter
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 13)
  select(*)

output tumbling
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 14)
  select(*)

output longer
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 15)
  select(*)

output not_dividing
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 16)
  select(*)

output one_tick
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 2)
  select(*)

output ticks_and_unit
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 17)
  select(*)

output unit_and_ticks
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 18)
  select(*)

output whole_milliseconds
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 19)
  select(*)

output zero_range
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 20)
  select(*)

output over_lines
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, w0 AS `k`, w2 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 21)
  select(*)

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

view tailrace_stage_0
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS BIGINT) AS w2, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT 0 AS _port, _start, w0 AS w0, w1 AS w1, CAST(NULL AS BIGINT) AS w2, pmod(hash(w0), 4) AS _shard
    FROM <arrived 0>
    UNION ALL SELECT 1 AS _port, _start, p0 AS w0, CAST(NULL AS INT) AS w1, p1 AS w2, _shard AS _shard
    FROM (SELECT w0 AS p0, greatest(((_start + 35999L) - pmod(_start + 35999L, 36000L)), 35999L) AS _life0, ((_start + 864001L + 35999L) - pmod(_start + 864001L + 35999L, 36000L)) AS _life1, pmod(hash(w0), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1
    FROM <arrived 0>
    GROUP BY w0, greatest(((_start + 35999L) - pmod(_start + 35999L, 36000L)), 35999L), ((_start + 864001L + 35999L) - pmod(_start + 864001L + 35999L, 36000L)), pmod(hash(w0), 4))
  repartitionById(4, _shard)
  sortWithinPartitions(_start)
  drop(_shard)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:int,w2:bigint>)

output milliseconds
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 0 AND _start <= 360000)
  select(*)

output many_milliseconds
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 1 AND _start <= 360000)
  select(*)

output one_second
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 2 AND _start <= 360000)
  select(*)

output seconds
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 3 AND _start <= 360000)
  select(*)

output one_minute
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 4 AND _start <= 360000)
  select(*)

output minutes
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 5 AND _start <= 360000)
  select(*)

output one_hour
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 6 AND _start <= 360000)
  select(*)

output hours
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 7 AND _start <= 360000)
  select(*)

output one_day
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 8 AND _start <= 360000)
  select(*)

output days
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 9 AND _start <= 360000)
  select(*)

output ticks
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 10 AND _start <= 360000)
  select(*)

output many_ticks
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 11 AND _start <= 360000)
  select(*)

output zero_ticks
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 12 AND _start <= 360000)
  select(*)

output zero_seconds
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 12 AND _start <= 360000)
  select(*)

output shorter
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 13 AND _start <= 360000)
  select(*)

output tumbling
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 14 AND _start <= 360000)
  select(*)

output longer
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 15 AND _start <= 360000)
  select(*)

output not_dividing
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 16 AND _start <= 360000)
  select(*)

output one_tick
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 2 AND _start <= 360000)
  select(*)

output ticks_and_unit
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 17 AND _start <= 360000)
  select(*)

output unit_and_ticks
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 18 AND _start <= 360000)
  select(*)

output whole_milliseconds
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 19 AND _start <= 360000)
  select(*)

output zero_range
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 20 AND _start <= 360000)
  select(*)

output over_lines
  SELECT timestamp_micros(_start * 100000L + 1709251200000000L) AS _ts, w0 AS `k`, w2 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 21 AND _start <= 360000)
  select(*)
