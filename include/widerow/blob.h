// Writes and reads one value of a longblob column in parts, up to 512 MiB, in a few MiB of memory.
//
//   db.Execute("CREATE TABLE shop.files (id int PRIMARY KEY, name text, data longblob)");
//   auto opened = widerow::BlobWriter::Open(db, "INSERT INTO shop.files (id, name, data) VALUES (?, ?, ?)",
//                                           {7, "film", nullptr});
//   if (!opened.ok()) { … opened.error().message … }
//   while (… more bytes …) opened.value()->Write(bytes);
//   auto written = opened.value()->Finish();  // Returns the value's size. Readers see the value from now on.
//
//   auto reader = widerow::BlobReader::Open(db, "SELECT data FROM shop.files WHERE id = ?", {7});
//   char part[65536];
//   for (uint64_t at = 0; at < reader.value()->size(); at += sizeof part) {
//     … reader.value()->Read(at, part, sizeof part) …
//   }
//
// A value becomes visible as a whole: a reader sees the old value or the new one. One thread at a time may use a
// BlobWriter or a BlobReader. The Database must outlive them.
#pragma once

#include "widerow/database.h"

namespace widerow {

class BlobWriter {
 public:
  // `cql` is an INSERT or UPDATE of one row, without IF, with one marker of type longblob. `parameters` has a value for
  // each marker; that of the longblob is ignored. The column must be regular (not static) and have no index.
  static Expected<std::unique_ptr<BlobWriter>> Open(Database& database, std::string_view cql,
                                                    const std::vector<Parameter>& parameters = {});
  // Without Finish, nothing is written.
  ~BlobWriter();
  BlobWriter(const BlobWriter&) = delete;
  BlobWriter& operator=(const BlobWriter&) = delete;

  // Appends to the value and returns its size so far. A Failure if the value would be too long, if the disk is full, or
  // if the table was dropped or truncated. After a Failure the value cannot be finished.
  Expected<uint64_t> Write(std::string_view bytes);
  // Runs the statement with the value. Returns the value's size. Must be the last call.
  Expected<uint64_t> Finish();

 private:
  struct State;
  explicit BlobWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// A value as it was when it was opened, even if it is overwritten or deleted while it is read.
class BlobReader {
 public:
  // `cql` is a SELECT of one blob column of one row, by its whole primary key. Returns null if there is no such row, or
  // its value is null.
  static Expected<std::unique_ptr<BlobReader>> Open(Database& database, std::string_view cql,
                                                    const std::vector<Parameter>& parameters = {});
  ~BlobReader();
  BlobReader(const BlobReader&) = delete;
  BlobReader& operator=(const BlobReader&) = delete;

  uint64_t size() const;
  // Copies up to `count` bytes of the value, from `offset` on, to `to`. Returns their number, which is smaller than
  // `count` only at the end of the value. A Failure if the table was dropped or truncated.
  Expected<size_t> Read(uint64_t offset, char* to, size_t count);

 private:
  struct State;
  explicit BlobReader(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace widerow
