#!/bin/sh
# Finds a Java that Spark can run on, and installs one where there is none.
#
#   scripts/java.sh          prints what it found in one line; exit status 1 if there is no Java in the end
#   scripts/java.sh --home   prints only the folder to use as JAVA_HOME; installs nothing
set -eu

least=17
home=
version=

# Sets home and version and succeeds if the program $1 is a Java for Spark.
usable() {
  # The banner differs between vendors; the properties do not. Java 8 calls itself 1.8.
  properties=$("$1" -XshowSettings:properties -version 2>&1) || return 1
  version=$(printf '%s\n' "$properties" | sed -n 's/^ *java\.specification\.version = \(1\.\)\{0,1\}\([0-9]*\).*/\2/p')
  home=$(printf '%s\n' "$properties" | sed -n 's/^ *java\.home = //p')
  [ -n "$version" ] && [ -n "$home" ] && [ "$version" -ge "$least" ] || return 1
  # Spark starts with this module; cut-down runtimes lack it.
  "$1" --list-modules 2>/dev/null | grep -q '^jdk\.incubator\.vector'
}

find_java() {
  if [ -n "${JAVA_HOME:-}" ] && usable "$JAVA_HOME/bin/java"; then return 0; fi
  if usable java; then return 0; fi
  # An older Java may stand first on PATH although a newer one is installed.
  for java in /usr/lib/jvm/*/bin/java; do
    if usable "$java"; then return 0; fi
  done
  return 1
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  else
    sudo -n "$@" # never asks for a password
  fi
}

# The names of packages to try, best first.
packages() {
  echo "openjdk-$least-jre-headless"
  echo default-jre-headless
  apt-cache search --names-only '^openjdk-[0-9]+-jre-headless$' 2>/dev/null |
    sed -n 's/^openjdk-\([0-9]*\)-jre-headless .*/\1/p' | sort -n |
    while read -r number; do
      if [ "$number" -gt "$least" ]; then echo "openjdk-$number-jre-headless"; fi
    done
}

install_java() {
  command -v apt-get >/dev/null || return 1
  [ "$(id -u)" -eq 0 ] || command -v sudo >/dev/null || return 1
  echo "No Java $least or newer: installing one with apt-get." >&2
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq update >&2 || true # an old list may still do
  for package in $(packages); do
    if as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y install --no-install-recommends "$package" >&2 &&
      find_java; then
      return 0
    fi
  done
  return 1
}

if [ "${1:-}" = --home ]; then
  find_java || exit 1
  echo "$home"
elif find_java || install_java; then
  echo "Java $version in $home"
else
  echo "Spark needs Java $least or newer: install a full JDK or JRE of OpenJDK and set JAVA_HOME to its folder." >&2
  exit 1
fi
