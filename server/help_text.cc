// One function per page. The pages follow the order of manual pages: NAME, SYNOPSIS, DESCRIPTION, OPTIONS, EXAMPLES,
// EXIT STATUS. tests/unit/server/command_line_test.cc checks that every option is mentioned.
#include "server/help_text.h"

#include "storage/storage_engine.h"

namespace widerow {

std::string MainHelp() {
  return R"(NAME
    widerow - wide tables in one program: CQL for Cassandra's drivers, over HTTP, from a shell, or embedded

SYNOPSIS
    widerow serve --data DIR [--port N] [--http-port N] [--listen ADDRESS]
    widerow shell [HOST:PORT | --data DIR] [-e STATEMENTS] [-f FILE]
    widerow compact --data DIR
    widerow backup --server HOST:PORT | --data DIR --to DIR
    widerow restore --from DIR --to DIR [--until TIME]
    widerow check --data DIR | --backup DIR
    widerow dump --server HOST:PORT | --data DIR [--to FILE]
    widerow --help | --version

DESCRIPTION
    Widerow keeps tables with composite partition and clustering keys in one directory. Its
    language is CQL, as in Apache Cassandra 5. Every answered write is on disk, unless serve
    --durability says otherwise.

COMMANDS
    serve     serves drivers and HTTP clients until SIGINT or SIGTERM (widerow serve --help)
    shell     runs statements from a terminal, a file or -e           (widerow shell --help)
    compact   rewrites the data file without its free pages           (widerow compact --help)
    backup    copies a database while it is in use                    (widerow backup --help)
    restore   makes a data directory from a backup                    (widerow restore --help)
    check     finds damage in a data directory or a backup            (widerow check --help)
    dump      writes keyspaces as CQL statements                      (widerow dump --help)

OPTIONS
    -h, --help       this page
    --version        versions of the program, its data format and its protocols

EXAMPLES
    Start a server, then talk to it from another terminal:
        widerow serve --data ./data
        widerow shell
        curl -s http://127.0.0.1:8042/v1/query -H 'Content-Type: application/json' \
             -d '{"query": "DESCRIBE KEYSPACES"}'
    Work on a directory without a server:
        widerow shell --data ./data -e 'DESCRIBE KEYSPACES'

EXIT STATUS
    0  success
    1  a failure: the port or the data directory is in use, a statement failed, ...
    2  wrong usage; for shell also: no connection
)";
}

