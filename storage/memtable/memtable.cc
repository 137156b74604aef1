// FindOrInsert finds a node with the hash table. If there is none, it adds a node first to the hash table and then to
// the skip list, so that the node is in neither if there is no memory for a larger hash table. Push puts a new version
// in front of the node's chain and publishes it to readers with a release store of `newest_`. Nodes, versions and
// records are allocated one after another in blocks (Allocate). The hash table uses open addressing; GrowHash makes and
// publishes a larger copy. Between BeginLoad and EndLoad nodes go into the hash table only. EndLoad sorts them and
// links them in order.
#include "storage/memtable/memtable.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <new>

namespace widerow {
namespace {

constexpr size_t kFirstBlock = 16u << 10, kBlockMax = 1u << 20;
constexpr size_t kFirstSlots = 64;
// The bytes of the hash table for each node. At most 3 of 4 slots are in use.
constexpr size_t kSlotBytesANode = 4 * sizeof(uint64_t) / 3;

size_t Aligned(size_t size) { return (size + 7) & ~size_t{7}; }

}  // namespace

Memtable::HashTable::HashTable(size_t size)
    : slots(static_cast<Slot*>(std::calloc(size, sizeof(Slot)))), mask(size - 1) {
  if (slots == nullptr) throw std::bad_alloc();
}

Memtable::Memtable(size_t nodes_expected) {
  head_ = NewNode({}, kHeightMax);
  hash_tables_.push_back(std::make_unique<HashTable>(std::max(kFirstSlots, std::bit_ceil(nodes_expected * 4 / 3))));
  hash_.store(hash_tables_.back().get(), std::memory_order_release);
  bytes_.store(0, std::memory_order_relaxed);
}

char* Memtable::Allocate(size_t size) {
  size = Aligned(size);
  if (size > left_) {
    const size_t usual = std::min(kBlockMax, kFirstBlock << std::min<size_t>(blocks_.size(), 6));
    const size_t block = std::max(size, usual);
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(block));
    if (block > usual) {
      // The block is for this allocation alone; the current block stays in use.
      bytes_.fetch_add(size, std::memory_order_relaxed);
      return blocks_.back().get();
    }
    at_ = blocks_.back().get();
    left_ = block;
  }
  char* out = at_;
  at_ += size;
  left_ -= size;
  bytes_.fetch_add(size, std::memory_order_relaxed);
  return out;
}

Memtable::Node* Memtable::NewNode(ByteView key, uint32_t height) {
  const size_t size = sizeof(Node) + height * sizeof(Node::Link) + key.size();
  Node* node = new (Allocate(size)) Node;
  node->key_size_ = static_cast<uint32_t>(key.size());
  node->height_ = height;
  for (uint32_t level = 0; level < height; ++level) new (node->links() + level) Node::Link(nullptr);
  if (!key.empty()) std::memcpy(reinterpret_cast<char*>(node->links() + height), key.data(), key.size());
  return node;
}

// Returns a random height. One in four nodes of a level is also in the next level.
uint32_t Memtable::RandomHeight() {
  random_ ^= random_ << 13;
  random_ ^= random_ >> 7;
  random_ ^= random_ << 17;
  uint32_t height = 1;
  for (uint64_t bits = random_; height < kHeightMax && (bits & 3) == 0; bits >>= 2) ++height;
  return height;
}

Memtable::Node* Memtable::LastBefore(ByteView key, Node** before) const {
  Node* at = head_;
  // The next node of a lower level is often the node that was compared last. Then it is not compared again.
  const Node* not_before = nullptr;
  for (uint32_t level = kHeightMax; level-- > 0;) {
    while (true) {
      Node* next = at->links()[level].load(std::memory_order_acquire);
      if (next == nullptr || next == not_before) break;
      if (next->key() >= key) {
        not_before = next;
        break;
      }
      at = next;
    }
    if (before != nullptr) before[level] = at;
  }
  return at;
}

const Memtable::Node* Memtable::SeekAtOrAfter(ByteView key) const {
  const Node* at = LastBefore(key, nullptr)->next();
  // After LastBefore has looked, the writer may have inserted more nodes before `key`.
  while (at != nullptr && at->key() < key) at = at->next();
  return at;
}

const Memtable::Node* Memtable::SeekBefore(ByteView key) const {
  const Node* at = LastBefore(key, nullptr);
  return at == head_ ? nullptr : at;
}

