#include "server/help_text.h"

#include "storage/engine.h"

namespace widerow {

std::string MainHelp() {
  return R"(NAME
    widerow - wide tables in one program: CQL for Cassandra's drivers, over HTTP, from a shell, or embedded

SYNOPSIS
    widerow serve --data DIR [--port N] [--http-port N] [--listen ADDRESS]
    widerow shell [HOST:PORT | --data DIR] [-e STATEMENTS] [-f FILE]
    widerow compact --data DIR
    widerow --help | --version

DESCRIPTION
    Widerow keeps tables with composite partition and clustering keys in one directory and is
    spoken to in CQL, the language of Apache Cassandra 5. Every answered write is on disk.

COMMANDS
    serve     answers drivers and HTTP until SIGINT or SIGTERM (widerow serve --help)
    shell     runs statements typed, from a file or from -e    (widerow shell --help)
    compact   gives free pages of the data file back to the disk (widerow compact --help)

OPTIONS
    -h, --help       this page
    --version        versions of the program, of its data format and of its protocols

EXAMPLES
    Start a server, then talk to it from another terminal:
        widerow serve --data ./data
        widerow shell
        curl -s http://127.0.0.1:8042/v1/query -H 'Content-Type: application/json' \
             -d '{"query": "DESCRIBE KEYSPACES"}'
    Work on a directory without a server:
        widerow shell --data ./data -e 'DESCRIBE KEYSPACES'

EXIT STATUS
    0  all went well
    1  a failure: the port or the data directory is in use, a statement failed, ...
    2  wrong usage; for shell also: no connection
)";
}

std::string ServeHelp() {
  return R"(NAME
    widerow serve - answers CQL over its native protocol and over HTTP

SYNOPSIS
    widerow serve --data DIR [--port N] [--http-port N] [--listen ADDRESS] [--advertise HOST:PORT]
                  [--auth] [--insecure] [--map-size SIZE] [--memtable SIZE] [--durability MODE] [--profile NAME]
                  [--sweep-percent N] [--io-threads N] [--split-size SIZE] [--split-operations N]
                  [--no-extension-warnings] [--guardrails MODE] [--guardrail NAME=WARN[:FAIL]]...
                  [--read-capacity UNITS] [--write-capacity UNITS] [--read-seconds-max N] [--read-pinned-max SIZE]

DESCRIPTION
    Opens (or creates) the data directory and prints one line to standard output when it answers:
        ready cql=127.0.0.1:9042 http=127.0.0.1:8042 data=/srv/widerow pid=4711
    Drivers for Apache Cassandra connect to the first address, with protocol v3, v4 or v5.
    SIGINT and SIGTERM let running requests finish, then end it with status 0; a second one ends
    it at once, and still no answered write is lost. Messages go to standard error.

OPTIONS
    --data DIR         the data directory; created if absent. One process at a time has it open
    --port N           port for drivers, 9042 by default; 0 takes any free one and prints it
    --http-port N      port for HTTP, 8042 by default; 0 takes any free one and prints it
    --listen ADDRESS   IP address to listen on, 127.0.0.1 by default
    --advertise HOST:PORT
                       where drivers are told to reach the server, if that is not the address they have
                       connected to (a mapped port they have to reconnect by, ...)
    --auth             clients have to log in, as a role with a password, and may do what it has been granted.
                       The first start makes the superuser cassandra, whose password is cassandra, on this
                       machine only, or what the environment variable WIDEROW_SUPERUSER_PASSWORD says
    --insecure         without --auth, needed to listen beyond this machine: whoever reaches the port may
                       read and write everything
    --map-size SIZE    address space for the data, 1T by default (K, M, G, T): the most it can grow to.
                       It costs no memory and no disk
    --memtable SIZE    writes gather in so much memory, 64M by default, before they are brought into the
                       data file in order. Up to twice as much is in use; more of it makes for less writing
    --sweep-percent N  what deletions, dropped tables and expired values have left behind is swept in the
                       background, in slices that take no more than 10 % of one thread's time by default
    --io-threads N     threads that serve connections, half as many as there are cores by default, and two at
                       least. More of them answer more where the clients have a machine of their own
    --durability MODE  when a write is answered: sync (default), once a power cut cannot take it away;
                       periodic, at once, and what is not yet on the disk is synced every 200 ms; none, at
                       once, and synced when it happens. A killed process loses nothing in any of them
    --split-size SIZE  a RANGE partition larger than this, 512M by default, is split in the background;
                       split_size_kb of its table goes before
    --split-operations N
                       so is one with more reads and writes a second than this, 50000 by default;
                       split_operations of its table goes before
    --profile NAME     which language is spoken: widerow (default) is CQL with extensions, cassandra-5
                       refuses every extension with the error Cassandra 5 gives
    --no-extension-warnings
                       do not warn of statements that only Widerow understands
    --guardrails MODE  warn (default): statements beyond a guardrail (long keys, large values, ...) run with a
                       warning; enforce: what is far beyond is refused; off: neither. system_views.guardrails
    --guardrail NAME=WARN[:FAIL]
                       another bound, for example value_bytes=2097152; may be given more than once
    --read-capacity UNITS, --write-capacity UNITS
                       rows (of 4 KiB) a second that this machine can do, out of which tables may reserve
                       (WITH read_reserved = ...); beyond it statements are answered with Overloaded
    --read-seconds-max N
                       a page of rows and an aggregate show one moment. A SELECT that reads one for longer than
                       this, 60 by default, ends with ReadTimeout; a page ends early instead
    --read-pinned-max SIZE
                       the same (ReadFailure) where writes have left more than this that only the SELECT still
                       needs, on the disk and in memory: 1G by default, at least six times --memtable
    -h, --help         this page

EXAMPLES
    widerow serve --data ./data
    widerow serve --data /srv/widerow --port 0 --http-port 0
    widerow serve --data /srv/widerow --listen 0.0.0.0 --auth

EXIT STATUS
    0  stopped by a signal
    1  could not start: the port or the directory is in use, is damaged, cannot be written, ...
    2  wrong usage
)";
}

