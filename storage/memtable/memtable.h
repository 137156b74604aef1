// A memtable has the writes that are in the commit log and not yet in LMDB, ordered by their keys (key_codec.h). A skip
// list keeps the keys in order (after LevelDB's db/skiplist.h), and a hash table finds single keys. One thread writes.
// Any number of threads read at the same time, without locks.
//
// Each key has a chain of versions, newest first. A version is the whole state of the key in this memtable and never
// changes. It has the sequence number of its write. A reader also has a sequence number, and takes the newest version
// up to that number. Memory is freed only with the memtable, so data that a reader has found is valid as long as the
// reader has the MemtablePtr.
//
// Old versions stay. To save memory, a version of a large row or of many tombstones shares most of its content with
// older versions (row_parts.h, partition_tombstones.h).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "base/checksum.h"
#include "storage/count/partition_counters.h"
#include "storage/log/write_codec.h"
#include "storage/reconcile/partition_tombstones.h"

namespace widerow {

class Memtable {
 public:
  // One version of a key. For a row or a static row, the content is a fragment that is encoded as in row_codec.h, with
  // nothing spilled. For a partition header, the content is the tombstones of the partition and of its ranges. The
  // content follows the object in memory.
  class Version {
   public:
    uint64_t sequence() const { return sequence_; }
    const Version* older() const { return older_; }
    // Returns the newest part of the row. The whole row is record() merged with the row of rest(). Empty for a header.
    ByteView record() const {
      if (size_ < kWithRest) [[likely]]
        return {content(), size_};
      return is_header() ? ByteView() : ByteView(content() + sizeof(Version*), size_ & ~kWithRest);
    }
    // Returns the older version whose content is also a part of this row. Null if record() is the whole row.
    const Version* rest() const {
      if (size_ < kWithRest || is_header()) [[likely]]
        return nullptr;
      const Version* rest = nullptr;
      std::memcpy(&rest, content(), sizeof rest);
      return rest;
    }
    // Returns the tombstones of a header; null for a row.
    const PartitionTombstones* tombstones() const {
      return is_header() ? *reinterpret_cast<const PartitionTombstones* const*>(this + 1) : nullptr;
    }
    // Returns the approximate number of bytes that a fold writes into the data file for this version.
    size_t content_bytes() const;

   private:
    friend class Memtable;
    static constexpr uint32_t kHeader = ~uint32_t{0}, kWithRest = uint32_t{1} << 31;
    Version(uint64_t sequence, const Version* older, uint32_t size) : sequence_(sequence), older_(older), size_(size) {}
    bool is_header() const { return size_ == kHeader; }
    const char* content() const { return reinterpret_cast<const char*>(&size_) + sizeof size_; }
    char* content() { return reinterpret_cast<char*>(&size_) + sizeof size_; }
    static constexpr size_t BytesWith(size_t content_bytes) {
      return offsetof(Version, size_) + sizeof size_ + content_bytes;
    }

    uint64_t sequence_;
    const Version* older_;
    // The size of the record, which follows this field in memory. If the bit kWithRest is set, the address of rest() is
    // between this field and the record. If the value is kHeader, the address of the tombstones follows this field.
    uint32_t size_;
  };

  class Node {
   public:
    ByteView key() const { return {reinterpret_cast<const char*>(links() + height_), key_size_}; }
    // Returns the newest version up to `sequence`; null if there is none.
    const Version* VersionAt(uint64_t sequence) const {
      const Version* version = newest_.load(std::memory_order_acquire);
      while (version != nullptr && version->sequence() > sequence) version = version->older();
      return version;
    }
    // Null for the last node.
    const Node* next() const { return links()[0].load(std::memory_order_acquire); }
    // Null for the first node.
    const Node* previous() const { return previous_.load(std::memory_order_acquire); }

   private:
    friend class Memtable;
    using Link = std::atomic<Node*>;
    // In memory the node is followed by `height_` links and then by the bytes of the key.
    Link* links() { return reinterpret_cast<Link*>(this + 1); }
    const Link* links() const { return reinterpret_cast<const Link*>(this + 1); }

    std::atomic<const Version*> newest_{nullptr};
    std::atomic<const Node*> previous_{nullptr};
    uint32_t key_size_ = 0;
    uint32_t height_ = 0;
  };

  // Makes the hash table large enough for `nodes_expected` keys. More keys can be inserted.
  explicit Memtable(size_t nodes_expected = 0);
  Memtable(const Memtable&) = delete;
  Memtable& operator=(const Memtable&) = delete;

  // Find returns the node of `key`, SeekAtOrAfter the first node at or after `key`, SeekBefore the last node before
  // `key`. Null if there is no such node. Any thread may call them.
  const Node* Find(ByteView key) const { return Find(key, Hash64(key)); }
  const Node* SeekAtOrAfter(ByteView key) const;
  const Node* SeekBefore(ByteView key) const;
  // Returns the tombstones of a partition up to `sequence`; null if it has none. `header_key` is the prefix of the
  // partition followed by kHeader.
  const PartitionTombstones* TombstonesAt(ByteView header_key, uint64_t sequence) const;
  bool has_tombstones() const { return has_tombstones_.load(std::memory_order_acquire); }
  size_t nodes() const { return nodes_.load(std::memory_order_relaxed); }
  bool empty() const { return first() == nullptr; }
  const Node* first() const { return head_->next(); }
  // Returns the bytes that are allocated for keys, versions, tombstones, links, hash tables and changes of `meta`.
  size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

