== to an end, first batch
rows S
  rows of S
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(`k` AS INT) AS w0, CAST(`v` AS INT) AS w1)

asked
  count(1) AS rows
  min(_moment) AS first0
  max(_moment) AS last0
  count(_moment) AS timed0

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 500000L)) div 500000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 500000L)) div 500000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 500000L)) div 500000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)])

view tailrace_rows
  rows of all

view tailrace_stage_0
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(id AS INT) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT 0 AS _port, _start, w0 AS w0, w1 AS w1, pmod(hash(w0), 4) AS _shard, _file, _block, _line
    FROM <arrived 0>
    UNION ALL SELECT 1 AS _port, _start, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM <arrived 0>
    UNION ALL SELECT 2 AS _port, _start, w0 AS w0, w1 AS w1, pmod(hash(w1), 4) AS _shard, _file, _block, _line
    FROM <arrived 0>
  repartitionById(4, _shard)
  sortWithinPartitions(_start, _file, _block, _line)
  drop(_shard, _file, _block, _line)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:int>)

view tailrace_stage_1
  SELECT -1L - id AS _start, CAST(NULL AS BIGINT) AS _until, CAST(NULL AS BIGINT) AS _weight, CAST(NULL AS INT) AS w0, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT _start, _until, _weight, w0 AS w0, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 0)
  repartitionById(4, _shard)
  drop(_shard)
  mapInArrow(…, struct<_start:bigint,_until:bigint,_weight:bigint,w0:int>)

output now
  SELECT timestamp_micros(_start * 500000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 1)
  select(*)

output zero
  SELECT timestamp_micros(_start * 500000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 1)
  select(*)

output range
  SELECT timestamp_micros(_start * 500000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 2)
  select(*)

output ticks
  SELECT timestamp_micros(_start * 500000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 3)
  select(*)

output slide
  SELECT timestamp_micros(_start * 500000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 4)
  select(*)

output one_tick_slide
  SELECT timestamp_micros(_start * 500000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 5)
  select(*)

output rows
  SELECT timestamp_micros(_start * 500000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 6)
  select(*)

output rows_slide
  SELECT timestamp_micros(_start * 500000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 7)
  select(*)

output rows_unbounded
  SELECT timestamp_micros(_start * 500000L + 1709251200000000L) AS _ts, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 8)
  select(*)

output partitions
  SELECT timestamp_micros(_start * 500000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 9)
  select(*)

