== to an end, first batch
rows S
  rows of S
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`k` AS STRING) AS w0, CAST(`v` AS INT) AS w1, CAST(NULL AS STRING) AS w2)

asked
  count(1) AS rows
  min(IF(_unreadable IS NULL, _moment, NULL)) AS first0
  max(IF(_unreadable IS NULL, _moment, NULL)) AS last0
  count(IF(_unreadable IS NULL, _moment, NULL)) AS timed0

<arrived 1>
  (SELECT 0L AS _start, 0L + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2
    FROM tailrace_source_1
    WHERE true AND _unreadable IS NULL)

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view tailrace_source_1
  rows of Names
  selectExpr(1 AS _source, 0L AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, IF(`k` IS NULL, _unreadable, concat(_unreadable, '')) AS _unreadable, CAST(`k` AS STRING) AS w0, CAST(NULL AS INT) AS w1, CAST(`name` AS STRING) AS w2)

view tailrace_stage_0
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS STRING) AS w0, CAST(NULL AS INT) AS w1, CAST(id AS INT) AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM range(0, 1, 1, 1)
    UNION ALL SELECT 0 AS _port, _start, w0 AS w0, w1 AS w1, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM <arrived 0>
    UNION ALL SELECT 1 AS _port, _start, w0 AS w0, w1 AS w1, CAST(0 AS INT) AS _shard, _file, _block, _line
    FROM <arrived 0>
    WHERE w1 > 0
  repartition(1)
  sortWithinPartitions(_start, _file, _block, _line)
  drop(_shard, _file, _block, _line)
  mapInArrow(…, struct<_port:int,_start:bigint,_until:bigint,_weight:bigint,w0:string,w1:bigint,w2:double,w3:int>)

view tailrace_stage_1
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS BIGINT) AS _until, CAST(NULL AS BIGINT) AS _weight, CAST(NULL AS STRING) AS w0, CAST(NULL AS BIGINT) AS w1, CAST(NULL AS STRING) AS w2, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 0)
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, w0 AS w0, CAST(NULL AS BIGINT) AS w1, w2 AS w2, pmod(hash(w0), 4) AS _shard
    FROM <arrived 1>
  repartitionById(4, _shard)
  drop(_shard)
  mapInArrow(…, struct<_start:bigint,_until:bigint,_weight:bigint,w0:string,w1:bigint>)

view tailrace_stage_2
  SELECT -1L - id AS _start, CAST(NULL AS BIGINT) AS _until, CAST(NULL AS BIGINT) AS _weight, CAST(NULL AS STRING) AS w0, CAST(NULL AS BIGINT) AS w1, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT _start, _until, _weight, w0 AS w0, w1 AS w1, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_1
  repartitionById(4, _shard)
  drop(_shard)
  mapInArrow(…, struct<_start:bigint,w0:string,w1:bigint>)

output two_deep
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w2 AS `a`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 1)
  select(*)

output sample_of_sample
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w3 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 2)
  select(*)

output three_deep
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w2 AS `top`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 3)
  select(*)

output over_stream_view
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `s`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 4)
  select(*)

output over_sequence_view
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w2 AS `avg`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 5)
  select(*)

output time_window_on_it
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `top`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 6)
  select(*)

output joined_with_names
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `name`, w1 AS `rate`
    FROM (SELECT *, _start + 1L AS _until, 1L AS _weight
    FROM tailrace_stage_2)
  select(*)

== to an end, later batch
<arrived 1>
  is gone

view tailrace_source_1
  is gone

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_stage_1
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS BIGINT) AS _until, CAST(NULL AS BIGINT) AS _weight, CAST(NULL AS STRING) AS w0, CAST(NULL AS BIGINT) AS w1, CAST(NULL AS STRING) AS w2, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 0)
  repartitionById(4, _shard)
  drop(_shard)
  mapInArrow(…, struct<_start:bigint,_until:bigint,_weight:bigint,w0:string,w1:bigint>)

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_stage_1
  SELECT CAST(NULL AS INT) AS _port, -1L - id AS _start, CAST(NULL AS BIGINT) AS _until, CAST(NULL AS BIGINT) AS _weight, CAST(NULL AS STRING) AS w0, CAST(NULL AS BIGINT) AS w1, CAST(NULL AS STRING) AS w2, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, w1 AS w1, CAST(NULL AS STRING) AS w2, pmod(hash(w0), 4) AS _shard
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 0)
  repartitionById(4, _shard)
  sortWithinPartitions(_start)
  drop(_shard)
  mapInArrow(…, struct<_start:bigint,_until:bigint,_weight:bigint,w0:string,w1:bigint>)

view tailrace_stage_2
  SELECT -1L - id AS _start, CAST(NULL AS BIGINT) AS _until, CAST(NULL AS BIGINT) AS _weight, CAST(NULL AS STRING) AS w0, CAST(NULL AS BIGINT) AS w1, CAST(id AS INT) AS _shard
    FROM range(0, 4, 1, 1)
    UNION ALL SELECT _start, _until, _weight, w0 AS w0, w1 AS w1, pmod(hash(w0, w1), 4) AS _shard
    FROM tailrace_stage_1
  repartitionById(4, _shard)
  sortWithinPartitions(_start)
  drop(_shard)
  mapInArrow(…, struct<_start:bigint,w0:string,w1:bigint>)

output two_deep
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w2 AS `a`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 1 AND _start <= 36000)
  select(*)

output sample_of_sample
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w3 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 2 AND _start <= 36000)
  select(*)

output three_deep
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w2 AS `top`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 3 AND _start <= 36000)
  select(*)

output over_stream_view
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w1 AS `s`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 4 AND _start <= 36000)
  select(*)

output over_sequence_view
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `k`, w2 AS `avg`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 5 AND _start <= 36000)
  select(*)

output time_window_on_it
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `top`
    FROM (SELECT *
    FROM tailrace_stage_0
    WHERE _port = 6 AND _start <= 36000)
  select(*)

output joined_with_names
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `name`, w1 AS `rate`
    FROM (SELECT *
    FROM (SELECT *, _start + 1L AS _until, 1L AS _weight
    FROM tailrace_stage_2)
    WHERE _start <= 36000)
  select(*)
