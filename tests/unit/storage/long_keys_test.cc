#include "storage/lmdb/long_keys.h"

#include <map>
#include <random>

#include "storage_test_support.h"

namespace widerow {
namespace {

using lmdb::Db;

class LongKeysTest : public storage_test::EnvFixture {
 protected:
  void SetUp() override {
    ASSERT_NO_FATAL_FAILURE(EnvFixture::SetUp());
    auto begun = lmdb::WriteTxn::Begin(*env_);
    ASSERT_TRUE(begun.ok());
    txn_.emplace(std::move(begun).value());
  }

  void Put(const Bytes& key, const Bytes& value) {
    ASSERT_TRUE(PutLong(*txn_, ids_, key, value).ok());
    model_[key] = value;
  }
  void Delete(const Bytes& key) {
    const lmdb::Rc rc = DeleteLong(*txn_, key);
    ASSERT_EQ(rc.ok(), model_.erase(key) == 1);
    ASSERT_FALSE(rc.failed());
  }
  LongKeyCursor Cursor() { return LongKeyCursor(std::move(lmdb::Cursor::Open(txn_->ref(), Db::kData)).value()); }

  size_t RawRecords() {
    auto cursor = lmdb::Cursor::Open(txn_->ref(), Db::kData);
    ByteView key, value;
    size_t count = 0;
    for (auto rc = cursor->SeekAtOrAfter(ByteView("\0", 1), key, value); rc.ok(); rc = cursor->Next(key, value)) {
      EXPECT_LE(key.size(), 511u);
      ++count;
    }
    return count;
  }

  // Checks that the cursor gives the keys of the model, from the first key, from the last key, and from `from` on.
  void ExpectSame(const Bytes& from) {
    LongKeyCursor cursor = Cursor();
    auto at = model_.lower_bound(from);
    lmdb::Rc rc = cursor.SeekAtOrAfter(from);
    for (; at != model_.end(); ++at, rc = cursor.Next()) {
      ASSERT_TRUE(rc.ok());
      ASSERT_TRUE(cursor.key() == at->first) << cursor.key().size() << " for " << at->first.size();
      ASSERT_EQ(cursor.value(), at->second);
    }
    ASSERT_TRUE(rc.not_found());
    rc = cursor.SeekBefore(from);
    for (at = model_.lower_bound(from); at != model_.begin(); rc = cursor.Previous()) {
      --at;
      ASSERT_TRUE(rc.ok());
      ASSERT_TRUE(cursor.key() == at->first) << cursor.key().size() << " for " << at->first.size();
    }
    ASSERT_TRUE(rc.not_found());
  }

  std::optional<lmdb::WriteTxn> txn_;
  ChildIds ids_;
  std::map<Bytes, Bytes> model_;
};

TEST_F(LongKeysTest, EveryLengthAroundTheLimits) {
  for (const size_t size : {1u, 509u, 510u, 511u, 512u, 513u, 1'009u, 1'010u, 1'011u, 1'024u, 2'048u, 65'535u}) {
    for (const char last : {'a', 'b', '\0', '\xFF'}) Put(Bytes(size - 1, 'k') + last, "v" + std::to_string(size));
  }
  for (const auto& [key, value] : model_) {
    ByteView found;
    ASSERT_TRUE(GetLong(txn_->ref(), key, found).ok()) << key.size();
    ASSERT_EQ(found, value);
    ASSERT_TRUE(GetLong(txn_->ref(), key + "x", found).not_found());
    ExpectSame(key);
    ExpectSame(key + '\0');
    ExpectSame(key.substr(0, key.size() - 1));
  }
}

TEST_F(LongKeysTest, OrdinaryKeysAreStoredAsTheyAre) {
  Put(Bytes(510, 'k'), "v");
  ByteView found;
  EXPECT_TRUE(txn_->ref().Get(Db::kData, Bytes(510, 'k'), found).ok());
  EXPECT_EQ(RawRecords(), 1u);
}

TEST_F(LongKeysTest, DeletingTheLastKeyOfASpaceLeavesNothing) {
  const Bytes long_key(65'535, 'k'), sibling = Bytes(2'000, 'k') + "x", shorter(700, 'k');
  Put(long_key, "1");
  Put(sibling, "2");
  Put(shorter, "3");
  Delete(Bytes(64'000, 'k'));
  Delete(long_key);
  ExpectSame("");
  Delete(shorter);
  ExpectSame("k");
  Delete(sibling);
  EXPECT_EQ(RawRecords(), 0u);
}

TEST_F(LongKeysTest, OverwritingKeepsOneRecord) {
  Put(Bytes(600, 'k'), "1");
  const size_t records = RawRecords();
  Put(Bytes(600, 'k'), "2");
  EXPECT_EQ(RawRecords(), records);
  ExpectSame("k");
}

TEST_F(LongKeysTest, RandomKeysBehaveLikeAnOrderedMap) {
  std::mt19937 random(9);
  static constexpr size_t kSizes[] = {3, 400, 509, 510, 511, 512, 513, 998, 1'009, 1'010, 1'011, 1'500, 5'000};
  const auto random_key = [&] {
    // Many keys have a long prefix in common, so they share key spaces at every level.
    Bytes key(kSizes[random() % std::size(kSizes)], static_cast<char>('a' + random() % 2));
    if (random() % 2 == 0) key[random() % key.size()] = 'c';
    if (random() % 2 == 0) key.back() = static_cast<char>(random());
    return key;
  };
  for (int i = 0; i < 1'500; ++i) {
    if (random() % 3 != 0 || model_.empty()) {
      Put(random_key(), std::to_string(i));
    } else {
      Delete(random() % 4 == 0 ? random_key()
                               : std::next(model_.begin(), static_cast<int>(random() % model_.size()))->first);
    }
    if (i % 50 == 0) ExpectSame(random_key());
    ASSERT_FALSE(HasFailure());
  }
  while (!model_.empty()) Delete(Bytes(model_.begin()->first));
  EXPECT_EQ(RawRecords(), 0u);
}

TEST_F(LongKeysTest, ADamagedLinkIsAnErrorAndNoCrash) {
  Put(Bytes(600, 'k'), "1");
  ASSERT_TRUE(txn_->Put(Db::kData, Bytes(511, 'k'), "abc").ok());
  ByteView found;
  EXPECT_TRUE(GetLong(txn_->ref(), Bytes(600, 'k'), found).failed());
  EXPECT_TRUE(Cursor().SeekAtOrAfter("k").failed());
  EXPECT_TRUE(Cursor().SeekAtOrAfter(Bytes(600, 'k')).failed());
  EXPECT_TRUE(DeleteLong(*txn_, Bytes(600, 'k')).failed());
  // This record is a link to a key space that does not exist.
  ASSERT_TRUE(txn_->Put(Db::kData, Bytes(511, 'k'), "12345678").ok());
  EXPECT_TRUE(Cursor().SeekAtOrAfter("k").failed());
}

}  // namespace
}  // namespace widerow
