// Checksums of the pages of data.mdb.
//
// Whenever LMDB writes a page, it is *sealed*: its header receives a checksum of 32 bits and a *tag* of 16 bits, in
// bits that LMDB does not use (third_party/lmdb/README.md). The tag says which commit has written the page. The
// reference to the page, in another page, has the same tag. A value that is longer than a page has several pages in a
// row with one header and one checksum. When a page is used for the first time after the file was opened, or after the
// page was written, it is checked: its header must have its number and the tag of the reference, and its checksum must
// match. So an old page is noticed, too, whose replacement the disk has lost. One bit for each page remembers the
// check. A page that an earlier version of Widerow has written has no checksum. Then the check makes sure that nothing
// in the page points outside, so that reading it is safe, even though its rows may be wrong.
//
// A damaged page makes the call that needs it fail with Rc::damaged_page(), and ToError names the place. While a page
// is checked, a SIGBUS (the disk fails, or the file was shortened) counts as damage too. At any other time a SIGBUS in
// the map ends the process, after a message with the file and the offset.
//
// These functions may be called on any thread.
#pragma once

#include <cstdint>
#include <string>

struct MDB_env;

namespace widerow::lmdb {

// The status of a process that ends because data.mdb is damaged: EX_IOERR of <sysexits.h>.
inline constexpr int kExitDamaged = 74;

struct DamagedPage {
  std::string file;
  uint64_t page = 0;
  uint64_t offset = 0;
  std::string what;  // Continues a sentence that begins with "page N at offset M".
};

// Returns the damaged page that the calling thread has met last.
const DamagedPage& LastDamagedPage();
// Returns "'FILE' is damaged: page N at offset M does not match its checksum".
std::string ToText(const DamagedPage& damaged);

// Makes a failed assertion of LMDB end the process with a message that names the file and the last page that the thread
// has begun to use.
void ExitOnFailedAssertions(MDB_env* env);

// A reference to a page, as another page has it.
struct PageReference {
  uint64_t page = 0;
  uint16_t tag = 0;  // 0: an earlier version has written the reference.
};

struct FileShape {
  unsigned page_bytes = 0;
  uint64_t pages = 0;
  bool all_sealed = false;  // Every page has a checksum.
};

// Checks one page, or the pages of one long value, in the map of a file. Returns null, or what is wrong.
const char* FindDamage(const char* page, const PageReference& reference, const FileShape& file);

}  // namespace widerow::lmdb
