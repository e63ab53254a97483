== to an end, first batch
rows S
  rows of S
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _unreadable AS _unreadable, CAST(`index` AS INT) AS w0, CAST(`a` AS INT) AS w1, CAST(`b` AS INT) AS w2, CAST(`c` AS INT) AS w3, CAST(`d` AS INT) AS w4, CAST(`e` AS INT) AS w5)

asked
  count(1) AS rows
  min(IF(_unreadable IS NULL, _moment, NULL)) AS first0
  max(IF(_unreadable IS NULL, _moment, NULL)) AS last0
  count(IF(_unreadable IS NULL, _moment, NULL)) AS timed0

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1, w2, w3, w4, w5
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_rows
  rows of all

output workload_1_1
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `index`
    FROM <arrived 0>
    WHERE w1 > 30

output workload_1_2
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `index`
    FROM <arrived 0>
    WHERE w2 > 50

output workload_1_3
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `index`
    FROM <arrived 0>
    WHERE w3 > 10

output workload_1_4
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `index`
    FROM <arrived 0>
    WHERE w4 > 40

output workload_1_5
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `index`
    FROM <arrived 0>
    WHERE w5 > 90

output workload_2_1
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `index`
    FROM <arrived 0>
    WHERE w1 > 10

output workload_2_2
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `index`
    FROM <arrived 0>
    WHERE w1 > 10 AND w2 > 10

output workload_2_3
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `index`
    FROM <arrived 0>
    WHERE w1 > 10 AND w2 > 10 AND w3 > 10

output workload_2_4
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `index`
    FROM <arrived 0>
    WHERE w1 > 10 AND w2 > 10 AND w3 > 10 AND w4 > 10

output workload_2_5
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `index`
    FROM <arrived 0>
    WHERE w1 > 10 AND w2 > 10 AND w3 > 10 AND w4 > 10 AND w5 > 10

output workload_3_1
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `index`
    FROM <arrived 0>
    WHERE w1 > 10

output workload_3_2
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `index`
    FROM <arrived 0>
    WHERE w1 > 10 AND w2 > 30

output workload_3_3
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `index`
    FROM <arrived 0>
    WHERE w1 > 10 AND w2 > 30 AND w3 > 50

output workload_3_4
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `index`
    FROM <arrived 0>
    WHERE w1 > 10 AND w2 > 30 AND w3 > 50 AND w4 > 70

output workload_3_5
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `index`
    FROM <arrived 0>
    WHERE w1 > 10 AND w2 > 30 AND w3 > 50 AND w4 > 70 AND w5 > 90

== to an end, later batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1, w2, w3, w4, w5
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(9L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

== to an end, large batch
<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1, w2, w3, w4, w5
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(19L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

output workload_1_1
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `index`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _start <= 36000)
    WHERE w1 > 30

output workload_1_2
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `index`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _start <= 36000)
    WHERE w2 > 50

output workload_1_3
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `index`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _start <= 36000)
    WHERE w3 > 10

output workload_1_4
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `index`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _start <= 36000)
    WHERE w4 > 40

output workload_1_5
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `index`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _start <= 36000)
    WHERE w5 > 90

output workload_2_1
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `index`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _start <= 36000)
    WHERE w1 > 10

output workload_2_2
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `index`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _start <= 36000)
    WHERE w1 > 10 AND w2 > 10

output workload_2_3
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `index`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _start <= 36000)
    WHERE w1 > 10 AND w2 > 10 AND w3 > 10

output workload_2_4
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `index`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _start <= 36000)
    WHERE w1 > 10 AND w2 > 10 AND w3 > 10 AND w4 > 10

output workload_2_5
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `index`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _start <= 36000)
    WHERE w1 > 10 AND w2 > 10 AND w3 > 10 AND w4 > 10 AND w5 > 10

output workload_3_1
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `index`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _start <= 36000)
    WHERE w1 > 10

output workload_3_2
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `index`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _start <= 36000)
    WHERE w1 > 10 AND w2 > 30

output workload_3_3
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `index`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _start <= 36000)
    WHERE w1 > 10 AND w2 > 30 AND w3 > 50

output workload_3_4
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `index`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _start <= 36000)
    WHERE w1 > 10 AND w2 > 30 AND w3 > 50 AND w4 > 70

output workload_3_5
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `index`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _start <= 36000)
    WHERE w1 > 10 AND w2 > 30 AND w3 > 50 AND w4 > 70 AND w5 > 90
