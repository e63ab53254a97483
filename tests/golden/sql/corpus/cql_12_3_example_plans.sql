== to an end, first batch
rows S1
  rows of S1
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`A` AS INT) AS w0, CAST(`B` AS INT) AS w1)

rows S2
  rows of S2
  selectExpr(1 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`A` AS INT) AS w0, CAST(`C` AS INT) AS w1)

asked
  count(1) AS rows
  min(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS first0
  max(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS last0
  count(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS timed0
  min(IF(_source = 1 AND _unreadable IS NULL, _moment, NULL)) AS first1
  max(IF(_source = 1 AND _unreadable IS NULL, _moment, NULL)) AS last1
  count(IF(_source = 1 AND _unreadable IS NULL, _moment, NULL)) AS timed1

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view tailrace_stage_0
  SELECT -1L - id AS _start, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(id AS INT) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM range(0, 1, 1, 1)
    UNION ALL SELECT _start, w0 AS w0, w1 AS w1, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
  repartition(1)
  sortWithinPartitions(_start, _file, _block, _line)
  drop(_shard, _file, _block, _line)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:int,w1:int>)

view tailrace_stage_1
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS BIGINT) AS _until, CAST(NULL AS BIGINT) AS _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 1)
    UNION ALL SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 0)
  repartitionById(4, _shard)
  drop(_shard)
  mapInArrow(…, struct<_start:bigint,w0:int,w1:int,w2:int,w3:int>)

output Q1
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `B`, w1 AS `max`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 1)
  select(*)

output Q2
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `A`, w1 AS `B`, w2 AS `A_2`, w3 AS `C`
    FROM (SELECT *, _start + 1L AS _until, 1L AS _weight
    FROM tailrace_stage_1)
  select(*)

== to an end, later batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_stage_1
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS BIGINT) AS _until, CAST(NULL AS BIGINT) AS _weight, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 1)
    UNION ALL SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 0)
  repartitionById(4, _shard)
  sortWithinPartitions(_start)
  drop(_shard)
  mapInArrow(…, struct<_start:bigint,w0:int,w1:int,w2:int,w3:int>)

output Q1
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `B`, w1 AS `max`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 1 AND _start <= 36000)
  select(*)

output Q2
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `A`, w1 AS `B`, w2 AS `A_2`, w3 AS `C`
    FROM (SELECT *
    FROM (SELECT *, _start + 1L AS _until, 1L AS _weight
    FROM tailrace_stage_1)
    WHERE _start <= 36000)
  select(*)
