== to an end, first batch
rows Listed
  rows of Listed
  selectExpr(IF(CAST(`beat` AS BOOLEAN) AND unix_micros(CAST(`ts` AS TIMESTAMP)) IS NOT NULL AND _unreadable IS NULL, -1, 0) AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, 1L AS _weight, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(NULL AS DOUBLE) AS w1, CAST(NULL AS BOOLEAN) AS w2, CAST(NULL AS INT) AS w3)

rows Prices
  rows of Prices
  selectExpr(IF(CAST(`beat` AS BOOLEAN) AND unix_micros(CAST(`ts` AS TIMESTAMP)) IS NOT NULL AND _unreadable IS NULL, -2, 1) AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, CASE trim(`op`) WHEN '+' THEN 1L WHEN '-' THEN -1L END AS _weight, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(`price` AS DOUBLE) AS w1, CAST(NULL AS BOOLEAN) AS w2, CAST(NULL AS INT) AS w3)

rows latest
  rows of latest
  selectExpr(2 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, 1L AS _weight, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS STRING) AS _unreadable, CAST(`k` AS INT) AS w0, CAST(NULL AS DOUBLE) AS w1, CAST(NULL AS BOOLEAN) AS w2, CAST(NULL AS INT) AS w3)

rows Heartbeat
  rows of Heartbeat
  selectExpr(IF(CAST(`heartbeat` AS BOOLEAN) AND unix_micros(CAST(`after` AS TIMESTAMP)) IS NOT NULL AND _unreadable IS NULL, -4, 3) AS _source, unix_micros(CAST(`after` AS TIMESTAMP)) AS _moment, 1L AS _weight, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`idle` AS INT) AS w0, CAST(NULL AS DOUBLE) AS w1, CAST(`heartbeat` AS BOOLEAN) AS w2, CAST(NULL AS INT) AS w3)

rows Told
  rows of Told
  selectExpr(IF(CAST(`beat` AS BOOLEAN) AND unix_micros(CAST(`ts` AS TIMESTAMP)) IS NOT NULL AND _unreadable IS NULL, -5, 4) AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, 1L AS _weight, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(NULL AS DOUBLE) AS w1, CAST(NULL AS BOOLEAN) AS w2, CAST(`v` AS INT) AS w3)

asked
  count(IF(_source >= 0, 1, NULL)) AS rows
  min(IF(_source = 0 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS first0
  max(IF(_source = 0 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS last0
  count(IF(_source = 0 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS timed0
  max(IF(_source = -1, _moment, NULL)) AS promised0
  min(IF(_source = 1 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS first1
  max(IF(_source = 1 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS last1
  count(IF(_source = 1 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS timed1
  max(IF(_source = -2, _moment, NULL)) AS promised1
  min(IF(_source = 2 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS first2
  max(IF(_source = 2 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS last2
  count(IF(_source = 2 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS timed2
  min(IF(_source = 3 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS first3
  max(IF(_source = 3 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS last3
  count(IF(_source = 3 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS timed3
  max(IF(_source = -4, _moment, NULL)) AS promised3
  min(IF(_source = 4 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS first4
  max(IF(_source = 4 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS last4
  count(IF(_source = 4 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS timed4
  max(IF(_source = -5, _moment, NULL)) AS promised4

<arrived 0>
  (SELECT _moment AS _start, _moment + 1L AS _until, _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3
    FROM tailrace_rows
    WHERE NOT _moment <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _source >= 0 AND _weight IS NOT NULL AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 WHEN 2 THEN 2 WHEN 3 THEN 3 END AS _port, _start, _until, _weight, w0 AS w0, CASE _source WHEN 0 THEN CAST(NULL AS DOUBLE) WHEN 1 THEN w1 WHEN 2 THEN CAST(NULL AS DOUBLE) WHEN 3 THEN CAST(NULL AS DOUBLE) END AS w1, CASE _source WHEN 0 THEN CAST(NULL AS BOOLEAN) WHEN 1 THEN CAST(NULL AS BOOLEAN) WHEN 2 THEN CAST(NULL AS BOOLEAN) WHEN 3 THEN w2 END AS w2, CASE _source WHEN 0 THEN pmod(hash(w0), 4) WHEN 1 THEN pmod(hash(w0), 4) WHEN 2 THEN pmod(hash(w0), 4) WHEN 3 THEN CAST(0 AS INT) END AS _shard, CASE _source WHEN 0 THEN CAST(NULL AS STRING) WHEN 1 THEN CAST(NULL AS STRING) WHEN 2 THEN _file WHEN 3 THEN _file END AS _file, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 2 THEN _block WHEN 3 THEN _block END AS _block, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN CAST(NULL AS BIGINT) WHEN 2 THEN _line WHEN 3 THEN _line END AS _line
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1) OR (_source = 2) OR (_source = 3)
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

view messages for stage 2
  SELECT 0 AS _port, _start, _until, _weight, w0 AS w0, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_0
    UNION ALL SELECT 1 AS _port, _start, _until, _weight, w0 AS w0, pmod(hash(w0), 4) AS _shard
    FROM tailrace_stage_0_1
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output every
  SELECT _start AS _ts, w0 AS `k`, w3 AS `v`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 4)

output priced
  SELECT _start AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `price`
    FROM tailrace_stage_0_2

output newest
  SELECT _start AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM tailrace_stage_1_0

== to an end, later batch
<arrived 0>
  (SELECT _moment AS _start, _moment + 1L AS _until, _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3
    FROM tailrace_rows
    WHERE NOT _moment <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _source >= 0 AND _weight IS NOT NULL AND _unreadable IS NULL)

== to an end, large batch
<arrived 0>
  (SELECT _moment AS _start, _moment + 1L AS _until, _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3
    FROM tailrace_rows
    WHERE NOT _moment <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _source >= 0 AND _weight IS NOT NULL AND _unreadable IS NULL)

output every
  SELECT _start AS _ts, w0 AS `k`, w3 AS `v`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 4 AND _start <= 500)

output priced
  SELECT _start AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `price`
    FROM (SELECT *
    FROM tailrace_stage_0_2
    WHERE _start <= 500)

output newest
  SELECT _start AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`
    FROM (SELECT *
    FROM tailrace_stage_1_0
    WHERE _start <= 500)
