== to an end, first batch
rows S
  rows of S
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(`v` AS INT) AS w1, CAST(`s` AS STRING) AS w2, CAST(NULL AS BIGINT) AS w3)

rows T
  rows of T
  selectExpr(1 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS STRING) AS w2, CAST(`w` AS BIGINT) AS w3)

asked
  count(1) AS rows
  min(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS first0
  max(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS last0
  count(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS timed0
  min(IF(_source = 1 AND _unreadable IS NULL, _moment, NULL)) AS first1
  max(IF(_source = 1 AND _unreadable IS NULL, _moment, NULL)) AS last1
  count(IF(_source = 1 AND _unreadable IS NULL, _moment, NULL)) AS timed1

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1, w2, w3
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 1 WHEN 1 THEN 2 END AS _port, _start, w0 AS w0, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN w3 END AS w1, CASE _source WHEN 0 THEN w1 WHEN 1 THEN CAST(NULL AS INT) END AS w2, CASE _source WHEN 0 THEN w2 WHEN 1 THEN CAST(NULL AS STRING) END AS w3, CASE _source WHEN 0 THEN pmod(spark_partition_id(), 4) WHEN 1 THEN pmod(hash(w0), 4) END AS _shard
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1)
    UNION ALL SELECT 0 AS _port, _start, p0 AS w0, p1 AS w1, p2 AS w2, CAST(NULL AS STRING) AS w3, _shard AS _shard
    FROM (SELECT w0 AS p0, _start AS _life0, pmod(hash(w0), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1, CAST(max(w1) AS INT) AS p2
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0)
    GROUP BY w0, _start, pmod(hash(w0), 4))
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output 0:over0 1:over1 2:over2 3:over3 4:over4 5:over5 6:over6 7:over7 8:over8 9:over9 10:over10 11:over11 12:over12 13:over13 14:over14 15:over15 16:over16 17:over17 18:over18 19:over19
  SELECT w0 AS _member, timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w1 AS `k`, w2 AS `s`
    FROM tailrace_stage_0_1

output 20:counted0 21:counted1 22:counted2 23:counted3 24:counted4 25:counted5 26:counted6 27:counted7 28:counted8 29:counted9 30:counted10 31:counted11 32:counted12 33:counted13 34:counted14 35:counted15 36:counted16 37:counted17 38:counted18 39:counted19
  SELECT w0 AS _member, timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w1 AS `k`, w2 AS `n`, w3 AS `w`
    FROM tailrace_stage_0_2

output alone
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM tailrace_stage_0_0

== to an end, later batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1, w2, w3
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1, w2, w3
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

output 0:over0 1:over1 2:over2 3:over3 4:over4 5:over5 6:over6 7:over7 8:over8 9:over9 10:over10 11:over11 12:over12 13:over13 14:over14 15:over15 16:over16 17:over17 18:over18 19:over19
  SELECT w0 AS _member, timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w1 AS `k`, w2 AS `s`
    FROM (SELECT *
    FROM tailrace_stage_0_1
    WHERE _start <= 36000)

output 20:counted0 21:counted1 22:counted2 23:counted3 24:counted4 25:counted5 26:counted6 27:counted7 28:counted8 29:counted9 30:counted10 31:counted11 32:counted12 33:counted13 34:counted14 35:counted15 36:counted16 37:counted17 38:counted18 39:counted19
  SELECT w0 AS _member, timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w1 AS `k`, w2 AS `n`, w3 AS `w`
    FROM (SELECT *
    FROM tailrace_stage_0_2
    WHERE _start <= 36000)

output alone
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_0
    WHERE _start <= 36000)

== continuously, first batch
rows S
  rows of S
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(`v` AS INT) AS w1, CAST(`s` AS STRING) AS w2, CAST(NULL AS BIGINT) AS w3)

rows T
  rows of T
  selectExpr(1 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _metadata.file_block_start AS _block, _unreadable AS _unreadable, CAST(`k` AS INT) AS w0, CAST(NULL AS INT) AS w1, CAST(NULL AS STRING) AS w2, CAST(`w` AS BIGINT) AS w3)

