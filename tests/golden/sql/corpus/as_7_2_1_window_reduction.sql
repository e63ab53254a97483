== to an end, first batch
rows Open
  rows of Open
  selectExpr(0 AS _source, unix_micros(CAST(`ts` AS TIMESTAMP)) AS _moment, _metadata.file_path AS _file, _unreadable AS _unreadable, CAST(`item_id` AS INT) AS w0, CAST(`seller_id` AS INT) AS w1, CAST(`start_price` AS INT) AS w2)

asked
  count(1) AS rows
  min(IF(_unreadable IS NULL, _moment, NULL)) AS first0
  max(IF(_unreadable IS NULL, _moment, NULL)) AS last0
  count(IF(_unreadable IS NULL, _moment, NULL)) AS timed0

<arrived 0>
  (SELECT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) AS _start, (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) + 1L AS _until, 1L AS _weight, _source, w0, w1, w2
    FROM tailrace_rows
    WHERE NOT (((_moment - 1709251200000000L) - pmod((_moment - 1709251200000000L), 1000000L)) div 1000000L) <= array(-1L)[CAST(pmod(_moment, 1L) AS INT)] AND _unreadable IS NULL)

view tailrace_rows
  rows of all

output unbounded_side
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `item_id`, w1 AS `seller_id`
    FROM <arrived 0>
    WHERE w2 > 100

output now_side
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `item_id`, w1 AS `seller_id`
    FROM <arrived 0>
    WHERE w2 > 100

output now_side_with_key
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `item_id`, w1 AS `seller_id`
    FROM <arrived 0>
    WHERE w2 > 100

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

output unbounded_side
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `item_id`, w1 AS `seller_id`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _start <= 36000)
    WHERE w2 > 100

output now_side
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `item_id`, w1 AS `seller_id`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _start <= 36000)
    WHERE w2 > 100

output now_side_with_key
  SELECT timestamp_micros(_start * 1000000L + 1709251200000000L) AS _ts, w0 AS `item_id`, w1 AS `seller_id`
    FROM (SELECT *
    FROM <arrived 0>
    WHERE _start <= 36000)
    WHERE w2 > 100
