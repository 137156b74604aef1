// Writes that the commit log holds and LMDB does not yet, by key (key_codec.h). A skip list for order with a hash table for
// single keys, after LevelDB's db/skiplist.h: one thread writes, any number read at the same time, without locks.
//
// A key's versions are chained, newest first; each is the whole merged state of the key in this memtable. A reader takes the
// newest version at or below its sequence number. Nothing is ever freed before the memtable is: what a reader has found stays.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "storage/partition_counters.h"
#include "storage/partition_tombstones.h"
#include "storage/write_codec.h"

namespace widerow {

class Memtable {
 public:
  // Of a row or static row: a fragment as row_codec.h encodes rows (nothing is spilled here). Of a partition header: its
  // tombstones, those of ranges too. What it holds follows in memory.
  class Version {
   public:
    uint64_t sequence() const { return sequence_; }
    const Version* older() const { return older_; }
    // Empty of a header.
    ByteView record() const {
      return is_header() ? ByteView() : ByteView(reinterpret_cast<const char*>(&size_) + sizeof size_, size_);
    }
    // Null of a row.
    const PartitionTombstones* tombstones() const {
      return is_header() ? *reinterpret_cast<const PartitionTombstones* const*>(this + 1) : nullptr;
    }

   private:
    friend class Memtable;
    static constexpr uint32_t kHeader = ~uint32_t{0};
    Version(uint64_t sequence, const Version* older, uint32_t size) : sequence_(sequence), older_(older), size_(size) {}
    bool is_header() const { return size_ == kHeader; }
    char* record_bytes() { return reinterpret_cast<char*>(&size_) + sizeof size_; }
    static constexpr size_t BytesWith(size_t record_bytes) { return offsetof(Version, size_) + sizeof size_ + record_bytes; }

    uint64_t sequence_;
    const Version* older_;
    uint32_t size_;  // Of the record, which begins right behind it, or kHeader.
  };

  class Node {
   public:
    ByteView key() const { return {reinterpret_cast<const char*>(links() + height_), key_size_}; }
    // Null if the key held nothing then.
    const Version* VersionAt(uint64_t sequence) const {
      const Version* version = newest_.load(std::memory_order_acquire);
      while (version != nullptr && version->sequence() > sequence) version = version->older();
      return version;
    }
    // Null at the last.
    const Node* next() const { return links()[0].load(std::memory_order_acquire); }
    // Null at the first.
    const Node* previous() const { return previous_.load(std::memory_order_acquire); }

   private:
    friend class Memtable;
    using Link = std::atomic<Node*>;
    // `height_` links follow the node in memory, then the key's bytes.
    Link* links() { return reinterpret_cast<Link*>(this + 1); }
    const Link* links() const { return reinterpret_cast<const Link*>(this + 1); }

    std::atomic<const Version*> newest_{nullptr};
    std::atomic<const Node*> previous_{nullptr};
    uint32_t key_size_ = 0;
    uint32_t height_ = 0;
  };

  // `nodes_expected`: how many keys are likely to come.
  explicit Memtable(size_t nodes_expected = 0);
  Memtable(const Memtable&) = delete;
  Memtable& operator=(const Memtable&) = delete;

  // Any thread. Null if there is none.
  const Node* Find(ByteView key) const;
  const Node* SeekAtOrAfter(ByteView key) const;
  const Node* SeekBefore(ByteView key) const;
  // The tombstones of a partition at `sequence`; null if it has none. `header_key`: the partition's prefix and kHeader.
  const PartitionTombstones* TombstonesAt(ByteView header_key, uint64_t sequence) const;
  bool has_tombstones() const { return has_tombstones_.load(std::memory_order_acquire); }
  size_t nodes() const { return nodes_.load(std::memory_order_relaxed); }
  // No keys.
  bool empty() const { return first() == nullptr; }
  const Node* first() const { return head_->next(); }
  // Memory in use by what has been written: keys, all versions, and what keeps them in order.
  size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

  // What is folded beside keys. The writing thread's until the memtable is frozen.
  struct Extras {
    uint64_t last_sequence = 0;                           // Of the writes in here.
    std::vector<MetaChange> meta_changes;                 // In order.
    std::map<StorageId, int64_t> newest_tombstones;       // By table: the greatest timestamp of its tombstones in here.
    PartitionDeltas fresh;                                // What is counted of the rows in here until they are folded.
  };
  Extras& extras() { return extras_; }
  void AddMetaChanges(const std::vector<MetaChange>& changes);
  const Extras& extras() const { return extras_; }

  // Of the keys and their newest versions' records, about.
  size_t record_bytes() const { return record_bytes_.load(std::memory_order_relaxed); }

  // Between the two calls many keys may come in any order, quicker than otherwise: nothing is in order yet, and nobody may
  // look for more than single keys. The memtable is empty before.
  void BeginLoad();
  void EndLoad();

  // The writing thread. A key once inserted stays; it may hold nothing.
  Node* FindOrInsert(ByteView key);
  void Push(Node* node, uint64_t sequence, ByteView record);
  void PushTombstones(Node* node, uint64_t sequence, PartitionTombstones tombstones);
  // Takes back what `sequence` pushed, if anything. No reader may be at `sequence`.
  void Pop(Node* node, uint64_t sequence);

 private:
  static constexpr uint32_t kHeightMax = 16;

  // A node's address in the lower 48 bits, which is all that the system gives a process, the upper 16 of its hash above;
  // 0: free.
  using Slot = std::atomic<uint64_t>;
  struct FreeMemory {
    void operator()(Slot* slots) const { std::free(slots); }
  };
  struct HashTable {
    explicit HashTable(size_t size);
    std::unique_ptr<Slot[], FreeMemory> slots;  // Memory that is not touched yet does not count.
    size_t mask;
  };

  char* Allocate(size_t size);
  Node* NewNode(ByteView key, uint32_t height);
  uint32_t RandomHeight();
  // The last node before `key`, or head_; with `before`, the last of each level.
  Node* LastBefore(ByteView key, Node** before) const;
  void Link(Node* node, Node* const* before);
  void AddToHash(uint64_t hash, Node* node);
  static Node* NodeIn(uint64_t slot) { return reinterpret_cast<Node*>(slot << 16 >> 16); }
  static void Put(HashTable& table, uint64_t hash, Node* node);
  void GrowHash();

  std::vector<std::unique_ptr<char[]>> blocks_;
  char* at_ = nullptr;
  size_t left_ = 0;
  std::atomic<size_t> bytes_{0}, record_bytes_{0};
  Extras extras_;
  std::deque<PartitionTombstones> tombstones_;
  std::atomic<bool> has_tombstones_{false};

  Node* head_;  // Before all; has the full height and no key.
  uint64_t random_ = 0x9E3779B97F4A7C15;
  std::atomic<HashTable*> hash_;
  std::vector<std::unique_ptr<HashTable>> hash_tables_;  // The last is in use; readers may still be in those before.
  std::atomic<size_t> nodes_{0};
  std::optional<std::vector<Node*>> loaded_;  // Between BeginLoad and EndLoad: the nodes, in no order.
};
using MemtablePtr = std::shared_ptr<Memtable>;

}  // namespace widerow