const Memtable::Node* Memtable::Find(ByteView key, uint64_t hash) const {
  const HashTable& table = *hash_.load(std::memory_order_acquire);
  for (size_t at = hash & table.mask;; at = (at + 1) & table.mask) {
    const uint64_t slot = table.slots[at].load(std::memory_order_acquire);
    if (slot == 0) return nullptr;
    if (((slot ^ hash) >> kAddressBits) != 0) continue;
    const Node* node = NodeIn(slot);
    if (node->key() == key) return node;
  }
}

const PartitionTombstones* Memtable::TombstonesAt(ByteView header_key, uint64_t sequence) const {
  if (!has_tombstones()) return nullptr;
  const Node* node = Find(header_key);
  const Version* version = node == nullptr ? nullptr : node->VersionAt(sequence);
  return version == nullptr ? nullptr : version->tombstones();
}

void Memtable::Put(HashTable& table, uint64_t hash, Node* node) {
  const auto address = reinterpret_cast<uint64_t>(node);
  WR_CHECK(address >> kAddressBits == 0);
  size_t at = hash & table.mask;
  while (table.slots[at].load(std::memory_order_relaxed) != 0) at = (at + 1) & table.mask;
  table.slots[at].store((hash >> kAddressBits << kAddressBits) | address, std::memory_order_release);
}

void Memtable::AddToHash(uint64_t hash, Node* node) {
  const size_t nodes = nodes_.load(std::memory_order_relaxed) + 1;
  if (4 * nodes > 3 * (hash_tables_.back()->mask + 1)) GrowHash();
  nodes_.store(nodes, std::memory_order_relaxed);
  // The memory of the first table is counted slot by slot as the table fills, because the table may have been made for
  // more keys than will come.
  if (hash_tables_.size() == 1) bytes_.fetch_add(kSlotBytesANode, std::memory_order_relaxed);
  Put(*hash_tables_.back(), hash, node);
}

void Memtable::GrowHash() {
  const HashTable& table = *hash_tables_.back();
  const size_t size = table.mask + 1;
  auto larger = std::make_unique<HashTable>(2 * size);
  // The nodes are prefetched in groups of this size, so that the waits for memory overlap.
  constexpr size_t kAtOnce = 16;
  for (size_t begin = 0; begin < size; begin += kAtOnce) {
    for (size_t i = begin; i < begin + kAtOnce; ++i) {
      __builtin_prefetch(NodeIn(table.slots[i].load(std::memory_order_relaxed)));
    }
    for (size_t i = begin; i < begin + kAtOnce; ++i) {
      Node* node = NodeIn(table.slots[i].load(std::memory_order_relaxed));
      if (node != nullptr) Put(*larger, Hash64(node->key()), node);
    }
  }
  bytes_.fetch_add(2 * size * sizeof(Slot), std::memory_order_relaxed);
  hash_tables_.push_back(std::move(larger));
  hash_.store(hash_tables_.back().get(), std::memory_order_release);
}

Memtable::Node* Memtable::FindOrInsert(ByteView key) {
  const uint64_t hash = Hash64(key);
  if (const Node* found = Find(key, hash)) return const_cast<Node*>(found);
  if (loaded_.has_value()) {
    loaded_->push_back(NewNode(key, RandomHeight()));
    AddToHash(hash, loaded_->back());
    return loaded_->back();
  }
  Node* before[kHeightMax];
  LastBefore(key, before);
  Node* node = NewNode(key, RandomHeight());
  AddToHash(hash, node);
  Link(node, before);
  return node;
}

void Memtable::BeginLoad() {
  WR_CHECK(empty());
  loaded_.emplace();
}

void Memtable::EndLoad() {
  // The keys are spread over the memory. So the first 16 bytes of each key (the storage id, then the token) are copied
  // into entries that are next to each other. They decide most comparisons.
  struct Entry {
    std::array<uint64_t, 2> first_bytes;
    Node* node;
  };
  std::vector<Entry> entries;
  entries.reserve(loaded_->size());
  for (Node* node : *loaded_) {
    char bytes[sizeof(Entry::first_bytes)] = {};
    std::memcpy(bytes, node->key().data(), std::min(sizeof bytes, node->key().size()));
    entries.push_back({{ReadBigEndian<uint64_t>(bytes), ReadBigEndian<uint64_t>(bytes + 8)}, node});
  }
  loaded_.reset();
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.first_bytes != b.first_bytes ? a.first_bytes < b.first_bytes : a.node->key() < b.node->key();
  });
  Node* before[kHeightMax];
  std::fill(std::begin(before), std::end(before), head_);
  for (const Entry& entry : entries) {
    Link(entry.node, before);
    std::fill(before, before + entry.node->height_, entry.node);
  }
}

