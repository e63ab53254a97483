== to an end, first batch
rows Clicks
  rows of Clicks
  selectExpr(0 AS _source, unix_micros(CAST(`timestamp` AS TIMESTAMP)) AS _moment, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS STRING) AS _unreadable, CAST(`value` AS BINARY) AS w0, CAST(`topic` AS STRING) AS w1, CAST(NULL AS BIGINT) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS INT) AS w4)

rows Beat
  rows of Beat
  selectExpr(1 AS _source, unix_micros(CAST(`timestamp` AS TIMESTAMP)) AS _moment, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS STRING) AS _unreadable, CAST(NULL AS BINARY) AS w0, CAST(NULL AS STRING) AS w1, CAST(`value` AS BIGINT) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS INT) AS w4)

rows Arrived
  rows of Arrived
  selectExpr(2 AS _source, unix_micros(current_timestamp()) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, IF(`k` IS NULL, _unreadable, concat(_unreadable, '')) AS _unreadable, CAST(NULL AS BINARY) AS w0, CAST(NULL AS STRING) AS w1, CAST(NULL AS BIGINT) AS w2, CAST(`k` AS INT) AS w3, CAST(NULL AS INT) AS w4)

rows Fed
  rows of Fed
  selectExpr(3 AS _source, unix_micros(current_timestamp()) AS _moment, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS STRING) AS _unreadable, CAST(NULL AS BINARY) AS w0, CAST(NULL AS STRING) AS w1, CAST(NULL AS BIGINT) AS w2, CAST(`k` AS INT) AS w3, CAST(`v` AS INT) AS w4)

rows Keyed
  rows of Keyed
  selectExpr(4 AS _source, unix_micros(current_timestamp()) AS _moment, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS STRING) AS _unreadable, CAST(NULL AS BINARY) AS w0, CAST(NULL AS STRING) AS w1, CAST(NULL AS BIGINT) AS w2, CAST(`k` AS INT) AS w3, CAST(`v` AS INT) AS w4)

