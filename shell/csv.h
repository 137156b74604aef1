// CSV after RFC 4180, as a stream: fields in quotes may hold delimiters, doubled quotes and line ends; LF and CR LF end
// a record; blank lines are passed over; a UTF-8 byte order mark in front is dropped. A quote inside an unquoted field
// is an ordinary character. A broken record costs itself and nothing behind it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace widerow {

struct CsvFormat {
  char delimiter = ',';
  char quote = '"';
  std::optional<char> escape;  // Inside quotes, takes the next character as it is. Without it quotes are doubled.
};

struct CsvField {
  std::string_view text;  // Quotes undone.
  bool quoted = false;
};

struct CsvRecord {
  uint64_t line = 0;     // Where it begins, from 1.
  std::string_view raw;  // As it stands in the file, without its line end.
  std::vector<CsvField> fields;
};

// Fills up to `size` bytes at `to`; 0 at the end.
using ByteSource = std::function<size_t(char* to, size_t size)>;

// Belongs to one thread.
class CsvReader {
 public:
  enum class Found : uint8_t { kRecord, kBroken, kEnd };

  static constexpr size_t kRecordBytesMax = 64u << 20;
  // Where the source stands in the whole: behind a record.
  struct Start {
    uint64_t bytes = 0, line = 1;
  };
  explicit CsvReader(ByteSource source, CsvFormat format = {}, size_t record_bytes_max = kRecordBytesMax)
      : CsvReader(std::move(source), format, record_bytes_max, Start{}) {}
  CsvReader(ByteSource source, CsvFormat format, size_t record_bytes_max, Start start);

  // The next record; it borrows from the reader until the next call. kBroken: `record.line` and `record.raw` are set,
  // reason() says why. After a quote that is never closed reading goes on at the next line, else behind the broken
  // record.
  Found Next(CsvRecord& record);
  const std::string& reason() const { return reason_; }
  // Of the whole, what is behind us; the line that is next.
  uint64_t bytes_read() const { return bytes_before_buffer_ + begin_; }
  uint64_t line() const { return line_; }

 private:
  struct Span {
    size_t begin = 0, end = 0;  // Relative to begin_.
    bool quoted = false, unescape = false;
  };
  enum class State : uint8_t { kFieldStart, kPlain, kQuoted, kAfterQuote };
  enum class Scan : uint8_t { kDone, kTextAfterQuote, kNeverClosed };

  bool Refill();
  // Sets spans_ and record_bytes_ (line end included, line_end_bytes_ of them).
  Scan ScanRecord();
  bool TakeQuotedByte(char c, size_t& at, Span& span, State& state);
  Found TakeRecord(CsvRecord& record);
  Found TakeBroken(Scan scan, CsvRecord& record);
  std::string_view Unescape(std::string_view quoted);
  void Consume(size_t bytes);

  const ByteSource source_;
  const CsvFormat format_;
  const size_t record_bytes_max_;
  std::string buffer_;
  size_t begin_ = 0;  // Start of the record in buffer_.
  bool source_ended_ = false;
  uint64_t bytes_before_buffer_ = 0;
  uint64_t line_ = 1;
  size_t record_bytes_ = 0, line_end_bytes_ = 0;
  std::vector<Span> spans_;
  std::string unescaped_;
  std::string reason_;
};

// Appends one field, in quotes where it needs them or `always_quote` says so.
void AppendCsvField(std::string_view text, bool always_quote, const CsvFormat& format, std::string& out);

}  // namespace widerow
