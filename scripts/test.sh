#!/bin/sh
# Run the tests in two halves at the same time: those on Spark, which mostly wait, and all others, which are told of
# afterwards. Usage: test.sh PYTEST [ARGUMENT...]
set -u
pytest=$1
shift
said=$(mktemp)
trap 'rm -f "$said"' EXIT

"$pytest" -p no:cacheprovider "$@" --ignore=tests/spark --ignore=tests/bench > "$said" 2>&1 &
others=$!
"$pytest" "$@" tests/spark tests/bench
on_spark=$?
wait "$others"
status=$?
cat "$said"
[ "$on_spark" -eq 0 ] && [ "$status" -eq 0 ]
