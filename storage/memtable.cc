#include "storage/memtable.h"

#include <cstring>
#include <new>

#include "storage/checksum.h"

namespace widerow {
namespace {

constexpr size_t kFirstBlock = 16u << 10, kBlockMax = 1u << 20;
constexpr size_t kFirstSlots = 64;

size_t Aligned(size_t size) { return (size + 7) & ~size_t{7}; }

}  // namespace

Memtable::Memtable() {
  head_ = NewNode({}, kHeightMax);
  hash_tables_.push_back(std::make_unique<HashTable>(kFirstSlots));
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
      // A block of its own; what is left of the current one stays in use.
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

// One in four nodes of a level is in the next.
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
  const Node* not_before = nullptr;  // A level down the same node often comes again.
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
  // One may have come in between since.
  while (at != nullptr && at->key() < key) at = at->next();
  return at;
}

const Memtable::Node* Memtable::SeekBefore(ByteView key) const {
  const Node* at = LastBefore(key, nullptr);
  return at == head_ ? nullptr : at;
}

const Memtable::Node* Memtable::Find(ByteView key) const {
  const uint64_t hash = Hash64(key);
  const HashTable& table = *hash_.load(std::memory_order_acquire);
  for (size_t at = hash & table.mask;; at = (at + 1) & table.mask) {
    const Slot& slot = table.slots[at];
    const Node* node = slot.node.load(std::memory_order_acquire);
    if (node == nullptr) return nullptr;
    if (slot.hash == hash && node->key() == key) return node;
  }
}

const PartitionTombstones* Memtable::TombstonesAt(ByteView header_key, uint64_t sequence) const {
  if (!has_tombstones()) return nullptr;
  const Node* node = Find(header_key);
  const Version* version = node == nullptr ? nullptr : node->VersionAt(sequence);
  return version == nullptr ? nullptr : version->tombstones;
}

void Memtable::Put(HashTable& table, uint64_t hash, Node* node) {
  size_t at = hash & table.mask;
  while (table.slots[at].node.load(std::memory_order_relaxed) != nullptr) at = (at + 1) & table.mask;
  table.slots[at].hash = hash;
  table.slots[at].node.store(node, std::memory_order_release);
}

void Memtable::AddToHash(uint64_t hash, Node* node) {
  HashTable* table = hash_tables_.back().get();
  if (4 * ++nodes_ > 3 * table->slots.size()) {
    auto larger = std::make_unique<HashTable>(4 * table->slots.size());
    for (const Slot& slot : table->slots) {
      Node* old = slot.node.load(std::memory_order_relaxed);
      if (old != nullptr) Put(*larger, slot.hash, old);
    }
    table = larger.get();
    hash_tables_.push_back(std::move(larger));
    bytes_.fetch_add(table->slots.size() * sizeof(Slot), std::memory_order_relaxed);
    Put(*table, hash, node);
    hash_.store(table, std::memory_order_release);
    return;
  }
  Put(*table, hash, node);
}

Memtable::Node* Memtable::FindOrInsert(ByteView key) {
  if (const Node* found = Find(key)) return const_cast<Node*>(found);
  Node* before[kHeightMax];
  LastBefore(key, before);
  Node* node = NewNode(key, RandomHeight());
  Link(node, before);
  AddToHash(Hash64(key), node);
  return node;
}

void Memtable::Link(Node* node, Node* const* before) {
  Node* after = before[0]->links()[0].load(std::memory_order_relaxed);
  node->previous_.store(before[0] == head_ ? nullptr : before[0], std::memory_order_relaxed);
  for (uint32_t level = 0; level < node->height_; ++level) {
    Node::Link& link = before[level]->links()[level];
    node->links()[level].store(link.load(std::memory_order_relaxed), std::memory_order_relaxed);
    link.store(node, std::memory_order_release);
  }
  // A reader on its way back may miss the node meanwhile: it is too young for that reader to see.
  if (after != nullptr) after->previous_.store(node, std::memory_order_release);
}

void Memtable::Push(Node* node, uint64_t sequence, ByteView record) {
  char* memory = Allocate(sizeof(Version) + record.size());
  char* bytes = memory + sizeof(Version);
  if (!record.empty()) std::memcpy(bytes, record.data(), record.size());
  const Version* older = node->newest_.load(std::memory_order_relaxed);
  const size_t replaced = older == nullptr ? 0 : node->key_size_ + older->record.size();
  record_bytes_.fetch_add(node->key_size_ + record.size() - replaced, std::memory_order_relaxed);
  node->newest_.store(new (memory) Version{sequence, older, nullptr, ByteView(bytes, record.size())},
                      std::memory_order_release);
}

void Memtable::PushTombstones(Node* node, uint64_t sequence, PartitionTombstones tombstones) {
  bytes_.fetch_add(sizeof tombstones + tombstones.ranges().size() * sizeof(void*) * 2, std::memory_order_relaxed);
  tombstones_.push_back(std::move(tombstones));
  const Version* older = node->newest_.load(std::memory_order_relaxed);
  node->newest_.store(new (Allocate(sizeof(Version))) Version{sequence, older, &tombstones_.back(), {}},
                      std::memory_order_release);
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
  while (newest != nullptr && newest->sequence == sequence) newest = newest->older;
  node->newest_.store(newest, std::memory_order_release);
}

}  // namespace widerow
