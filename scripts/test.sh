#!/bin/sh
# Run the tests in three parts at the same time: two on Spark, which mostly wait, and all others. The first is shown
# while it runs, the others when they are done. Usage: test.sh PYTEST [ARGUMENT...]
set -u
pytest=$1
shift
said=$(mktemp -d)
trap 'rm -rf "$said"' EXIT

"$pytest" -p no:cacheprovider "$@" --ignore=tests/spark --ignore=tests/bench > "$said/others" 2>&1 &
others=$!
"$pytest" -p no:cacheprovider "$@" tests/spark/run tests/spark/session tests/spark/time \
  tests/bench > "$said/runs" 2>&1 &
runs=$!
"$pytest" "$@" tests/spark --ignore=tests/spark/run --ignore=tests/spark/session --ignore=tests/spark/time
status=$?
wait "$runs" || status=1
cat "$said/runs"
wait "$others" || status=1
cat "$said/others"
exit "$status"