  // A fold also stores these, beside the keys and their versions. The writing thread owns them until the memtable is
  // frozen.
  struct Extras {
    uint64_t last_sequence = 0;                      // The last sequence number in this memtable.
    std::vector<MetaChange> meta_changes;            // In the order of the writes.
    std::map<StorageId, int64_t> newest_tombstones;  // By table: the greatest timestamp of its tombstones.
    PartitionDeltas fresh;                           // The fresh counters (partition_counters.h) of these writes.
    // By base table: the last sequence number of a write that may have left stale rows (storage/count/stale_marks.h).
    std::map<StorageId, uint64_t> stale;
  };
  Extras& extras() { return extras_; }
  void AddMetaChanges(const std::vector<MetaChange>& changes);
  const Extras& extras() const { return extras_; }

  // Returns the approximate number of bytes of all keys and of the newest version of each.
  size_t record_bytes() const { return record_bytes_.load(std::memory_order_relaxed); }

  // Between BeginLoad and EndLoad many keys can be inserted in any order, faster than otherwise. BeginLoad needs an
  // empty memtable. Until EndLoad the keys are not in order. Until then Find works, but SeekAtOrAfter and SeekBefore do
  // not.
  void BeginLoad();
  void EndLoad();

  // Only the writing thread calls the following functions. A key that was inserted stays, even if it has no version.
  Node* FindOrInsert(ByteView key);
  // Adds a version of a row. `rest` is an older version of the node whose content also belongs to the row
  // (Version::rest), or null.
  void Push(Node* node, uint64_t sequence, ByteView record, const Version* rest = nullptr);
  void PushTombstones(Node* node, uint64_t sequence, PartitionTombstones tombstones);
  // Removes the versions that were pushed with `sequence`. No reader may have this sequence number or a greater one.
  void Pop(Node* node, uint64_t sequence);

 private:
  static constexpr uint32_t kHeightMax = 16;

  // A slot of the hash table. The lower kAddressBits are the address of a node, the upper 16 bits are the upper bits of
  // its hash. The value 0 means that the slot is free.
  //
  // The address fits, because Linux gives processes addresses below 2^47 on x86-64 and below 2^48 on aarch64.
  // Processors with wider addresses (LA57 on x86-64, 52-bit addresses on aarch64) change nothing: Linux maps memory
  // above these bounds only if an mmap call asks for it with a hint, and allocators do not. Other processors have other
  // rules, so the build refuses them. Put() checks each address, which costs one shift and one branch for each insert.
  using Slot = std::atomic<uint64_t>;
  static constexpr uint64_t kAddressBits = 48;
#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
  static_assert(sizeof(void*) == sizeof(uint64_t), "a slot holds an address of 64 bits; x32 and ILP32 have 32");
#else
  static_assert(sizeof(void*) == 0, "check that user addresses of this platform fit into kAddressBits");
#endif
  struct FreeMemory {
    void operator()(Slot* slots) const { std::free(slots); }
  };
  struct HashTable {
    explicit HashTable(size_t size);
    // Made by calloc, so slots that were never touched take no memory.
    std::unique_ptr<Slot[], FreeMemory> slots;
    size_t mask;
  };

  char* Allocate(size_t size);
  Node* NewNode(ByteView key, uint32_t height);
  uint32_t RandomHeight();
  // Returns the last node before `key`; head_ if there is none. If `before` is not null, stores in it, for each level,
  // the last node before `key`.
  Node* LastBefore(ByteView key, Node** before) const;
  void Link(Node* node, Node* const* before);
  const Node* Find(ByteView key, uint64_t hash) const;
  void AddToHash(uint64_t hash, Node* node);
  static Node* NodeIn(uint64_t slot) {
    return reinterpret_cast<Node*>(slot << (64 - kAddressBits) >> (64 - kAddressBits));
  }
  static void Put(HashTable& table, uint64_t hash, Node* node);
  // Makes `version` the newest of the node, and counts the change in record_bytes_.
  void SetNewest(Node* node, const Version* version);
  void GrowHash();

  std::vector<std::unique_ptr<char[]>> blocks_;
  char* at_ = nullptr;
  size_t left_ = 0;
  std::atomic<size_t> bytes_{0}, record_bytes_{0};
  Extras extras_;
  std::deque<PartitionTombstones> tombstones_;
  std::atomic<bool> has_tombstones_{false};

  Node* head_;  // The node before all others, of full height and without a key.
  uint64_t random_ = 0x9E3779B97F4A7C15;
  std::atomic<HashTable*> hash_;
  // All hash tables made so far. The last one is in use. Readers may still use the others.
  std::vector<std::unique_ptr<HashTable>> hash_tables_;
  std::atomic<size_t> nodes_{0};
  std::optional<std::vector<Node*>> loaded_;  // Between BeginLoad and EndLoad: the nodes, unordered.
};
using MemtablePtr = std::shared_ptr<Memtable>;

}  // namespace widerow
