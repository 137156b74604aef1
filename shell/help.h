// The text of HELP.
#pragma once

namespace widerow {

inline constexpr const char* kHelpText =
    R"(Statements of CQL end in a semicolon and may have several lines. Of the shell itself:

  \q, EXIT, QUIT, Ctrl-D       leave
  \?, HELP                     this text
  \timing [on|off]             show how long each command takes
  \format [NAME]               table, expanded, json or csv
  \x, EXPAND ON|OFF            expanded output on and off
  PAGING ON|OFF|ROWS           stop after each page of results
  SOURCE 'FILE'                run the commands of a file
  COPY T [(A, B)] FROM 'FILE'  import CSV    WITH HEADER=TRUE AND DELIMITER=';' AND NULL='' AND WORKERS=4 …
  COPY T [(A, B)] TO 'FILE'    export CSV    WITH HEADER=TRUE …
  DESCRIBE KEYSPACES|TABLES    names; DESCRIBE TABLE T, DESCRIBE KEYSPACE K: statements that make them again
  ADVISE [TABLE T]             what is wrong with a table's key, and how to mend it
  EXPLAIN STATEMENT            how a statement would run; EXPLAIN ANALYZE runs it and tells what it did
  HEAT TABLE [BY KEY|TOKEN]    which keys are read and written  [READS|WRITES|BYTES|TIME] [LAST 60 MINUTES]
  SHOW VERSION|HOST            what this is and what it is connected to
  CLEAR                        clear the screen

Ctrl-C drops what has been typed, or stops what is running. TAB completes.
)";

}  // namespace widerow
