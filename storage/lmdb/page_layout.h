// The bytes of LMDB's pages, as far as Widerow checks them. Integers have the byte order of the machine. The layout is
// that of the structures MDB_page, MDB_node, MDB_db and MDB_meta in third_party/lmdb/mdb.c.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace widerow::lmdb {

template <typename T>
T Load(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

// A page that begins with a header: branch and leaf pages, and the first page of a long value.
class PageView {
 public:
  static constexpr uint16_t kBranch = 1, kLeaf = 2, kOverflow = 4, kMeta = 8;
  static constexpr unsigned kHeaderBytes = 16;
  static constexpr bool kLittle = std::endian::native == std::endian::little;
  static constexpr unsigned kNumberAt = kLittle ? 0 : 4, kSumAt = kLittle ? 4 : 0;
  // The checksum covers the page from here on.
  static constexpr unsigned kSealedFrom = 8;

  explicit PageView(const char* at) : at_(at) {}

  uint64_t number() const { return Load<uint32_t>(at_ + kNumberAt); }
  uint32_t sum() const { return Load<uint32_t>(at_ + kSumAt); }  // 0: the page has no checksum.
  uint16_t tag() const { return Load<uint16_t>(at_ + 8); }
  uint16_t flags() const { return Load<uint16_t>(at_ + 10); }
  // Long values only: the number of pages.
  uint64_t overflow_pages() const { return Load<uint32_t>(at_ + 12); }
  // The free space of a page is between `lower` and `upper`. The array of the nodes' offsets ends at `lower`, and the
  // nodes begin at `upper`.
  unsigned lower() const { return Load<uint16_t>(at_ + 12); }
  unsigned upper() const { return Load<uint16_t>(at_ + 14); }
  unsigned nodes() const { return (lower() - kHeaderBytes) / 2; }
  unsigned node_offset(unsigned index) const { return Load<uint16_t>(at_ + kHeaderBytes + 2 * index); }
  const char* node(unsigned index) const { return at_ + node_offset(index); }

 private:
  const char* at_;
};

// A record of a leaf page, or a reference of a branch page to another page.
class NodeView {
 public:
  static constexpr unsigned kHeaderBytes = 8;
  static constexpr uint16_t kLong = 1;      // The value is the page number of a long value.
  static constexpr uint16_t kDatabase = 2;  // The value describes a named database.

  explicit NodeView(const char* at) : at_(at) {}

  unsigned key_bytes() const { return Load<uint16_t>(at_ + 6); }
  uint16_t flags() const { return Load<uint16_t>(at_ + 4); }
  // Leaf pages only.
  uint64_t value_bytes() const { return low_word(); }
  bool is_long() const { return (flags() & kLong) != 0; }
  const char* value() const { return at_ + kHeaderBytes + key_bytes(); }
  // Leaf pages only: the number of the first page of a long value, and the tag of the reference to this page.
  uint64_t long_value_page() const { return Load<uint64_t>(value()) & 0xFFFFFFFF; }
  uint16_t long_value_tag() const { return static_cast<uint16_t>(Load<uint64_t>(value()) >> 32); }
  // Branch pages only.
  uint64_t child() const { return low_word(); }
  uint16_t child_tag() const { return flags(); }

 private:
  uint64_t low_word() const {
    constexpr unsigned kLow = PageView::kLittle ? 0 : 2;
    return Load<uint16_t>(at_ + kLow) | uint64_t{Load<uint16_t>(at_ + 2 - kLow)} << 16;
  }

  const char* at_;
};

// The description of a database: its tree of pages.
struct TreeRecord {
  static constexpr unsigned kBytes = 48;
  static constexpr unsigned kRootTagAt = 0, kRecordsAt = 32, kRootAt = 40;
  static constexpr uint64_t kNoPage = ~uint64_t{0};  // The root of an empty tree.
};

// The record that a commit writes into one of the first two pages. It is the state of the file. Two copies of it follow
// the page's header.
class MetaView {
 public:
  static constexpr unsigned kBytes = 152, kSumAt = 144;
  static constexpr unsigned kBytesWithoutSum = 136;  // The size in a file of an unchanged LMDB.
  static constexpr uint32_t kMagic = 0xBEEFC0DE;

  explicit MetaView(const char* at) : at_(at) {}

  const char* at() const { return at_; }
  uint32_t magic() const { return Load<uint32_t>(at_); }
  uint32_t version() const { return Load<uint32_t>(at_ + 4); }
  uint32_t page_bytes() const { return Load<uint32_t>(at_ + 24); }
  uint64_t root_of_free_lists() const { return Load<uint64_t>(at_ + 24 + TreeRecord::kRootAt); }
  uint64_t root_of_databases() const { return Load<uint64_t>(at_ + 72 + TreeRecord::kRootAt); }
  uint16_t tag_of_databases() const { return static_cast<uint16_t>(Load<uint32_t>(at_ + 72 + TreeRecord::kRootTagAt)); }
  uint64_t last_page() const { return Load<uint64_t>(at_ + 120); }
  uint64_t commit() const { return Load<uint64_t>(at_ + 128); }
  bool all_sealed() const { return Load<uint32_t>(at_ + 136) != 0; }
  uint16_t tag_of_free_lists() const { return static_cast<uint16_t>(Load<uint32_t>(at_ + 140)); }
  uint64_t sum() const { return Load<uint64_t>(at_ + kSumAt); }

 private:
  const char* at_;
};

}  // namespace widerow::lmdb