std::string ServeHelp() {
  return R"(NAME
    widerow serve - serves CQL over its native protocol and over HTTP

SYNOPSIS
    widerow serve --data DIR [--port N] [--http-port N] [--hbase-port N] [--hbase-thrift-port N]
                  [--hbase-thrift-transport KIND] [--listen ADDRESS] [--advertise HOST:PORT]
                  [--datacenter NAME] [--auth] [--insecure] [--tls-certificate FILE --tls-key FILE] [--tls MODE]
                  [--tls-port N] [--tls-ca FILE] [--tls-clients MODE] [--tls-min VERSION] [--map-size SIZE] [--memtable SIZE] [--durability MODE] [--profile NAME]
                  [--keep-log SIZE] [--sweep-percent N] [--io-threads N] [--split-size SIZE] [--split-operations N]
                  [--no-extension-warnings] [--guardrails MODE] [--guardrail NAME=WARN[:FAIL]]...
                  [--read-capacity UNITS] [--write-capacity UNITS] [--read-seconds-max N] [--read-pinned-max SIZE]
                  [--accept-lost-log] [--log-level LEVEL] [--log-format FORMAT] [--log-file FILE]
                  [--slow-statement-ms N] [--audit CATEGORIES] [--audit-file FILE] [--log-literals]
    widerow serve --config FILE [OPTIONS] [--check-config]

DESCRIPTION
    Opens (or creates) the data directory. When it is ready, it prints one line to standard output:
        ready cql=127.0.0.1:9042 http=127.0.0.1:8042 data=/srv/widerow pid=4711
    Drivers for Apache Cassandra connect to the first address, with protocol v3, v4 or v5.
    After SIGINT or SIGTERM it finishes running requests, brings all writes into the data file and exits
    with status 0, or with status 1 if something failed. A second signal ends it at once, without losing an
    answered write. The log goes to standard error. After SIGHUP, log files are opened again by their names.

OPTIONS
    --data DIR         the data directory, created if absent. Only one process can open it at a time
    --port N           port for drivers, 9042 by default; 0 takes any free port and prints it
    --http-port N      port for HTTP, 8042 by default; 0 takes any free port and prints it
    --hbase-port N     opens a port for clients of Apache HBase; 0 takes any free port and prints it. Without the
                       option no such port is open. With --auth it needs --tls-ca: these clients log in with
                       certificates, and the port then takes only TLS
    --hbase-thrift-port N
                       opens a port for clients of HBase's first Thrift interface too; 0 takes any free port.
                       These clients have no TLS and do not log in: not together with --auth
    --hbase-thrift-transport KIND
                       buffered (default) or framed: how these clients send their messages
    --listen ADDRESS   IP address to listen on, 127.0.0.1 by default
    --advertise HOST:PORT
                       the address that drivers are told to connect to, if it differs from the one that
                       they have used (for example because the port is mapped)
    --datacenter NAME  the name of the one datacenter, datacenter1 by default. Drivers find it in system.local;
                       CREATE KEYSPACE with NetworkTopologyStrategy can name it
    --auth             clients must log in as a role with a password, and have the permissions of that role.
                       The first start creates the superuser cassandra. Its password is the value of the
                       environment variable WIDEROW_SUPERUSER_PASSWORD. Without the variable it is cassandra,
                       which is accepted from this machine only
    --insecure         allows --listen beyond this machine without --auth: anyone who can reach the port can
                       read and write everything
    --tls-certificate FILE, --tls-key FILE
                       turn TLS on. The first file has the server's certificate and those of its issuers, the
                       second file its private key; both are PEM. SIGHUP reads all files of TLS again, for new
                       connections. If that fails, the old certificate stays
    --tls MODE         required (default): --port, --http-port and --hbase-port take only TLS. optional: they
                       take connections with and without TLS
    --tls-port N       a further port for drivers, which takes only TLS; 9142 by default, 0 takes any free port,
                       none opens no such port
    --tls-ca FILE      PEM file with the authorities that sign the certificates of clients. Clients are asked for
                       a certificate; others than these are refused. With --auth, a certificate logs in as the
                       role that has its SPIFFE identity (ADD IDENTITY)
    --tls-clients MODE with --tls-ca: required (default): clients without a certificate are refused. optional:
                       they are accepted, but not by --hbase-port with --auth
    --tls-min VERSION  the oldest version of TLS: 1.2 (default) or 1.3
    --map-size SIZE    address space for the data, 1T by default (K, M, G, T). The data cannot grow beyond it.
                       It costs neither memory nor disk
    --memtable SIZE    memory in which writes gather before they are brought into the data file in key order,
                       64M by default. Up to twice as much is used. A larger size means less writing to disk
    --sweep-percent N  share of one background thread's time, in percent, for removing what deletions, dropped
                       tables and expired values have left behind; 10 by default
    --io-threads N     threads that serve connections; by default half the number of cores, but at least two.
                       More threads help if the clients run on other machines
    --durability MODE  when a write is answered. sync (default): when a power cut cannot undo it.
                       periodic: at once; unsynced writes are synced every 200 ms. none: at once; writes are
                       synced when they are brought into the data file. No mode loses a write if the process
                       is killed
    --split-size SIZE  a RANGE partition larger than this is split in the background; 512M by default. The
                       table's option split_size_kb takes precedence
    --split-operations N
                       a RANGE partition with more reads and writes a second than this is split too; 50000 by
                       default. The table's option split_operations takes precedence
    --profile NAME     the language. widerow (default): CQL with extensions; cassandra-5: every extension is
                       refused with the error of Cassandra 5
    --no-extension-warnings
                       no warnings for statements that only Widerow understands
    --guardrails MODE  handling of statements beyond a guardrail (long keys, large values, ...). warn (default):
                       they run with a warning; enforce: those far beyond it are refused; off: no checks.
                       system_views.guardrails lists the guardrails
    --guardrail NAME=WARN[:FAIL]
                       other bounds for a guardrail, for example value_bytes=2097152; can be repeated
    --read-capacity UNITS, --write-capacity UNITS
                       rows (of 4 KiB) a second that this machine can serve. Tables can reserve a part of them
                       (WITH read_reserved = ...); statements beyond it are answered with Overloaded
    --read-seconds-max N
                       60 by default. A page of rows and an aggregate show one moment. A SELECT that reads one
                       moment for longer than this ends with ReadTimeout; a page ends early instead
    --read-pinned-max SIZE
                       1G by default, or six times --memtable if that is more. A SELECT ends with ReadFailure
                       when writes have left more than this, on disk and in memory, that only it still needs
    --keep-log SIZE    keep this much of the commit log for incremental backups (widerow backup), at most
                       200G. Bulk loads and purges are then logged too. Without it there are only full backups
    --accept-lost-log  starts although the commit log is missing, incomplete or damaged. The writes that only
                       the missing part held are lost. Without it such a start is refused
    --log-level LEVEL  debug, info (default), warning or error: messages below it are not logged
    --log-format FORMAT
                       text (default), or json: one object a line
    --log-file FILE    the log goes to this file instead of standard error
    --slow-statement-ms N
                       statements that take this long are logged: duration, rows, client, role, and the text with
                       ? for constants. 500 by default; 0: none
    --audit CATEGORIES who did what, and what was refused: all, or some of auth, ddl, dcl, dml, query, other and
                       error, with commas between them. Nothing is audited by default
    --audit-file FILE  audits go to this file instead of the log
    --log-literals     logged texts keep their constants, except for texts with a password
    --config FILE      reads options from a file of lines such as: port = 9042. Options of the command line take
                       precedence
    --check-config     with --config: prints each problem of the file with its line, and exits with 0 or 1
    -h, --help         this page

EXAMPLES
    widerow serve --data ./data
    widerow serve --config /etc/widerow/widerow.conf --check-config
    widerow serve --data /srv/widerow --port 0 --http-port 0
    widerow serve --data /srv/widerow --listen 0.0.0.0 --auth --tls-certificate server.pem --tls-key server.key

EXIT STATUS
    0  stopped by one SIGINT or SIGTERM; or --check-config found no problem
    1  --check-config found problems; or could not start: the port or the directory is in use, the data is damaged or cannot be written, ...;
       or could not bring all writes into the data file when it stopped
    2  wrong usage
    74 the data file could not be read any more: standard error has the file and the offset
)";
}