asked
  count(1) AS rows
  min(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS first0
  max(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS last0
  count(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS timed0
  min(IF(_source = 1 AND _unreadable IS NULL, _moment, NULL)) AS first1
  max(IF(_source = 1 AND _unreadable IS NULL, _moment, NULL)) AS last1
  count(IF(_source = 1 AND _unreadable IS NULL, _moment, NULL)) AS timed1
  min(IF(_source = 2 AND _unreadable IS NULL, _moment, NULL)) AS first2
  max(IF(_source = 2 AND _unreadable IS NULL, _moment, NULL)) AS last2
  count(IF(_source = 2 AND _unreadable IS NULL, _moment, NULL)) AS timed2
  min(IF(_source = 3 AND _unreadable IS NULL, _moment, NULL)) AS first3
  max(IF(_source = 3 AND _unreadable IS NULL, _moment, NULL)) AS last3
  count(IF(_source = 3 AND _unreadable IS NULL, _moment, NULL)) AS timed3
  min(IF(_source = 4 AND _unreadable IS NULL, _moment, NULL)) AS first4
  max(IF(_source = 4 AND _unreadable IS NULL, _moment, NULL)) AS last4
  count(IF(_source = 4 AND _unreadable IS NULL, _moment, NULL)) AS timed4

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3, w4
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view messages for stage 1
  SELECT CASE _source WHEN 3 THEN 3 WHEN 4 THEN 4 WHEN 0 THEN 5 WHEN 1 THEN 6 END AS _port, _start, CASE _source WHEN 3 THEN CAST(NULL AS STRING) WHEN 4 THEN CAST(NULL AS STRING) WHEN 0 THEN w1 WHEN 1 THEN CAST(NULL AS STRING) END AS w0, CASE _source WHEN 3 THEN CAST(NULL AS BIGINT) WHEN 4 THEN CAST(NULL AS BIGINT) WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN w2 END AS w1, CAST(NULL AS BIGINT) AS w2, CASE _source WHEN 3 THEN w3 WHEN 4 THEN w3 WHEN 0 THEN CAST(NULL AS INT) WHEN 1 THEN CAST(NULL AS INT) END AS w3, CASE _source WHEN 3 THEN w4 WHEN 4 THEN w4 WHEN 0 THEN CAST(NULL AS INT) WHEN 1 THEN CAST(NULL AS INT) END AS w4, CAST(0 AS INT) AS _shard, CASE _source WHEN 3 THEN _file WHEN 4 THEN _file WHEN 0 THEN CAST(NULL AS STRING) WHEN 1 THEN CAST(NULL AS STRING) END AS _file, CASE _source WHEN 3 THEN _block WHEN 4 THEN _block WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN CAST(NULL AS BIGINT) END AS _block, CASE _source WHEN 3 THEN _line WHEN 4 THEN _line WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN CAST(NULL AS BIGINT) END AS _line
    FROM <arrived 0>
    WHERE (_source = 3) OR (_source = 4) OR (_source = 0) OR (_source = 1)
    UNION ALL SELECT 0 AS _port, _start, p0 AS w0, p1 AS w1, CAST(NULL AS BIGINT) AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS INT) AS w4, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT w1 AS p0, greatest(((_start + 59L) - pmod(_start + 59L, 60L)), 59L) AS _life0, ((_start + 61L + 59L) - pmod(_start + 61L + 59L, 60L)) AS _life1, pmod(hash(w1), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    GROUP BY w1, greatest(((_start + 59L) - pmod(_start + 59L, 60L)), 59L), ((_start + 61L + 59L) - pmod(_start + 61L + 59L, 60L)), pmod(hash(w1), 4))
    UNION ALL SELECT 1 AS _port, _start, CAST(NULL AS STRING) AS w0, p0 AS w1, p1 AS w2, CAST(NULL AS INT) AS w3, CAST(NULL AS INT) AS w4, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT _start AS _life0, CAST(0 AS INT) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p0, CAST(max(w2) AS BIGINT) AS p1
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 1)
    GROUP BY _start, CAST(0 AS INT))
    UNION ALL SELECT 2 AS _port, _start, CAST(NULL AS STRING) AS w0, p1 AS w1, CAST(NULL AS BIGINT) AS w2, p0 AS w3, CAST(NULL AS INT) AS w4, _shard AS _shard, CAST(NULL AS STRING) AS _file, CAST(NULL AS BIGINT) AS _block, CAST(NULL AS BIGINT) AS _line
    FROM (SELECT w3 AS p0, _start AS _life0, pmod(hash(w3), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 2)
    GROUP BY w3, _start, pmod(hash(w3), 4))
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output click_texts
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, CAST(CAST(w0 AS STRING) AS STRING) AS `body`, w1 AS `topic`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)

output clicks_a_minute
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `topic`, w1 AS `n`
    FROM tailrace_stage_0_0

output beats
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `newest`, w1 AS `n`
    FROM tailrace_stage_0_1

output arrivals
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `n`
    FROM tailrace_stage_0_2

output fed_and_keyed
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`, w2 AS `qv`
    FROM tailrace_stage_0_3

output beside_the_beat
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `topic`, w1 AS `value`
    FROM tailrace_stage_0_4

== to an end, later batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3, w4
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, _file, _block, monotonically_increasing_id() AS _line, w0, w1, w2, w3, w4
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

output click_texts
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, CAST(CAST(w0 AS STRING) AS STRING) AS `body`, w1 AS `topic`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0 AND _start <= 36000)

output clicks_a_minute
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `topic`, w1 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_0_0
    WHERE _start <= 36000)

output beats
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `newest`, w1 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_0_1
    WHERE _start <= 36000)

output arrivals
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_0_2
    WHERE _start <= 36000)

output fed_and_keyed
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`, w2 AS `qv`
    FROM (SELECT *
    FROM tailrace_stage_0_3
    WHERE _start <= 36000)

output beside_the_beat
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `topic`, w1 AS `value`
    FROM (SELECT *
    FROM tailrace_stage_0_4
    WHERE _start <= 36000)
