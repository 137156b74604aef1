// Walker maps the file and visits the tree of free lists, then the tree of named databases, and then the tree of each
// named database. A page is checked before any reference in it is followed.
#include "storage/lmdb/page_walk.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>

#include "storage/lmdb/env.h"
#include "storage/lmdb/map_faults.h"
#include "storage/lmdb/page_layout.h"

namespace widerow::lmdb {
namespace {

constexpr uint64_t kProgressEveryPages = 4'096;
constexpr unsigned kDepthMax = 64;  // Far beyond the height of any tree.

// A file mapped for reading.
class Map {
 public:
  ~Map() {
    if (at_ == nullptr) return;
    UnwatchMap(at_);
    munmap(const_cast<char*>(at_), bytes_);
  }
  int Open(const std::filesystem::path& file) {
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
    name_ = file.string();
    if (code == 0) WatchMap(at_, bytes_, name_.c_str());
    return code;
  }
  const char* at() const { return at_; }
  size_t bytes() const { return bytes_; }

 private:
  const char* at_ = nullptr;
  size_t bytes_ = 0;
  std::string name_;
};

class Walker {
 public:
  Walker(const std::filesystem::path& file, const Map& map, const std::function<void(uint64_t, uint64_t)>& progress)
      : file_(file.string()), map_(map), progress_(progress) {}

  PageWalk Walk() {
    const MetaView first(map_.at() + PageView::kHeaderBytes);
    const MetaView second(map_.at() + first.page_bytes() + PageView::kHeaderBytes);
    return Walk(second.commit() > first.commit() ? second : first);
  }

  PageWalk Walk(const MetaView& newest) {
    shape_ = {newest.page_bytes(), newest.last_page() + 1, newest.all_sealed()};
    seen_.resize(shape_.pages);
    Tree({newest.root_of_free_lists(), newest.tag_of_free_lists()}, "the list of free pages");
    Tree({newest.root_of_databases(), newest.tag_of_databases()}, "the list of databases");
    return std::move(walk_);
  }

 private:
  void Tree(const PageReference& root, const std::string& name) {
    if (root.page != TreeRecord::kNoPage) Visit(root, name, 0);
  }

  void Damaged(uint64_t page, const std::string& tree, const std::string& what) {
    walk_.damaged.push_back({file_, page, page * shape_.page_bytes, "(of " + tree + ") " + what});
  }

  // Checks a page and returns it. Returns null if the page is damaged or has been visited before.
  const char* Check(const PageReference& reference, const std::string& tree) {
    const uint64_t page = reference.page;
    if (page < 2 || page >= shape_.pages) {
      return Damaged(page, tree, "is needed, and the file does not have it"), nullptr;
    }
    if (seen_[page]) return Damaged(page, tree, "is used twice"), nullptr;
    seen_[page] = true;
    const char* const at = map_.at() + page * shape_.page_bytes;
    const char* what = nullptr;
    if (!WithFaultsCaught([&] { what = FindDamage(at, reference, shape_); })) what = "cannot be read";
    if (++walk_.pages % kProgressEveryPages == 0) progress_(walk_.pages, shape_.pages);
    if (what != nullptr) return Damaged(page, tree, what), nullptr;
    if (PageView(at).sum() == 0) ++walk_.unsealed;
    return at;
  }

  void Visit(const PageReference& reference, const std::string& tree, unsigned depth) {
    const char* const at = Check(reference, tree);
    if (at == nullptr) return;
    const PageView view(at);
    if ((view.flags() & (PageView::kBranch | PageView::kLeaf)) == 0 || depth == kDepthMax) {
      return Damaged(reference.page, tree, "is not a page of a tree");
    }
    for (unsigned i = 0; i < view.nodes(); ++i) {
      const NodeView node(view.node(i));
      if ((view.flags() & PageView::kBranch) != 0) {
        Visit({node.child(), node.child_tag()}, tree, depth + 1);
      } else if (node.is_long()) {
        Check({node.long_value_page(), node.long_value_tag()}, tree);
      } else if ((node.flags() & NodeView::kDatabase) != 0 && node.value_bytes() >= TreeRecord::kBytes) {
        const std::string name(node.value() - node.key_bytes(), node.key_bytes());
        const auto tag = static_cast<uint16_t>(Load<uint32_t>(node.value() + TreeRecord::kRootTagAt));
        Tree({Load<uint64_t>(node.value() + TreeRecord::kRootAt), tag}, "the database '" + name + "'");
      }
    }
  }

  const std::string file_;
  const Map& map_;
  const std::function<void(uint64_t, uint64_t)>& progress_;
  FileShape shape_;
  std::vector<bool> seen_;
  PageWalk walk_;
};

}  // namespace

Result<PageWalk> WalkPages(const std::filesystem::path& file, const std::function<void(uint64_t, uint64_t)>& progress) {
  Map map;
  if (const int code = map.Open(file); code != 0) return ToError(Rc(code), "reading " + file.string());
  return Walker(file, map, progress).Walk();
}

Result<PageWalk> WalkPagesOf(const std::filesystem::path& file, ByteView meta,
                             const std::function<void(uint64_t, uint64_t)>& progress) {
  Map map;
  if (const int code = map.Open(file); code != 0) return ToError(Rc(code), "reading " + file.string());
  return Walker(file, map, progress).Walk(MetaView(meta.data()));
}

}  // namespace widerow::lmdb
