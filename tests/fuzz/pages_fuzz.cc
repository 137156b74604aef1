// Opens a database whose data.mdb was changed, in one of two ways. The first way changes bytes of pages. The checksums
// must notice this, so each answer must be right or an error. The second way changes stored records through LMDB. Then
// the checksums are right, and the change reaches the code that reads records. No content may end the process.
#include <vector>

#include "storage/lmdb/env.h"
#include "tests/fuzz/fuzz_directory.h"
#include "tests/fuzz/fuzz_target.h"

using namespace widerow;

namespace {

constexpr size_t kPageBytes = 4'096;

void DamagePages(const std::filesystem::path& file, FuzzInput& input) {
  Bytes content = FuzzDirectory::ContentOf(file);
  while (!input.empty()) {
    const uint8_t how = input.Byte();
    const size_t page = (input.Byte() * size_t{256} + input.Byte()) % (content.size() / kPageBytes);
    const size_t place = page * kPageBytes + (input.Byte() * size_t{16} + input.Byte() % 16);
    const Bytes bytes(input.Take(how / 8));
    switch (how % 8) {
      case 0: content.replace(page * kPageBytes, kPageBytes, kPageBytes, '\0'); break;
      case 1:
        content.replace(page * kPageBytes, kPageBytes, content, input.Byte() % 16 * kPageBytes, kPageBytes);
        break;
      case 2: content[place] = static_cast<char>(content[place] ^ (1 << how / 8 % 8)); break;
      default: content.replace(place, std::min(bytes.size(), content.size() - place), bytes);
    }
  }
  FuzzDirectory::Replace(file, content);
}

// Changes one record.
void ChangeRecord(lmdb::Env& env, FuzzInput& input) {
  const uint8_t how = input.Byte();
  const lmdb::Db db = (how & 1) != 0 ? lmdb::Db::kMeta : lmdb::Db::kData;
  auto txn = lmdb::WriteTxn::Begin(env);
  WR_CHECK(txn.ok());
  Bytes key, value;
  {
    auto cursor = lmdb::Cursor::Open(txn->ref(), db);
    WR_CHECK(cursor.ok());
    ByteView key_view, value_view;
    lmdb::Rc found = cursor->SeekAtOrAfter(Bytes(1, '\0'), key_view, value_view);
    for (size_t skip = input.Byte() * size_t{256} + input.Byte(), i = 0; found.ok() && i < skip % 400; ++i) {
      key = key_view, value = value_view;
      found = cursor->Next(key_view, value_view);
    }
    if (key.empty() && found.ok()) key = key_view, value = value_view;
  }
  if (key.empty()) return;
  const size_t place = (input.Byte() * size_t{256} + input.Byte()) % (value.size() + 1);
  const Bytes bytes(input.Take(how / 8));
  switch (how / 2 % 4) {
    case 0: value.replace(place, std::min(bytes.size(), value.size() - place), bytes); break;
    case 1: value.resize(place); break;
    case 2: value.insert(place, bytes); break;
    default:
      if (!txn->Delete(db, key).ok()) return;
      key.replace(place % key.size(), std::min(bytes.size(), key.size() - place % key.size()), bytes);
  }
  if (!txn->Put(db, key, value).ok()) return;
  WR_CHECK(txn->Commit().ok());
}

void ChangeRecords(const std::filesystem::path& directory, FuzzInput& input) {
  auto env = lmdb::Env::Open({.directory = directory, .map_bytes = uint64_t{1} << 28});
  WR_CHECK(env.ok() && (*env)->OpenDatabases().ok());
  while (!input.empty()) ChangeRecord(**env, input);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const FuzzDirectory directory(FuzzDirectory::Ending::kClosed);
  static const std::vector<std::optional<Bytes>> right = [] {
    const std::unique_ptr<Engine> engine = FuzzDirectory::Open(directory.Fresh());
    return FuzzDirectory::ReadAll(*engine);
  }();
  FuzzInput input(data, size);
  const std::filesystem::path fresh = directory.Fresh();
  const bool records = (input.Byte() & 1) != 0;
  if (records)
    ChangeRecords(fresh, input);
  else
    DamagePages(fresh / "data.mdb", input);
  for (int start = 0; start < 2; ++start) {
    const std::unique_ptr<Engine> engine = FuzzDirectory::Open(fresh);
    if (engine == nullptr) return 0;
    const std::vector<std::optional<Bytes>> answers = FuzzDirectory::ReadAll(*engine);
    for (size_t i = 0; i < answers.size(); ++i) WR_CHECK(records || !answers[i] || answers[i] == right[i]);
    if (start == 0) (void)engine->Execute("UPDATE f.u SET v = 1 WHERE k = 1", {});
    (void)engine->Flush();
  }
  return 0;
}
