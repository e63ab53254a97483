== to an end, first batch
rows Eth0
  rows of Eth0
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _unreadable AS _unreadable, CAST(`src` AS STRING) AS w0, CAST(`dst` AS STRING) AS w1, CAST(`bytes` AS INT) AS w2)

rows Eth1
  rows of Eth1
  selectExpr(1 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _unreadable AS _unreadable, CAST(`src` AS STRING) AS w0, CAST(`dst` AS STRING) AS w1, CAST(`bytes` AS INT) AS w2)

asked
  count(1) AS rows
  min(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS first0
  max(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS last0
  count(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS timed0
  min(IF(_source = 1 AND _unreadable IS NULL, _moment, NULL)) AS first1
  max(IF(_source = 1 AND _unreadable IS NULL, _moment, NULL)) AS last1
  count(IF(_source = 1 AND _unreadable IS NULL, _moment, NULL)) AS timed1

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 END AS _port, _start, w0 AS w0, w1 AS w1, w2 AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS BIGINT) AS w5, pmod(spark_partition_id(), 4) AS _shard
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1)
    UNION ALL SELECT CASE _source WHEN 0 THEN 2 WHEN 1 THEN 3 END AS _port, _start, w0 AS w0, w1 AS w1, CASE _source WHEN 0 THEN CAST(NULL AS INT) WHEN 1 THEN w2 END AS w2, CAST(NULL AS BIGINT) AS w3, CAST(NULL AS BIGINT) AS w4, CAST(NULL AS BIGINT) AS w5, CASE _source WHEN 0 THEN pmod(hash(w0), 4) WHEN 1 THEN pmod(hash(w1), 4) END AS _shard
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1)
    UNION ALL SELECT 4 AS _port, _start, p0 AS w0, CAST(NULL AS STRING) AS w1, CAST(NULL AS INT) AS w2, p1 AS w3, p2 AS w4, p3 AS w5, _shard AS _shard
    FROM (SELECT w0 AS p0, greatest(((_start + 59L) - pmod(_start + 59L, 60L)), 59L) AS _life0, ((_start + 61L + 59L) - pmod(_start + 61L + 59L, 60L)) AS _life1, pmod(hash(w0), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1, CAST(count(w2) AS BIGINT) AS p2, CAST(sum(w2) AS BIGINT) AS p3
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    GROUP BY w0, greatest(((_start + 59L) - pmod(_start + 59L, 60L)), 59L), ((_start + 61L + 59L) - pmod(_start + 61L + 59L, 60L)), pmod(hash(w0), 4))
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output gsql_selection
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `src`, w2 AS `bytes`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    WHERE w2 > 1500

output gsql_merge
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `src`, w1 AS `dst`, w2 AS `bytes`
    FROM tailrace_stage_0_0

output gsql_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `src`, w1 AS `dst`, w2 AS `bytes`
    FROM tailrace_stage_0_1

output gsql_aggregation
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `src`, w1 AS `bytes`
    FROM tailrace_stage_0_2

== to an end, later batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

output gsql_selection
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `src`, w2 AS `bytes`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0 AND _start <= 36000)
    WHERE w2 > 1500

output gsql_merge
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `src`, w1 AS `dst`, w2 AS `bytes`
    FROM (SELECT *
    FROM tailrace_stage_0_0
    WHERE _start <= 36000)

output gsql_join
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `src`, w1 AS `dst`, w2 AS `bytes`
    FROM (SELECT *
    FROM tailrace_stage_0_1
    WHERE _start <= 36000)

output gsql_aggregation
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `src`, w1 AS `bytes`
    FROM (SELECT *
    FROM tailrace_stage_0_2
    WHERE _start <= 36000)
