// The buffer holds the current record and the bytes after it; Refill adds a chunk and drops consumed bytes. ScanRecord
// is a state machine over the bytes that notes where fields begin and end. TakeRecord turns these spans into fields;
// only fields with escapes are copied. TakeBroken finds the place to continue after an error.
#include "shell/csv.h"

#include <algorithm>

namespace widerow {

CsvReader::CsvReader(ByteSource source, CsvFormat format, size_t record_bytes_max, Start start)
    : source_(std::move(source)),
      format_(format),
      record_bytes_max_(record_bytes_max),
      bytes_before_buffer_(start.bytes),
      line_(start.line) {
  if (start.bytes > 0) return;
  while (buffer_.size() < kByteOrderMark.size() && Refill()) {}
  if (buffer_.starts_with(kByteOrderMark)) begin_ = kByteOrderMark.size();
}

// Drops consumed bytes and appends a chunk to the buffer. False at the end of the source.
bool CsvReader::Refill() {
  constexpr size_t kChunk = 256 << 10;
  if (source_ended_) return false;
  if (begin_ > 0) {
    buffer_.erase(0, begin_);
    bytes_before_buffer_ += begin_;
    begin_ = 0;
  }
  const size_t old_size = buffer_.size();
  buffer_.resize(old_size + kChunk);
  const size_t got = source_(buffer_.data() + old_size, kChunk);
  buffer_.resize(old_size + got);
  source_ended_ = got == 0;
  return got > 0;
}

void CsvReader::Consume(size_t bytes) {
  line_ += static_cast<uint64_t>(std::count(buffer_.begin() + begin_, buffer_.begin() + begin_ + bytes, '\n'));
  begin_ += bytes;
}

CsvReader::Found CsvReader::Next(CsvRecord& record) {
  while (true) {
    if (begin_ == buffer_.size() && !Refill()) return Found::kEnd;
    // Skips a blank line.
    if (buffer_[begin_] == '\r' && begin_ + 1 == buffer_.size()) Refill();
    const std::string_view rest = std::string_view(buffer_).substr(begin_);
    if (rest[0] == '\n') {
      Consume(1);
    } else if (rest == "\r" || rest.starts_with("\r\n")) {
      Consume(std::min<size_t>(2, rest.size()));
    } else {
      break;
    }
  }
  const Scan scan = ScanRecord();
  return scan == Scan::kDone ? TakeRecord(record) : TakeBroken(scan, record);
}

// Handles a byte inside quotes. False if the next byte must be read from the source first.
bool CsvReader::TakeQuotedByte(char c, size_t& at, Span& span, State& state) {
  const bool is_escape = format_.escape && c == *format_.escape && c != format_.quote;
  if (!is_escape && c != format_.quote) {
    ++at;
    return true;
  }
  if (begin_ + at + 1 == buffer_.size() && !source_ended_) return false;
  const bool more = begin_ + at + 1 < buffer_.size();
  if (more && (is_escape || buffer_[begin_ + at + 1] == format_.quote)) {
    span.unescape = true;
    at += 2;
  } else if (is_escape) {
    ++at;
  } else {
    span.end = at++;
    state = State::kAfterQuote;
  }
  return true;
}

CsvReader::Scan CsvReader::ScanRecord() {
  spans_.clear();
  Span span;
  State state = State::kFieldStart;
  size_t at = 0;
  while (true) {
    if (begin_ + at >= buffer_.size()) {
      if (at > record_bytes_max_ && state == State::kQuoted) return Scan::kNeverClosed;
      if (Refill()) continue;
      if (state == State::kQuoted) return Scan::kNeverClosed;
    }
    const bool ended = begin_ + at >= buffer_.size();
    const char c = ended ? '\n' : buffer_[begin_ + at];
    if (state == State::kQuoted) {
      if (!TakeQuotedByte(c, at, span, state)) Refill();
      continue;
    }
    if (state == State::kFieldStart && c == format_.quote) {
      span = {.begin = ++at, .quoted = true};
      state = State::kQuoted;
      continue;
    }
    if (c == format_.delimiter || c == '\n') {
      // A CR before the LF is part of the line break.
      const bool crlf = c == '\n' && state != State::kFieldStart && buffer_[begin_ + at - 1] == '\r';
      if (!span.quoted) span.end = at - (crlf ? 1 : 0);
      spans_.push_back(span);
      if (c == '\n') {
        line_end_bytes_ = (ended ? 0 : 1) + (crlf ? 1 : 0);
        record_bytes_ = at + (ended ? 0 : 1);
        return Scan::kDone;
      }
      span = {.begin = ++at};
      state = State::kFieldStart;
      continue;
    }
    if (state == State::kAfterQuote) {
      if (c == '\r') {
        if (begin_ + at + 1 == buffer_.size()) Refill();
        if (begin_ + at + 1 == buffer_.size() || buffer_[begin_ + at + 1] == '\n') {
          ++at;
          continue;
        }
      }
      record_bytes_ = at;
      return Scan::kTextAfterQuote;
    }
    state = State::kPlain;
    ++at;
  }
}

CsvReader::Found CsvReader::TakeRecord(CsvRecord& record) {
  record.line = line_;
  record.raw = std::string_view(buffer_).substr(begin_, record_bytes_ - line_end_bytes_);
  record.fields.clear();
  unescaped_.clear();
  unescaped_.reserve(record_bytes_);  // Views into it must stay valid.
  for (const Span& span : spans_) {
    const std::string_view text = std::string_view(buffer_).substr(begin_ + span.begin, span.end - span.begin);
    record.fields.push_back({span.unescape ? Unescape(text) : text, span.quoted});
  }
  Consume(record_bytes_);
  return Found::kRecord;
}

CsvReader::Found CsvReader::TakeBroken(Scan scan, CsvRecord& record) {
  record.line = line_;
  record.fields.clear();
  const std::string field = "field " + std::to_string(spans_.size() + 1);
  // If a quote is never closed, the broken record is only the first line of the record. If text follows a closing
  // quote, the broken record ends with the line of that text.
  size_t from = begin_;
  if (scan == Scan::kTextAfterQuote) {
    reason_ = "text after the closing quote of " + field;
    from += record_bytes_;
  } else {
    reason_ = "the quote of " + field + " is never closed";
  }
  size_t end = buffer_.find('\n', from);
  while (end == std::string::npos) {
    const size_t offset = from - begin_;
    if (!Refill()) break;
    from = begin_ + offset;
    end = buffer_.find('\n', from);
  }
  const size_t bytes = std::min(end, buffer_.size()) - begin_;
  record.raw = std::string_view(buffer_).substr(begin_, bytes);
  if (record.raw.ends_with('\r')) record.raw.remove_suffix(1);
  Consume(bytes + (end == std::string::npos ? 0 : 1));
  return Found::kBroken;
}

std::string_view CsvReader::Unescape(std::string_view quoted) {
  const size_t begin = unescaped_.size();
  for (size_t i = 0; i < quoted.size(); ++i) {
    const bool escape = quoted[i] == format_.quote || (format_.escape && quoted[i] == *format_.escape);
    if (escape && i + 1 < quoted.size()) ++i;
    unescaped_ += quoted[i];
  }
  return std::string_view(unescaped_).substr(begin);
}

bool IsOpenAfter(std::string_view line, bool open, const CsvFormat& format) {
  bool may_open = !open;  // At the beginning of a field, and behind a quote, which is then doubled.
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (open && format.escape && c == *format.escape && c != format.quote) {
      ++i;
    } else if (c == format.quote && (open || may_open)) {
      open = !open;
      may_open = !open;
    } else if (!open) {
      may_open = c == format.delimiter;
    }
  }
  return open;
}

void AppendCsvField(std::string_view text, bool always_quote, const CsvFormat& format, std::string& out) {
  // Without quotes, a reader takes the first of these for a byte order mark, and the second for the end of STDIN.
  const bool is_mark = text.starts_with(kByteOrderMark) || text == kEndOfInput;
  const bool quote = always_quote || is_mark || std::any_of(text.begin(), text.end(), [&](char c) {
                       return c == format.delimiter || c == format.quote || c == '\n' || c == '\r' ||
                              (format.escape && c == *format.escape);
                     });
  if (!quote) {
    out += text;
    return;
  }
  out += format.quote;
  for (const char c : text) {
    if (c == format.quote || (format.escape && c == *format.escape)) out += format.escape.value_or(format.quote);
    out += c;
  }
  out += format.quote;
}

}  // namespace widerow
