// CSV by RFC 4180, as a stream. Quoted fields may contain delimiters, doubled quotes and line breaks. LF or CR LF ends
// a record; blank lines are skipped; a UTF-8 byte order mark at the start is dropped. A quote inside an unquoted field
// is an ordinary character. A broken record does not affect the records after it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace widerow {

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
// The line that ends a CSV text on STDIN.
inline constexpr std::string_view kEndOfInput = "\\.";
// The field for an empty value of a type other than text, ascii and blob. (An empty field of such a type is null.)
inline constexpr std::string_view kEmptyValueField = "0x";

struct CsvFormat {
  char delimiter = ',';
  char quote = '"';
  std::optional<char> escape;  // Inside quotes, the character after it is taken literally. nullopt: quotes are doubled.
};

struct CsvField {
  std::string_view text;  // Without quotes and escapes.
  bool quoted = false;
};

struct CsvRecord {
  uint64_t line = 0;     // The line where it begins, from 1.
  std::string_view raw;  // The record unchanged, without its line break.
  std::vector<CsvField> fields;
};

// True if a quoted field goes on behind the line. `open`: true if one goes on from the line before.
bool IsOpenAfter(std::string_view line, bool open, const CsvFormat& format);

// Reads up to `size` bytes into `to`; returns 0 at the end.
using ByteSource = std::function<size_t(char* to, size_t size)>;

// One thread uses it.
class CsvReader {
 public:
  enum class Found : uint8_t { kRecord, kBroken, kEnd };

  static constexpr size_t kRecordBytesMax = 64u << 20;
  // The place in the file where the source begins to read. A record must begin there.
  struct Start {
    uint64_t bytes = 0, line = 1;  // The bytes before this place, and the number of its line.
  };
  explicit CsvReader(ByteSource source, CsvFormat format = {}, size_t record_bytes_max = kRecordBytesMax)
      : CsvReader(std::move(source), format, record_bytes_max, Start{}) {}
  CsvReader(ByteSource source, CsvFormat format, size_t record_bytes_max, Start start);

  // Reads the next record, which borrows from the reader until the next call. kBroken: `record.line` and `record.raw`
  // are set, and reason() says why. If a quote is never closed, reading continues at the line after the one where the
  // record begins. After text behind a closing quote, it continues at the line after that text.
  Found Next(CsvRecord& record);
  const std::string& reason() const { return reason_; }
  // The bytes of the whole file before the current place, and the number of the next line.
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
  // Sets spans_, record_bytes_ (line break included) and line_end_bytes_.
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

// Appends one field. It is quoted if it needs quotes or if `always_quote` is set.
void AppendCsvField(std::string_view text, bool always_quote, const CsvFormat& format, std::string& out);

}  // namespace widerow
