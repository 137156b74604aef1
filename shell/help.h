// The text of HELP.
#pragma once

namespace widerow {

inline constexpr const char* kHelpText =
    R"(CQL statements end with a semicolon and can have several lines. Commands of the shell:

  \q, EXIT, QUIT, Ctrl-D       leave the shell
  \?, HELP                     this text
  \timing [on|off]             show how long each command takes
  \format [NAME]               table, expanded, json or csv
  \x, EXPAND ON|OFF            expanded output on and off
  PAGING ON|OFF|ROWS           stop after each page of results
  SOURCE 'FILE'                run the commands of a file
  COPY T [(A, B)] FROM 'FILE'  import CSV    WITH HEADER=TRUE AND DELIMITER=';' AND NULL='' AND WORKERS=4 …
  COPY T [(A, B)] TO 'FILE'    export CSV    WITH HEADER=TRUE …
  DESCRIBE KEYSPACES|TABLES    names; DESCRIBE TABLE T, DESCRIBE KEYSPACE K: their CREATE statements
  ADVISE [TABLE T]             problems of a table's key, and how to fix them
  EXPLAIN STATEMENT            how a statement would run; EXPLAIN ANALYZE runs it and shows what it did
  HEAT TABLE [BY KEY|TOKEN]    which keys are read and written  [READS|WRITES|BYTES|TIME] [LAST 60 MINUTES]
  SHOW VERSION|HOST            the version of the shell; the database that it is connected to
  CLEAR                        clear the screen

Ctrl-C discards the typed text or stops the running command. TAB completes.
)";

}  // namespace widerow
