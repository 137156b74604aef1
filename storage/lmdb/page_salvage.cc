// The function Visit follows the trees, as PageWalk does, and notes each undamaged leaf page with the database that it
// belongs to. The function Orphans then adds leaf pages that are neither in a tree nor free. The function Emit sorts
// the pages of a database by their first keys. A branch page says which keys each of its pages can have, so Visit knows
// the range of keys of a damaged page. The function NoteLost takes the found pages out of these ranges.
#include "storage/lmdb/page_salvage.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "base/checksum.h"
#include "storage/lmdb/map_faults.h"
#include "storage/lmdb/page_checks.h"
#include "storage/lmdb/page_layout.h"

namespace widerow::lmdb {
namespace {

constexpr unsigned kTreeDepthMax = 64;
constexpr size_t kFreeListKeyBytes = 8;

// Returns the least key after `key`.
Bytes After(ByteView key) { return Bytes(key) + '\0'; }

// The keys that the pages below a reference can have.
struct Bounds {
  ByteView begin;
  std::optional<ByteView> end;
};

class Salvager {
 public:
  ~Salvager() {
    if (at_ == nullptr) return;
    UnwatchMap(at_);
    munmap(const_cast<char*>(at_), bytes_);
  }

  int Open(const std::filesystem::path& file, const MetaView& meta) {
    name_ = file.string();
    const int fd = open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return errno;
    struct stat info {};
    int code = fstat(fd, &info) == 0 ? 0 : errno;
    if (code == 0) {
      bytes_ = static_cast<size_t>(info.st_size);
      void* const map = mmap(nullptr, bytes_, PROT_READ, MAP_SHARED, fd, 0);
      code = map == MAP_FAILED ? errno : 0;
      if (code == 0) at_ = static_cast<const char*>(map);
    }
    close(fd);
    if (code != 0) return code;
    WatchMap(at_, bytes_, name_.c_str());
    shape_ = {meta.page_bytes(), std::min(meta.last_page() + 1, bytes_ / meta.page_bytes()), meta.all_sealed()};
    used_.resize(shape_.pages);
    return 0;
  }

  void Collect(const MetaView& meta) {
    Visit({meta.root_of_free_lists(), meta.tag_of_free_lists()}, Tree::kFree, 0, {});
    out_.free_list_whole = out_.damaged_pages == 0;
    Visit({meta.root_of_databases(), meta.tag_of_databases()}, Tree::kNames, 0, {});
    if (out_.damaged_pages > 0 && out_.free_list_whole) Orphans();
  }

  Status Emit(Db db, const std::function<Status(Db, ByteView, ByteView)>& take) {
    std::vector<const char*>& pages = leaves_[static_cast<int>(db)];
    std::sort(pages.begin(), pages.end(), [](const char* a, const char* b) { return FirstKey(a) < FirstKey(b); });
    Bytes last;
    for (const char* const page : pages) {
      const PageView view(page);
      for (unsigned i = 0; i < view.nodes(); ++i) {
        const NodeView node(view.node(i));
        const ByteView key = KeyOfNode(node);
        if (!last.empty() && key <= last) continue;
        last.assign(key);
        met_ += db == Db::kData ? 1 : 0;
        ByteView value;
        if (ValueOf(node, value)) {
          WR_RETURN_IF_ERROR(take(db, key, value));
          continue;
        }
        ++out_.lost_values;
        if (db == Db::kData) out_.lost.push_back({Bytes(key), After(key)});
      }
    }
    return OkStatus();
  }

  // Notes the ranges of keys in which records of `data` are lost. Must be called after Emit.
  void NoteLost() {
    if (met_ == records_) return;
    const std::vector<const char*>& pages = leaves_[static_cast<int>(Tree::kData)];
    for (const Bounds& bounds : damaged_) {
      Bytes begin(bounds.begin);
      auto page = std::lower_bound(pages.begin(), pages.end(), bounds.begin,
                                   [](const char* a, ByteView key) { return FirstKey(a) < key; });
      for (; page != pages.end() && (!bounds.end || FirstKey(*page) < *bounds.end); ++page) {
        if (begin < FirstKey(*page)) out_.lost.push_back({begin, Bytes(FirstKey(*page))});
        const PageView view(*page);
        begin = std::max(begin, After(KeyOfNode(NodeView(view.node(view.nodes() - 1)))));
      }
      if (!bounds.end || begin < *bounds.end) {
        out_.lost.push_back({std::move(begin), bounds.end ? std::optional<Bytes>(*bounds.end) : std::nullopt});
      }
    }
  }
  const PageSalvage& out() const { return out_; }

