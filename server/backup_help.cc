// The help texts of the commands that make, restore and check backups.
#include "server/help_text.h"

namespace widerow {

std::string BackupHelp() {
  return R"(NAME
    widerow backup - copies a database while it is in use, completely or what was written since

SYNOPSIS
    widerow backup --server HOST:PORT [--user NAME] [--tls [--tls-ca FILE]
                   [--tls-certificate FILE --tls-key FILE]] --to DIR
    widerow backup --data DIR --to DIR

DESCRIPTION
    Into an empty or new directory, the command writes a full backup: all data at one moment, with
    roles and permissions. Into a directory that has a backup of the same database, it writes an
    incremental backup: the writes since then. For this the server must keep its commit log (widerow
    serve --keep-log SIZE). Reads and writes go on meanwhile.
    Everything that was written is read back and compared with its checksums. The file manifest.json
    is written last, so an unfinished backup is noticed; the next backup into the directory removes
    what it has left. The directory of a backup has the rows and the hashes of passwords: keep it
    as safe as the database.

OPTIONS
    --server HOST:PORT  the HTTP address of a server. If it checks roles, the role needs the permission
                        SELECT on system_views.backups
    --data DIR          a data directory that no server has open
    -u, --user NAME     log in as this role. The password is the value of the environment variable
                        WIDEROW_PASSWORD; without it the command asks for the password
    --tls               connect with TLS. The server's certificate must be valid for HOST
    --tls-ca FILE       with --tls: PEM file with the authorities that may have signed the server's
                        certificate; by default those of the system
    --tls-certificate FILE, --tls-key FILE
                        with --tls: the command's own certificate and key
    --to DIR            the directory of the backup
    -h, --help          this page

EXAMPLES
    widerow backup --server 127.0.0.1:8042 --to /backup/monday
    widerow backup --data ./data --to ./backup

EXIT STATUS
    0  done; the size and the moments that can be restored are on standard output
    1  not done; the directory has the backup that it had before
    2  wrong usage
)";
}

std::string RestoreHelp() {
  return R"(NAME
    widerow restore - makes a data directory from a backup

SYNOPSIS
    widerow restore --from DIR --to DIR [--until TIME] [--keyspace NAME | --table KEYSPACE.TABLE]

DESCRIPTION
    Checks the backup, copies its data and replays its log into a new data directory. A server can
    then be started on it. A backup that is incomplete, damaged or of a newer version is refused.
    If the command is stopped before its end, no server opens the directory; the same command begins
    anew.

OPTIONS
    --from DIR                the directory of the backup
    --to DIR                  the new data directory; it must be empty or absent
    --until TIME              leave out the writes after this time, such as 2026-11-27T16:45:03.123456Z.
                              The backup says which moments it has. Without this option: all writes
    --keyspace NAME           restore this keyspace only, without roles
    --table KEYSPACE.TABLE    restore this table only, with its indexes and views, without roles
    -h, --help                this page

EXAMPLES
    widerow restore --from /backup/monday --to ./restored
    widerow restore --from ./backup --to ./before --until '2026-11-27 16:45:00'

EXIT STATUS
    0  done
    1  not done: the backup is incomplete or damaged, does not have the moment, ...
    2  wrong usage
)";
}

std::string CheckHelp() {
  return R"(NAME
    widerow check - finds damage in a data directory or in a backup

SYNOPSIS
    widerow check --data DIR [--salvage NEW]
    widerow check --backup DIR

DESCRIPTION
    Reads everything in a data directory and changes nothing. It checks the pages of the data file and
    their checksums; keys, rows, spilled values and tombstones; that each record belongs to a table;
    the commit log; and that indexes and materialized views agree with their tables. Each fault is a
    line that names the file, page and offset, or the table and the key.
    A server may have the directory open. Then the command reads a snapshot, whose pages the server
    keeps meanwhile.
    With --salvage, it copies what can be read into a new data directory instead: every record whose own
    pages are whole, and the commit log up to the first damage. Indexes and views are built again by
    the next start. A row whose page is lost may still have a later change in the log. Such rows may lack
    values; the file salvage.txt in the new directory lists them, and the keys between which rows are
    lost. Restore a backup if there is one.
    With --backup, it compares the files of a backup with its manifest, as widerow restore does.

OPTIONS
    --data DIR       the data directory
    --backup DIR     the directory of a backup
    --salvage NEW    with --data: writes what can be read into this directory, which is new or empty
    -h, --help       this page

EXAMPLES
    widerow check --data ./data
    widerow check --backup /backup/monday

EXIT STATUS
    0  everything is sound
    1  faults were found, or the directory cannot be read
    2  wrong usage
)";
}

std::string DumpHelp() {
  return R"(NAME
    widerow dump - writes keyspaces as CQL statements

SYNOPSIS
    widerow dump --server HOST:PORT [--user NAME] [--keyspace NAME | --table KEYSPACE.TABLE] [--to FILE]
    widerow dump --data DIR [--keyspace NAME | --table KEYSPACE.TABLE] [--to FILE]

DESCRIPTION
    Writes the statements that create keyspaces, and one or more INSERT and UPDATE statements for each
    row, which keep the timestamps and TTLs of values. widerow shell -f FILE and cqlsh -f FILE read the
    dump back. Roles are not in it. Each page of rows shows a moment of its own; for a dump of one
    moment, dump a restored backup.

OPTIONS
    --server HOST:PORT      the HTTP address of a server
    --data DIR              a data directory that no server has open
    -u, --user NAME         log in as this role. The password is the value of the environment variable
                            WIDEROW_PASSWORD; without it the command asks for the password
    --tls                   connect with TLS. The server's certificate must be valid for HOST
    --tls-ca FILE           with --tls: PEM file with the authorities that may have signed the server's
                            certificate; by default those of the system
    --tls-certificate FILE, --tls-key FILE
                            with --tls: the command's own certificate and key
    --keyspace NAME         this keyspace only
    --table KEYSPACE.TABLE  this table only
    --to FILE               the file to write; by default standard output
    -h, --help              this page

EXAMPLES
    widerow dump --data ./restored --table shop.orders --to orders.cql
    widerow shell -f orders.cql

EXIT STATUS
    0  done
    1  not done: no such table, a statement failed, the disk is full, ...
    2  wrong usage
)";
}

}  // namespace widerow
