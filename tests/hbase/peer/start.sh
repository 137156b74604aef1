#!/usr/bin/env bash
# Starts Apache HBase 2.6.4 on loopback: master, region server and ZooKeeper in one process. Downloads it the first time.
#   PEER_DIR        everything it writes (default: build/hbase-peer at the top of the tree)
#   HEAP=1G  REGION_PORT=16020  MASTER_PORT=16000  ZK_PORT=12181  (all on 127.0.0.1)
#   FRESH=1         drops the data first
#   HSYNC=1         syncs the write-ahead log to disk before each answer; by default, HBase does not
#   THRIFT_PORT=N   also starts the Thrift 1 server on this port; THRIFT=framed|buffered (default buffered)
#   INSTALL_ONLY=1  stops after the download
# If the server runs already, the script says so and ends with status 0.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PEER_DIR=${PEER_DIR:-$(cd "$here/../../.." && pwd)/build/hbase-peer}
HEAP=${HEAP:-1G} REGION_PORT=${REGION_PORT:-16020} MASTER_PORT=${MASTER_PORT:-16000} ZK_PORT=${ZK_PORT:-12181}
mkdir -p "$PEER_DIR"
PEER_DIR=$(cd "$PEER_DIR" && pwd)
state=$PEER_DIR/state lib=$PEER_DIR/lib
alive() { [[ -s $1 ]] && tr '\0' ' ' <"/proc/$(cat "$1")/cmdline" 2>/dev/null | grep -q "$2"; }
answers() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

if alive "$PEER_DIR/pid" HMaster && [[ -z ${THRIFT_PORT:-} ]]; then
  echo "already running: pid $(cat "$PEER_DIR/pid"), port $(cat "$PEER_DIR/port")"
  exit 0
fi

# The jars that pom.xml names, fetched once for each content of pom.xml.
want=$(sha256sum <"$here/pom.xml")
if [[ $(cat "$lib/.pom" 2>/dev/null) != "$want" ]]; then
  rm -rf "$lib" "$lib.new"
  if ! mvn --quiet --batch-mode -f "$here/pom.xml" dependency:copy-dependencies -DincludeScope=runtime \
    "-DoutputDirectory=$lib.new" >"$PEER_DIR/install.log" 2>&1; then
    tail -20 "$PEER_DIR/install.log" >&2
    exit 1
  fi
  echo "$want" >"$lib.new/.pom"
  mv "$lib.new" "$lib"
  echo "installed: $(du -sh "$lib" | cut -f1)"
fi
[[ -z ${INSTALL_ONLY:-} ]] || exit 0

free() { # PORT…
  local port
  for port in "$@"; do
    if answers "$port"; then
      echo "port $port is taken by another program" >&2
      exit 1
    fi
  done
}
mapfile -t options < <(grep -v '^#' "$here/conf/jvm.options")

java_in_background() { # NAME PIDFILE JAVA_ARGUMENT…
  local name=$1 pidfile=$2
  shift 2
  setsid java "${options[@]}" "-Dpeer.log=$PEER_DIR/log/$name.log" "-XX:ErrorFile=$PEER_DIR/log/$name.hs_err" \
    -cp "$PEER_DIR/conf:$lib/*" "$@" >"$PEER_DIR/log/$name.out" 2>&1 </dev/null &
  echo $! >"$pidfile"
}
fail() {
  echo "start failed: $1" >&2
  tail -15 "$PEER_DIR"/log/*.out "$PEER_DIR"/log/*.log >&2
  "$here/stop.sh" >/dev/null || true
  exit 1
}
wait_for() { # PORT PIDFILE CLASS
  for _ in $(seq 900); do
    ! answers "$1" || return 0
    alive "$2" "$3" || fail "$3 ended"
    sleep 0.1
  done
  fail "$3 does not answer on port $1 after 90 s"
}

start_hbase() {
  free "$REGION_PORT" "$MASTER_PORT" "$ZK_PORT"
  [[ -z ${FRESH:-} ]] || rm -rf "$state"
  mkdir -p "$state" "$PEER_DIR/log" "$PEER_DIR/conf"
  local hsync=false
  [[ -z ${HSYNC:-} ]] || hsync=true
  sed -e "s|@STATE@|$state|g" -e "s|@ZK_PORT@|$ZK_PORT|g" -e "s|@MASTER_PORT@|$MASTER_PORT|g" -e "s|@HSYNC@|$hsync|g" \
    -e "s|@REGION_PORT@|$REGION_PORT|g" "$here/conf/hbase-site.xml.in" >"$PEER_DIR/conf/hbase-site.xml"
  cp "$here/conf/log4j.properties" "$PEER_DIR/conf/"
  java_in_background hbase "$PEER_DIR/pid" "-Xms$HEAP" "-Xmx$HEAP" org.apache.hadoop.hbase.master.HMaster start
  echo "$REGION_PORT" >"$PEER_DIR/port"
  wait_for "$REGION_PORT" "$PEER_DIR/pid" HMaster
  # A port that answers is not a server that can create tables. Probe creates one.
  java -Dpeer.log="$PEER_DIR/log/probe.log" -cp "$PEER_DIR/conf:$lib/*" -XX:TieredStopAtLevel=1 "$here/Probe.java" \
    "127.0.0.1:$REGION_PORT" >"$PEER_DIR/log/probe.out" 2>&1 || fail 'the master does not answer'
}

begun=$(date +%s%N)
alive "$PEER_DIR/pid" HMaster || start_hbase
if [[ -n ${THRIFT_PORT:-} ]] && ! alive "$PEER_DIR/thrift.pid" ThriftServer; then
  free "$THRIFT_PORT"
  mode=()
  [[ ${THRIFT:-buffered} == buffered ]] || mode=(-framed)
  java_in_background thrift "$PEER_DIR/thrift.pid" -Xmx256m org.apache.hadoop.hbase.thrift.ThriftServer start -p "$THRIFT_PORT" \
    --bind 127.0.0.1 "${mode[@]}" --infoport -1
  wait_for "$THRIFT_PORT" "$PEER_DIR/thrift.pid" ThriftServer
fi
pid=$(cat "$PEER_DIR/pid")
rss=$(awk '/^VmRSS/{print int($2/1024)}' "/proc/$pid/status")
echo "pid=$pid port=$REGION_PORT ready_ms=$((($(date +%s%N) - begun) / 1000000)) rss_mib=$rss"
