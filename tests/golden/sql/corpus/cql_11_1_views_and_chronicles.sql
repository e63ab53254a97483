== to an end, first batch
rows S1
  rows of S1
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, 1L AS _weight, _metadata.file_path AS _file, _unreadable AS _unreadable, CAST(`A` AS INT) AS w0, CAST(`B` AS INT) AS w1, CAST(NULL AS STRING) AS w2)

rows S2
  rows of S2
  selectExpr(1 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, 1L AS _weight, _metadata.file_path AS _file, _unreadable AS _unreadable, CAST(`A` AS INT) AS w0, CAST(`B` AS INT) AS w1, CAST(NULL AS STRING) AS w2)

rows R
  rows of R
  selectExpr(2 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, CASE trim(`op`) WHEN '+' THEN 1L WHEN '-' THEN -1L END AS _weight, _metadata.file_path AS _file, _unreadable AS _unreadable, CAST(NULL AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(`label` AS STRING) AS w2)

asked
  count(1) AS rows
  min(IF(_source = 0 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS first0
  max(IF(_source = 0 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS last0
  count(IF(_source = 0 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS timed0
  min(IF(_source = 1 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS first1
  max(IF(_source = 1 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS last1
  count(IF(_source = 1 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS timed1
  min(IF(_source = 2 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS first2
  max(IF(_source = 2 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS last2
  count(IF(_source = 2 AND _weight IS NOT NULL AND _unreadable IS NULL, _moment, NULL)) AS timed2

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, _weight, _source, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _weight IS NOT NULL AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 WHEN 2 THEN 3 END AS _port, _start, _until, _weight, CASE _source WHEN 0 THEN w0 WHEN 1 THEN w0 WHEN 2 THEN CAST(NULL AS INT) END AS w0, CASE _source WHEN 0 THEN w1 WHEN 1 THEN w1 WHEN 2 THEN CAST(NULL AS INT) END AS w1, CAST(NULL AS BIGINT) AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, CASE _source WHEN 0 THEN CAST(NULL AS STRING) WHEN 1 THEN CAST(NULL AS STRING) WHEN 2 THEN w2 END AS w5, CASE _source WHEN 0 THEN pmod(hash(w0), 4) WHEN 1 THEN pmod(hash(w1), 4) WHEN 2 THEN pmod(hash(w2), 4) END AS _shard
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1) OR (_source = 2)
    UNION ALL SELECT 2 AS _port, _start, _until, _weight, p0 AS w0, CAST(NULL AS INT) AS w1, p1 AS w2, p2 AS w3, p3 AS w4, CAST(NULL AS STRING) AS w5, _shard AS _shard
    FROM (SELECT w0 AS p0, _start AS _life0, pmod(hash(w0), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1, CAST(count(w1) AS BIGINT) AS p2, CAST(sum(w1) AS BIGINT) AS p3
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    GROUP BY w0, _start, pmod(hash(w0), 4))
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output chronicle_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `A`, w1 AS `B`, w2 AS `A_2`, w3 AS `B_2`
    FROM tailrace_stage_0_0

output persistent_view
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `A`, w1 AS `n`, w2 AS `total`
    FROM tailrace_stage_0_1

output label_counts
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `label`, w1 AS `n`
    FROM tailrace_stage_0_2

== to an end, later batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, _weight, _source, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _weight IS NOT NULL AND _unreadable IS NULL)

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, _weight, _source, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _weight IS NOT NULL AND _unreadable IS NULL)

output chronicle_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `A`, w1 AS `B`, w2 AS `A_2`, w3 AS `B_2`
    FROM (SELECT *
    FROM tailrace_stage_0_0
    WHERE _start <= 36000)

output persistent_view
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `A`, w1 AS `n`, w2 AS `total`
    FROM (SELECT *
    FROM tailrace_stage_0_1
    WHERE _start <= 36000)

output label_counts
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `label`, w1 AS `n`
    FROM (SELECT *
    FROM tailrace_stage_0_2
    WHERE _start <= 36000)
