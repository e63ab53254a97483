== to an end, first batch
rows S
  rows of S
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _unreadable AS _unreadable, CAST(`v` AS INT) AS w0)

asked
  count(1) AS rows
  min(IF(_unreadable IS NULL, _moment, NULL)) AS first0
  max(IF(_unreadable IS NULL, _moment, NULL)) AS last0
  count(IF(_unreadable IS NULL, _moment, NULL)) AS timed0

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view tailrace_stage_0
  SELECT -1L - id AS _start, CAST(NULL AS BIGINT) AS w0, CAST(id AS INT) AS _shard
    FROM range(0, 1, 1, 1)
    UNION ALL SELECT _start, p0 AS w0, _shard AS _shard
    FROM (SELECT _start AS _life0, CAST(0 AS INT) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p0
    FROM <arrived 0>
    WHERE w0 > 9
    GROUP BY _start, CAST(0 AS INT))
  repartition(1)
  drop(_shard)
  mapInArrow(…, struct<_start:bigint,w0:bigint>)

output counted
  SELECT w0 AS `n`
    FROM (SELECT *, _start + 1L AS _until, 1L AS _weight
    FROM tailrace_stage_0)
  select(*)

== to an end, later batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_stage_0
  SELECT -1L - id AS _start, CAST(NULL AS BIGINT) AS w0, CAST(id AS INT) AS _shard
    FROM range(0, 1, 1, 1)
    UNION ALL SELECT _start, p0 AS w0, _shard AS _shard
    FROM (SELECT _start AS _life0, CAST(0 AS INT) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p0
    FROM <arrived 0>
    WHERE w0 > 9
    GROUP BY _start, CAST(0 AS INT))
  repartition(1)
  sortWithinPartitions(_start)
  drop(_shard)
  mapInArrow(…, struct<_start:bigint,w0:bigint>)

output counted
  SELECT w0 AS `n`
    FROM (SELECT *
    FROM (SELECT *, _start + 1L AS _until, 1L AS _weight
    FROM tailrace_stage_0)
    WHERE _start <= 36000)
  select(*)

== continuously, first batch
rows S
  rows of S
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(`v` AS INT) AS w1)

asked
  count(1) AS rows
  min(IF(_unreadable IS NULL, _moment, NULL)) AS first0
  max(IF(_unreadable IS NULL, _moment, NULL)) AS last0
  count(IF(_unreadable IS NULL, _moment, NULL)) AS timed0

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view tailrace_stage_0
  SELECT -1L - id AS _start, CAST(NULL AS BIGINT) AS w0, CAST(id AS INT) AS _shard
    FROM range(0, 1, 1, 1)
    UNION ALL SELECT _start, p0 AS w0, _shard AS _shard
    FROM (SELECT _start AS _life0, CAST(0 AS INT) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p0
    FROM <arrived 0>
    WHERE w1 > 9
    GROUP BY _start, CAST(0 AS INT))
  repartition(1)
  drop(_shard)
  mapInArrow(…, struct<_start:bigint,w0:bigint>)

output counted
  SELECT w0 AS `n`
    FROM (SELECT *, _start + 1L AS _until, 1L AS _weight
    FROM tailrace_stage_0)
  select(*)

== continuously, later batch, no query joins
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)
