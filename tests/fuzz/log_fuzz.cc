// Opens a database whose commit log was changed, in one of two ways. The first way changes, repeats, omits or makes
// records, with right checksums, so that the change reaches the replay. The second way changes bytes of the files,
// which the checksums must notice. The database may refuse to open. If it opens, it must be usable, and must open a
// second time.
#include <vector>

#include "storage/log/log_format.h"
#include "tests/fuzz/fuzz_directory.h"
#include "tests/fuzz/fuzz_target.h"

using namespace widerow;
namespace format = widerow::log_format;

namespace {

struct Record {
  format::RecordHeader header;
  Bytes body;
};

// The segment of the log that has the most records.
class Segment {
 public:
  explicit Segment(const std::filesystem::path& log) {
    for (const auto& entry : std::filesystem::directory_iterator(log)) {
      if (!entry.path().filename().string().starts_with("segment-")) continue;
      const Bytes content = FuzzDirectory::ContentOf(entry.path());
      std::vector<Record> records = RecordsOf(content);
      if (records.size() < records_.size()) continue;
      records_ = std::move(records);
      name_ = entry.path().filename().string();
      content_ = content;
    }
    WR_CHECK(!records_.empty());
  }

  std::vector<Record>& records() { return records_; }

  // Writes as many records as fit. With `chained`, each record says that it follows the previous one. With `checked`,
  // each body gets its right checksum.
  void Store(const std::filesystem::path& log, bool chained, bool checked) {
    uint64_t at = format::kRecordsOffset, previous = records_.empty() ? 0 : records_[0].header.previous_sequence;
    std::fill(content_.begin() + static_cast<ptrdiff_t>(at), content_.end(), '\0');
    for (Record& record : records_) {
      const uint64_t bytes = format::RecordBytes(record.body.size());
      if (at + bytes > content_.size()) break;
      record.header.body_bytes = static_cast<uint32_t>(record.body.size());
      if (checked) record.header.body_checksum = format::BodyChecksum(record.body);
      if (chained) {
        record.header.previous_sequence = previous;
        record.header.last_sequence = std::max(record.header.last_sequence, previous + 1);
        previous = record.header.last_sequence;
      }
      format::EncodeRecordHeader(record.header, salt_, content_.data() + at);
      record.body.copy(content_.data() + at + format::kRecordHeaderBytes, record.body.size());
      at += bytes;
    }
    FuzzDirectory::Replace(log / name_, content_);
  }

 private:
  std::vector<Record> RecordsOf(const Bytes& content) {
    std::vector<Record> records;
    format::SegmentHeader header;
    uint32_t version = 0;
    if (content.size() < format::kPageBytes ||
        format::DecodeSegmentHeader(ByteView(content).substr(0, format::kPageBytes), header, version) !=
            format::HeaderState::kGood) {
      return records;
    }
    salt_ = header.salt;
    for (uint64_t at = format::kRecordsOffset; at + format::kRecordHeaderBytes <= content.size();) {
      const std::optional<format::RecordHeader> found = format::DecodeRecordHeader(content.data() + at, header.salt);
      if (!found) break;
      records.push_back({*found, content.substr(at + format::kRecordHeaderBytes, found->body_bytes)});
      at += format::RecordBytes(found->body_bytes);
    }
    return records;
  }

  std::string name_;
  Bytes content_;
  uint64_t salt_ = 0;
  std::vector<Record> records_;
};

uint64_t Number(FuzzInput& input) {
  const uint8_t value = input.Byte();
  return value < 250 ? value : value < 253 ? UINT64_MAX - (255u - value) : uint64_t{1} << (8 * (256 - value));
}

void ChangeHeader(format::RecordHeader& header, uint8_t which, FuzzInput& input) {
  const uint64_t value = Number(input);
  switch (which % 5) {
    case 0: header.epoch += value; break;
    case 1: header.last_sequence += value; break;
    case 2: header.previous_sequence = value; break;
    case 3: header.synced_through += value; break;
    default: header.last_timestamp = static_cast<int64_t>(value);
  }
}

void Change(std::vector<Record>& records, FuzzInput& input) {
  const uint8_t what = input.Byte();
  const size_t which = input.Byte() % records.size();
  Bytes& body = records[which].body;
  const size_t place = (input.Byte() * size_t{256} + input.Byte()) % (body.size() + 1);
  const Bytes bytes(input.Take(what / 8 % 32));
  switch (what % 8) {
    case 0:
    case 1: body.replace(place, std::min(bytes.size(), body.size() - place), bytes); break;
    case 2: body.insert(place, bytes); break;
    case 3: body.erase(place, 1 + bytes.size()); break;
    case 4: body = bytes; break;
    case 5: records.push_back(records[which]); break;
    case 6:
      if (records.size() > 1) records.erase(records.begin() + static_cast<ptrdiff_t>(which));
      break;
    default: ChangeHeader(records[which].header, what / 8, input);
  }
}

// Overwrites bytes of some file of the log.
void Damage(const std::filesystem::path& log, FuzzInput& input) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(log)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  const std::filesystem::path& file = files[input.Byte() % files.size()];
  Bytes content = FuzzDirectory::ContentOf(file);
  const uint8_t how = input.Byte();
  const size_t place = (input.Byte() * size_t{256} + input.Byte()) % (content.size() + 1);
  const Bytes bytes(input.Take(how / 4));
  if (how % 4 == 3)
    content.resize(place);
  else
    content.replace(place, std::min(bytes.size(), content.size() - place), bytes);
  FuzzDirectory::Replace(file, content);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const FuzzDirectory directory(FuzzDirectory::Ending::kKilled);
  FuzzInput input(data, size);
  const std::filesystem::path fresh = directory.Fresh();
  const uint8_t how = input.Byte();
  if ((how & 3) == 0) {
    while (!input.empty()) Damage(fresh / "log", input);
  } else {
    Segment segment(fresh / "log");
    while (!input.empty()) Change(segment.records(), input);
    segment.Store(fresh / "log", (how & 4) == 0, (how & 24) != 24);
  }
  std::unique_ptr<Engine> engine = FuzzDirectory::Open(fresh);
  if (engine == nullptr) return 0;
  FuzzDirectory::ReadAll(*engine);
  (void)engine->Execute("INSERT INTO f.r (k, c) VALUES (7, 7)", {});
  const bool folded = engine->Flush().ok();
  engine.reset();
  if (!folded) return 0;
  engine = FuzzDirectory::Open(fresh);
  WR_CHECK(engine != nullptr);
  FuzzDirectory::ReadAll(*engine);
  return 0;
}
