#!/usr/bin/env bash
# Stops the servers that start.sh started (TERM, then KILL after 60 s). Does nothing if none runs.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PEER_DIR=${PEER_DIR:-$(cd "$here/../../.." && pwd)/build/hbase-peer}

stop() { # PIDFILE CLASS
  [[ -s $1 ]] || return 0
  local pid
  pid=$(cat "$1")
  mine() { tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null | grep -q "$1"; }
  if mine "$2"; then
    kill "$pid"
    for _ in $(seq 600); do
      mine "$2" || break
      sleep 0.1
    done
    if mine "$2"; then
      kill -9 "$pid"
      sleep 1
    fi
  fi
  rm -f "$1"
  echo "stopped $pid"
}
stop "$PEER_DIR/thrift.pid" ThriftServer
stop "$PEER_DIR/pid" HMaster
