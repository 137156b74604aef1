// Checksums of the pages of data.mdb.
//
// Whenever LMDB writes a page, it *seals* the page: it puts a checksum of 32 bits and a *tag* of 16 bits into bits of
// the header that LMDB does not use otherwise (third_party/lmdb/README.md). The tag says which commit has written the
// page. The reference to the page, in another page, has the same tag. A value that is longer than a page has several
// pages in a row, with one header and one checksum.
//
// A page is checked when it is used for the first time after the file was opened or after the page was written; one bit
// for each page remembers that it was checked. The header must have the number of the page and the tag of the
// reference, and the checksum must match. So the check also finds an old page whose newer version the disk has lost. A
// page that an earlier version of Widerow has written has no checksum. For such a page the check makes sure that
// nothing in the page points to a place outside the page or the file. Then reading the page is safe, although its rows
// may be wrong.
//
// If a page is damaged, the call that needs it fails with Rc::damaged_page(), and ToError names the place. While a page
// is being checked, SIGBUS (the disk fails, or the file has become shorter) counts as damage too. At any other time a
// SIGBUS in the map ends the process, after a message with the file and the offset.
//
// Any thread may call these functions.
#pragma once

#include <cstdint>
#include <string>

struct MDB_env;

namespace widerow::lmdb {

// The exit status of a process that ends because data.mdb is damaged. It is EX_IOERR of <sysexits.h>.
inline constexpr int kExitDamaged = 74;

struct DamagedPage {
  std::string file;
  uint64_t page = 0;
  uint64_t offset = 0;
  std::string what;  // The end of a sentence that begins with "page N at offset M".
};

// Returns the damaged page that the calling thread has found last.
const DamagedPage& LastDamagedPage();
// Returns "'FILE' is damaged: page N at offset M does not match its checksum".
std::string ToText(const DamagedPage& damaged);

// Sets what LMDB does when one of its assertions fails: the process ends with a message that names the file and the
// last page that the thread has begun to use.
void ExitOnFailedAssertions(MDB_env* env);

// The reference that one page has to another.
struct PageReference {
  uint64_t page = 0;
  uint16_t tag = 0;  // 0: an earlier version has written the reference.
};

struct FileShape {
  unsigned page_bytes = 0;
  uint64_t pages = 0;
  bool all_sealed = false;  // True if every page has a checksum.
};

// Checks one page, or the pages of one long value, in the map of a file. Returns null if they are good, else a text
// that says what is wrong.
const char* FindDamage(const char* page, const PageReference& reference, const FileShape& file);

}  // namespace widerow::lmdb