std::string ShellHelp() {
  return R"(NAME
    widerow shell - runs CQL from a terminal, a file or the command line

SYNOPSIS
    widerow shell [HOST:PORT [-u USER] | --data DIR [--auth]] [-k KEYSPACE] [-e STATEMENTS]... [-f FILE]... [--format FORMAT]
                  [--profile NAME] [--no-extension-warnings]

DESCRIPTION
    Without -e and -f it reads statements from the terminal, each ended by a semicolon, or from
    standard input. It talks to a server (127.0.0.1:8042 if none is named) or, with --data, opens a
    data directory itself. HELP inside the shell lists its commands.

OPTIONS
    HOST:PORT               HTTP address of a server
    --data DIR              work on this data directory without a server
    -u, --user NAME         log in as this role; its password is in the environment variable WIDEROW_PASSWORD, or
                            asked for
    --auth                  with --data: run statements about roles and permissions, too; whoever can open the
                            directory may change all of them, also when no password is known any more
    -k, --keyspace NAME     the keyspace of unqualified names
    -e, --execute TEXT      run these statements and exit; may be given more than once
    -f, --file FILE         run the statements of this file, after those of -e, and exit
    --format FORMAT         table (default), json, csv or expanded
    --profile NAME          with --data: the language, widerow (default) or cassandra-5, which refuses
                            every extension as Cassandra 5 does
    --no-extension-warnings with --data: do not warn of statements that only Widerow understands
    -h, --help              this page

EXAMPLES
    widerow shell
    widerow shell 127.0.0.1:9000 -k shop
    widerow shell --data ./data -e 'SELECT * FROM shop.orders LIMIT 10' --format csv

EXIT STATUS
    0  all statements ran
    1  a statement of -e or -f failed
    2  wrong usage, or no connection
)";
}

std::string CompactHelp() {
  return R"(NAME
    widerow compact - writes the data file anew, without its free pages

SYNOPSIS
    widerow compact --data DIR

DESCRIPTION
    Pages that deletions and dropped tables free are used again by what is written next, but the
    data file, data.mdb, never shrinks by itself. This command makes it as small as its rows allow:
    it brings the commit log's last writes into it, removes what deletions have left, and copies
    the rest, in order of its keys and into full pages, to a second file, which then takes its place.
    It is offline: no server may have the directory open. How many pages are free, a server says:
        SELECT free_pages, free_share FROM system_views.storage
    The disk must have room for both files. A kill, a full disk or a power cut at any moment leaves
    the one file or the other, whole. Run it as the user that the server runs as.

OPTIONS
    --data DIR       the data directory
    -h, --help       this page

EXAMPLES
    widerow compact --data ./data

EXIT STATUS
    0  done: sizes before and after are on standard output
    1  not done, and the data is as it was: the directory is in use or holds no database, the disk
       has not enough room, ...
    2  wrong usage
)";
}

std::string VersionText() {
  return "widerow " WIDEROW_VERSION
         "\n"
         "data format " +
         std::to_string(kStorageFormatVersion) +
         "\n"
         "CQL 3.4.7 over the native protocol (v3, v4, v5) and HTTP (/v1)\n";
}

}  // namespace widerow