std::string ShellHelp() {
  return R"(NAME
    widerow shell - runs CQL from a terminal, a file or the command line

SYNOPSIS
    widerow shell [HOST:PORT [-u USER] [--tls [--tls-ca FILE] [--tls-certificate FILE --tls-key FILE]]
                  | --data DIR [--auth]] [-k KEYSPACE] [-e STATEMENTS]... [-f FILE]... [--format FORMAT]
                  [--profile NAME] [--no-extension-warnings]

DESCRIPTION
    Runs the statements of -e and -f. Without these options it reads statements from the terminal or
    from standard input; each statement ends with a semicolon. It connects to a server (127.0.0.1:8042
    by default) or, with --data, opens a data directory itself. HELP inside the shell lists its commands.

OPTIONS
    HOST:PORT               HTTP address of a server
    --data DIR              work on this data directory without a server
    -u, --user NAME         log in as this role. The password is the value of the environment variable
                            WIDEROW_PASSWORD; without it the shell asks for the password
    --tls                   connect with TLS. The server's certificate must be valid for HOST
    --tls-ca FILE           with --tls: PEM file with the authorities that may have signed the server's
                            certificate; without it, those of the system
    --tls-certificate FILE, --tls-key FILE
                            with --tls: the shell's own certificate and key. If the server requires logins and no
                            USER is given, the certificate's identity logs in
    --auth                  with --data: also run statements about roles and permissions. Anyone who can open
                            the directory can change all roles, even if all passwords are lost
    -k, --keyspace NAME     the keyspace of unqualified names
    -e, --execute TEXT      run these statements and exit; can be repeated
    -f, --file FILE         run the statements of this file, after those of -e, and exit; can be repeated
    --format FORMAT         table (default), json, csv or expanded
    --profile NAME          with --data: the language. widerow (default): CQL with extensions; cassandra-5:
                            every extension is refused, as in Cassandra 5
    --no-extension-warnings with --data: no warnings for statements that only Widerow understands
    -h, --help              this page

EXAMPLES
    widerow shell
    widerow shell 127.0.0.1:9000 -k shop
    widerow shell db.example.org:8042 --tls --tls-ca ca.pem -u ann
    widerow shell --data ./data -e 'SELECT * FROM shop.orders LIMIT 10' --format csv

EXIT STATUS
    0  all statements ran
    1  a statement of -e or -f failed
    2  wrong usage, no connection, or a data directory that cannot be opened
)";
}

std::string CompactHelp() {
  return R"(NAME
    widerow compact - rewrites the data file without its free pages

SYNOPSIS
    widerow compact --data DIR

DESCRIPTION
    Deletions and dropped tables free pages of the data file, data.mdb. Later writes reuse these
    pages, but the file never shrinks by itself. This command makes it as small as its rows allow.
    First it checks every page of the file; if any are damaged, it lists them and stops. Then it
    brings the commit log's last writes into the file, removes what deletions have left behind,
    copies the rest in key order into full pages of a second file, and replaces the first file by it.
    No server may have the directory open. A server shows how many pages are free:
        SELECT free_pages, free_share FROM system_views.storage
    The disk must have room for both files. After a kill, a full disk or a power cut at any moment,
    one of the two files is in place and complete. Run this command as the user that runs the server.

OPTIONS
    --data DIR       the data directory
    -h, --help       this page

EXAMPLES
    widerow compact --data ./data

EXIT STATUS
    0  done; the sizes before and after are on standard output
    1  not done, and the data is unchanged: the directory is in use or holds no database, pages are
       damaged, the disk has not enough room, ...
    2  wrong usage
)";
}

std::string ProgramVersion() { return WIDEROW_VERSION; }

std::string VersionText() {
  return "widerow " WIDEROW_VERSION "\ndata format " + std::to_string(kStorageFormatVersion) +
         " (reads data formats 1 to " + std::to_string(kStorageFormatVersion) + "; backup format 1)" +
         "\nCQL 3.4.7 over the native protocol (v3, v4, v5) and HTTP (/v1)\n";
}

}  // namespace widerow