 private:
  enum class Tree : uint8_t { kData, kMeta, kFree, kNames };

  static ByteView KeyOfNode(const NodeView& node) { return {node.value() - node.key_bytes(), node.key_bytes()}; }
  static ByteView FirstKey(const char* page) { return KeyOfNode(NodeView(PageView(page).node(0))); }

  // Returns the page if it matches the reference and was not visited before; null otherwise. Marks the page as used
  // even if it does not match: it may be an old version, which Orphans would otherwise add as an undamaged leaf page.
  const char* Good(const PageReference& reference) {
    if (reference.page < 2 || reference.page >= shape_.pages || used_[reference.page]) return nullptr;
    used_[reference.page] = true;
    const char* const page = at_ + reference.page * shape_.page_bytes;
    const char* what = nullptr;
    if (!WithFaultsCaught([&] { what = FindDamage(page, reference, shape_); }) || what != nullptr) return nullptr;
    const uint64_t pages = PageView(page).flags() == PageView::kOverflow ? PageView(page).overflow_pages() : 1;
    for (uint64_t i = 0; i < pages; ++i) used_[reference.page + i] = true;
    return page;
  }

  void Visit(const PageReference& reference, Tree tree, unsigned depth, const Bounds& bounds) {
    if (reference.page == TreeRecord::kNoPage) return;
    const char* const page = Good(reference);
    const uint16_t flags = page == nullptr ? uint16_t{0} : PageView(page).flags();
    if ((flags & (PageView::kBranch | PageView::kLeaf)) == 0 || depth == kTreeDepthMax) {
      ++out_.damaged_pages;
      if (tree == Tree::kMeta || tree == Tree::kNames) out_.catalog_whole = false;
      // If a page of the list of databases is damaged, nothing says where the tree of `data` is, so all keys may be
      // lost.
      if (tree == Tree::kData) damaged_.push_back(bounds);
      if (tree == Tree::kNames) damaged_.push_back({});
      return;
    }
    const PageView view(page);
    if ((flags & PageView::kLeaf) != 0) return Leaf(page, tree, depth);
    for (unsigned i = 0; i < view.nodes(); ++i) {
      const NodeView node(view.node(i));
      // The first key of a branch page is empty.
      Bounds below{i == 0 ? bounds.begin : KeyOfNode(node), bounds.end};
      if (i + 1 < view.nodes()) below.end = KeyOfNode(NodeView(view.node(i + 1)));
      Visit({node.child(), node.child_tag()}, tree, depth + 1, below);
    }
  }

  void Leaf(const char* page, Tree tree, unsigned depth) {
    const PageView view(page);
    if (tree == Tree::kData || tree == Tree::kMeta) {
      if (view.nodes() > 0) leaves_[static_cast<int>(tree)].push_back(page);
      return;
    }
    for (unsigned i = 0; i < view.nodes(); ++i) {
      const NodeView node(view.node(i));
      if (tree == Tree::kFree) {
        NoteFree(node);
      } else if ((node.flags() & NodeView::kDatabase) != 0 && node.value_bytes() >= TreeRecord::kBytes) {
        const auto tag = static_cast<uint16_t>(Load<uint32_t>(node.value() + TreeRecord::kRootTagAt));
        const bool is_meta = KeyOfNode(node) == "meta";
        if (!is_meta) records_ = Load<uint64_t>(node.value() + TreeRecord::kRecordsAt);
        Visit({Load<uint64_t>(node.value() + TreeRecord::kRootAt), tag}, is_meta ? Tree::kMeta : Tree::kData, depth + 1,
              {});
      }
    }
  }