output partitions_slide
  SELECT timestamp_micros(_start * 500000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`
    FROM tailrace_stage_1
  select(*)

== to an end, later batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 500000L)) div 500000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 500000L)) div 500000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 500000L)) div 500000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)])

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 500000L)) div 500000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 500000L)) div 500000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 500000L)) div 500000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)])

view tailrace_stage_1
  SELECT -1L - id AS _start, CAST(NULL AS BIGINT) AS _until, CAST(NULL AS BIGINT) AS _weight, CAST(NULL AS INT) AS w0, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT _start, _until, _weight, w0 AS w0, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 0)
  repartitionById(4, _shard)
  sortWithinPartitions(_start)
  drop(_shard)
  mapInArrow(…, struct<_start:bigint,_until:bigint,_weight:bigint,w0:int>)

output now
  SELECT timestamp_micros(_start * 500000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 1 AND _start <= 72000)
  select(*)

output zero
  SELECT timestamp_micros(_start * 500000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 1 AND _start <= 72000)
  select(*)

output range
  SELECT timestamp_micros(_start * 500000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 2 AND _start <= 72000)
  select(*)

output ticks
  SELECT timestamp_micros(_start * 500000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 3 AND _start <= 72000)
  select(*)

output slide
  SELECT timestamp_micros(_start * 500000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 4 AND _start <= 72000)
  select(*)

output one_tick_slide
  SELECT timestamp_micros(_start * 500000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 5 AND _start <= 72000)
  select(*)

output rows
  SELECT timestamp_micros(_start * 500000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 6 AND _start <= 72000)
  select(*)

output rows_slide
  SELECT timestamp_micros(_start * 500000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 7 AND _start <= 72000)
  select(*)

output rows_unbounded
  SELECT timestamp_micros(_start * 500000L + 1709251200000000L) AS _ts, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 8 AND _start <= 72000)
  select(*)

output partitions
  SELECT timestamp_micros(_start * 500000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 9 AND _start <= 72000)
  select(*)

output partitions_slide
  SELECT timestamp_micros(_start * 500000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _start <= 72000)
  select(*)

== continuously, first batch
rows S
  rows of S
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(`k` AS INT) AS w0, CAST(`v` AS INT) AS w1)

asked
  count(1) AS rows
  min(_moment) AS first0
  max(_moment) AS last0
  count(_moment) AS timed0

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 500000L)) div 500000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 500000L)) div 500000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 500000L)) div 500000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)])

view tailrace_rows
  rows of all

view tailrace_stage_0
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(id AS INT) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT 0 AS _port, _start, w0 AS w0, CAST(NULL AS INT) AS w1, pmod(hash(w0), 4) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM <arrived 0>
    UNION ALL SELECT 1 AS _port, _start, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM <arrived 0>
    UNION ALL SELECT 2 AS _port, _start, w0 AS w0, w1 AS w1, pmod(hash(w1), 4) AS _shard, _file, _block, _line
    FROM <arrived 0>
  repartitionById(4, _shard)
  sortWithinPartitions(_start, _file, _block, _line)
  drop(_shard, _file, _block, _line)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:int>)

output now
  SELECT timestamp_micros(_start * 500000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 0)
  select(*)

output zero
  SELECT timestamp_micros(_start * 500000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 0)
  select(*)

output range
  SELECT timestamp_micros(_start * 500000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 1)
  select(*)

output ticks
  SELECT timestamp_micros(_start * 500000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 2)
  select(*)

output slide
  SELECT timestamp_micros(_start * 500000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 3)
  select(*)

output one_tick_slide
  SELECT timestamp_micros(_start * 500000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 4)
  select(*)

output rows
  SELECT timestamp_micros(_start * 500000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 5)
  select(*)

output rows_slide
  SELECT timestamp_micros(_start * 500000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 6)
  select(*)

output rows_unbounded
  SELECT timestamp_micros(_start * 500000L + 1709251200000000L) AS _ts, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 7)
  select(*)

output partitions
  SELECT timestamp_micros(_start * 500000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 8)
  select(*)

== continuously, later batch, partitions_slide joins
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 500000L)) div 500000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 500000L)) div 500000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 500000L)) div 500000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)])

view tailrace_stage_0
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(id AS INT) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT 0 AS _port, _start, w0 AS w0, w1 AS w1, pmod(hash(w0), 4) AS _shard, _file, _block, _line
    FROM <arrived 0>
    UNION ALL SELECT 1 AS _port, _start, w0 AS w0, CAST(NULL AS INT) AS w1, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM <arrived 0>
    UNION ALL SELECT 2 AS _port, _start, w0 AS w0, w1 AS w1, pmod(hash(w1), 4) AS _shard, _file, _block, _line
    FROM <arrived 0>
  repartitionById(4, _shard)
  sortWithinPartitions(_start, _file, _block, _line)
  drop(_shard, _file, _block, _line)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:int>)

view tailrace_stage_1
  SELECT -1L - id AS _start, CAST(NULL AS BIGINT) AS _until, CAST(NULL AS BIGINT) AS _weight, CAST(NULL AS INT) AS w0, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT _start, _until, _weight, w0 AS w0, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 0)
  repartitionById(4, _shard)
  drop(_shard)
  mapInArrow(…, struct<_start:bigint,_until:bigint,_weight:bigint,w0:int>)

output now
  SELECT timestamp_micros(_start * 500000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 1)
  select(*)

output zero
  SELECT timestamp_micros(_start * 500000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 1)
  select(*)

output range
  SELECT timestamp_micros(_start * 500000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 2)
  select(*)

output ticks
  SELECT timestamp_micros(_start * 500000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 3)
  select(*)

output slide
  SELECT timestamp_micros(_start * 500000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 4)
  select(*)

output one_tick_slide
  SELECT timestamp_micros(_start * 500000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 5)
  select(*)

output rows
  SELECT timestamp_micros(_start * 500000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 6)
  select(*)

output rows_slide
  SELECT timestamp_micros(_start * 500000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 7)
  select(*)

output rows_unbounded
  SELECT timestamp_micros(_start * 500000L + 1709251200000000L) AS _ts, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 8)
  select(*)

output partitions
  SELECT timestamp_micros(_start * 500000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 9)
  select(*)

output partitions_slide
  SELECT timestamp_micros(_start * 500000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_1
    WHERE _start >= 12)
  select(*)
