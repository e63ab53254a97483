"""A Spark job that answers a query over files, in whatever session spark-submit gives it.

    tailrace package
    spark-submit --master spark://host:port --archives tailrace.tar.gz#tailrace \
      --conf spark.pyspark.python=./tailrace/bin/python tailrace_job.py REPORTS ANSWERS SCRATCH

REPORTS is a folder of csv files with the columns ts, vehicleId, speed and xPos; the ANSWERS are files of JSON.
SCRATCH is a folder that all machines reach, for what the query remembers meanwhile.
"""

import sys

from pyspark.sql import SparkSession

from tailrace import Engine

STREAM = """
SET scratch = '{scratch}';
CREATE STREAM PosSpeedStr (vehicleId INT, speed INT, xPos INT)
  USING csv OPTIONS (path '{reports}') TIMESTAMP BY ts;
"""
CONGESTED = """
SELECT xPos / 5280 AS segment, AVG(speed) AS speed
FROM PosSpeedStr [RANGE 5 MINUTES]
GROUP BY xPos / 5280
HAVING AVG(speed) < 40
"""


def main(reports: str, answers: str, scratch: str) -> None:
    spark = SparkSession.builder.appName("congested").getOrCreate()
    before = dict(spark.conf.getAll)
    engine = Engine(spark)
    engine.execute(STREAM.format(reports=reports, scratch=scratch))
    engine.query(CONGESTED, name="congested", into="json", options={"path": answers})
    outcome = engine.run()
    changed = sorted(key for key in before if spark.conf.get(key, None) != before[key])
    print(f"{outcome.rows} reports answered; settings of the session that changed: {changed}")
    spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