  // Notes the free pages of a record of the free list. The record has first their count, then their page numbers.
  void NoteFree(const NodeView& node) {
    ByteView value;
    if (!ValueOf(node, value)) {
      ++out_.damaged_pages;
      return;
    }
    for (size_t at = sizeof(uint64_t); at + sizeof(uint64_t) <= value.size(); at += sizeof(uint64_t)) {
      const auto page = Load<uint64_t>(value.data() + at);
      if (page < used_.size()) used_[page] = true;
    }
  }

  // Reads the value of a record of a leaf page. False if it is on damaged pages.
  bool ValueOf(const NodeView& node, ByteView& value) {
    if (!node.is_long()) {
      value = {node.value(), static_cast<size_t>(node.value_bytes())};
      return true;
    }
    const PageReference reference{node.long_value_page(), node.long_value_tag()};
    if (reference.page < 2 || reference.page >= shape_.pages) return false;
    used_[reference.page] = true;
    const char* const page = at_ + reference.page * shape_.page_bytes;
    const char* what = nullptr;
    if (!WithFaultsCaught([&] { what = FindDamage(page, reference, shape_); }) || what != nullptr) return false;
    const uint64_t room = PageView(page).overflow_pages() * shape_.page_bytes - PageView::kHeaderBytes;
    if (PageView(page).flags() != PageView::kOverflow || node.value_bytes() > room) return false;
    for (uint64_t i = 0; i < PageView(page).overflow_pages(); ++i) used_[reference.page + i] = true;
    value = {page + PageView::kHeaderBytes, static_cast<size_t>(node.value_bytes())};
    return true;
  }

  void Orphans() {
    // The pages of long values are marked as used first, so that their contents are not mistaken for leaf pages.
    for (const auto& pages : leaves_) {
      for (const char* const page : pages) {
        for (unsigned i = 0; i < PageView(page).nodes(); ++i) {
          ByteView value;
          static_cast<void>(ValueOf(NodeView(PageView(page).node(i)), value));
        }
      }
    }
    for (uint64_t number = 2; number < shape_.pages; ++number) {
      if (used_[number]) continue;
      const char* const at = at_ + number * shape_.page_bytes;
      bool is_leaf = false;
      if (!WithFaultsCaught([&] { is_leaf = PageView(at).flags() == PageView::kLeaf && PageView(at).sum() != 0; }))
        continue;
      const char* const page = is_leaf ? Good({number, 0}) : nullptr;
      if (page == nullptr || PageView(page).nodes() == 0) continue;
      const NodeView first(PageView(page).node(0));
      const ByteView key = KeyOfNode(first);
      if ((first.flags() & NodeView::kDatabase) != 0) continue;
      ByteView value;
      const bool has_value = ValueOf(first, value);
      const bool sealed = has_value && Unseal(value);
      if (key.size() == kFreeListKeyBytes && !sealed) continue;  // The page belongs to the free list.
      const bool is_meta = !key.empty() && key[0] >= 'A' && key[0] <= 'Z';
      leaves_[static_cast<int>(is_meta ? Tree::kMeta : Tree::kData)].push_back(page);
      ++out_.found_pages;
    }
  }

  std::string name_;
  const char* at_ = nullptr;
  size_t bytes_ = 0;
  FileShape shape_;
  std::vector<bool> used_;              // Pages that are in a tree, free, or found.
  std::vector<const char*> leaves_[2];  // By Tree: kData and kMeta.
  std::vector<Bounds> damaged_;         // The keys of the damaged pages of `data`; they point into the map.
  uint64_t records_ = 0;                // The number of records of `data`, as the list of databases has it.
  uint64_t met_ = 0;                    // The number of records of `data` whose keys were read.
  PageSalvage out_;
};

}  // namespace

Result<PageSalvage> SalvageRecords(const std::filesystem::path& file, ByteView meta,
                                   const std::function<Status(Db db, ByteView key, ByteView value)>& take) {
  Salvager salvager;
  const MetaView state(meta.data());
  if (const int code = salvager.Open(file, state); code != 0) return ToError(Rc(code), "reading " + file.string());
  salvager.Collect(state);
  for (const Db db : {Db::kData, Db::kMeta}) WR_RETURN_IF_ERROR(salvager.Emit(db, take));
  salvager.NoteLost();
  return salvager.out();
}

}  // namespace widerow::lmdb