asked
  count(1) AS rows
  min(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS first0
  max(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS last0
  count(IF(_source = 0 AND _unreadable IS NULL, _moment, NULL)) AS timed0
  min(IF(_source = 1 AND _unreadable IS NULL, _moment, NULL)) AS first1
  max(IF(_source = 1 AND _unreadable IS NULL, _moment, NULL)) AS last1
  count(IF(_source = 1 AND _unreadable IS NULL, _moment, NULL)) AS timed1

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1, w2, w3
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_rows
  rows of all

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 0 WHEN 1 THEN 1 END AS _port, _start, w0 AS w0, CASE _source WHEN 0 THEN w1 WHEN 1 THEN CAST(NULL AS INT) END AS w1, CASE _source WHEN 0 THEN w2 WHEN 1 THEN CAST(NULL AS STRING) END AS w2, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN w3 END AS w3, CASE _source WHEN 0 THEN pmod(spark_partition_id(), 4) WHEN 1 THEN pmod(hash(w0), 4) END AS _shard
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1)
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output 0:over0 1:over1 2:over2 3:over3 4:over4 5:over5 6:over6 7:over7 8:over8 9:over9 10:over10 11:over11 12:over12 13:over13 14:over14 15:over15 16:over16 17:over17 18:over18 19:over19
  SELECT w0 AS _member, timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w1 AS `k`, w2 AS `s`
    FROM tailrace_stage_0_0

output 20:counted0 21:counted1 22:counted2 23:counted3 24:counted4 25:counted5 26:counted6 27:counted7 28:counted8 29:counted9 30:counted10 31:counted11 32:counted12 33:counted13 34:counted14 35:counted15 36:counted16 37:counted17 38:counted18 39:counted19
  SELECT w0 AS _member, timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w1 AS `k`, w2 AS `n`, w3 AS `w`
    FROM tailrace_stage_0_1

== continuously, later batch, alone joins
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1, w2, w3
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view messages for stage 1
  SELECT CASE _source WHEN 0 THEN 1 WHEN 1 THEN 2 END AS _port, _start, w0 AS w0, CASE _source WHEN 0 THEN CAST(NULL AS BIGINT) WHEN 1 THEN w3 END AS w1, CASE _source WHEN 0 THEN w1 WHEN 1 THEN CAST(NULL AS INT) END AS w2, CASE _source WHEN 0 THEN w2 WHEN 1 THEN CAST(NULL AS STRING) END AS w3, CASE _source WHEN 0 THEN pmod(spark_partition_id(), 4) WHEN 1 THEN pmod(hash(w0), 4) END AS _shard
    FROM <arrived 0>
    WHERE (_source = 0) OR (_source = 1)
    UNION ALL SELECT 0 AS _port, _start, p0 AS w0, p1 AS w1, p2 AS w2, CAST(NULL AS STRING) AS w3, _shard AS _shard
    FROM (SELECT w0 AS p0, _start AS _life0, pmod(hash(w0), 4) AS _shard, min(_start) AS _start, min(_start) + 1L AS _until, 1L AS _weight, CAST(count(1) AS BIGINT) AS p1, CAST(max(w1) AS INT) AS p2
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _source = 0 AND _start >= 12)
    GROUP BY w0, _start, pmod(hash(w0), 4))
  mapInArrow(…, struct<_shard:int,_stage:int,_port:int,_file:string,_block:bigint,_message:bigint,_first:bigint,_last:bigint,_rows:bigint,_payload:binary>)

output 0:over0 1:over1 2:over2 3:over3 4:over4 5:over5 6:over6 7:over7 8:over8 9:over9 10:over10 11:over11 12:over12 13:over13 14:over14 15:over15 16:over16 17:over17 18:over18 19:over19
  SELECT w0 AS _member, timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w1 AS `k`, w2 AS `s`
    FROM tailrace_stage_0_1

output 20:counted0 21:counted1 22:counted2 23:counted3 24:counted4 25:counted5 26:counted6 27:counted7 28:counted8 29:counted9 30:counted10 31:counted11 32:counted12 33:counted13 34:counted14 35:counted15 36:counted16 37:counted17 38:counted18 39:counted19
  SELECT w0 AS _member, timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w1 AS `k`, w2 AS `n`, w3 AS `w`
    FROM tailrace_stage_0_2

output alone
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, IF(_weight > 0, '+', '-') AS _op, w0 AS `k`, w1 AS `v`
    FROM (SELECT *
    FROM tailrace_stage_0_0
    WHERE _start >= 12)