void Memtable::Link(Node* node, Node* const* before) {
  Node* after = before[0]->links()[0].load(std::memory_order_relaxed);
  node->previous_.store(before[0] == head_ ? nullptr : before[0], std::memory_order_relaxed);
  for (uint32_t level = 0; level < node->height_; ++level) {
    Node::Link& link = before[level]->links()[level];
    node->links()[level].store(link.load(std::memory_order_relaxed), std::memory_order_relaxed);
    link.store(node, std::memory_order_release);
  }
  // Until this store, a reader that moves backward may miss the node. This does no harm, because the sequence number of
  // such a reader is too small to see the node's version.
  if (after != nullptr) after->previous_.store(node, std::memory_order_release);
}

size_t Memtable::Version::content_bytes() const {
  // The approximate size of a stored range tombstone.
  constexpr size_t kRangeBytes = 64;
  if (is_header()) return tombstones()->range_count() * kRangeBytes;
  size_t bytes = 0;
  for (const Version* part = this; part != nullptr; part = part->rest()) bytes += part->record().size();
  return bytes;
}

void Memtable::SetNewest(Node* node, const Version* version) {
  const Version* before = node->newest_.load(std::memory_order_relaxed);
  const size_t added = version == nullptr ? 0 : node->key_size_ + version->content_bytes();
  const size_t removed = before == nullptr ? 0 : node->key_size_ + before->content_bytes();
  record_bytes_.fetch_add(added - removed, std::memory_order_relaxed);
  node->newest_.store(version, std::memory_order_release);
}

void Memtable::Push(Node* node, uint64_t sequence, ByteView record, const Version* rest) {
  WR_CHECK(record.size() < Version::kWithRest);
  const size_t rest_bytes = rest == nullptr ? 0 : sizeof rest;
  const uint32_t size = static_cast<uint32_t>(record.size()) | (rest == nullptr ? 0 : Version::kWithRest);
  char* memory = Allocate(std::max(sizeof(Version), Version::BytesWith(rest_bytes + record.size())));
  auto* version = new (memory) Version(sequence, node->newest_.load(std::memory_order_relaxed), size);
  if (rest != nullptr) std::memcpy(version->content(), &rest, sizeof rest);
  if (!record.empty()) std::memcpy(version->content() + rest_bytes, record.data(), record.size());
  SetNewest(node, version);
}

void Memtable::PushTombstones(Node* node, uint64_t sequence, PartitionTombstones tombstones) {
  const Version* older = node->newest_.load(std::memory_order_relaxed);
  const size_t shared_before = older == nullptr ? 0 : older->tombstones()->shared_bytes();
  bytes_.fetch_add(tombstones.own_bytes() + tombstones.shared_bytes() - shared_before, std::memory_order_relaxed);
  tombstones_.push_back(std::move(tombstones));
  auto* version = new (Allocate(sizeof(Version) + sizeof(void*))) Version(sequence, older, Version::kHeader);
  new (version + 1) const PartitionTombstones*(&tombstones_.back());
  SetNewest(node, version);
  has_tombstones_.store(true, std::memory_order_release);
}

void Memtable::AddMetaChanges(const std::vector<MetaChange>& changes) {
  size_t bytes = 0;
  for (const MetaChange& change : changes) {
    bytes += sizeof change + change.key.size() + (change.value.has_value() ? change.value->size() : 0);
  }
  extras_.meta_changes.insert(extras_.meta_changes.end(), changes.begin(), changes.end());
  bytes_.fetch_add(bytes, std::memory_order_relaxed);
}

void Memtable::Pop(Node* node, uint64_t sequence) {
  const Version* newest = node->newest_.load(std::memory_order_relaxed);
  while (newest != nullptr && newest->sequence() == sequence) newest = newest->older();
  SetNewest(node, newest);
}

}  // namespace widerow
