// _dl_find_object for the portable program. GCC's unwinder calls this function, which glibc has from 2.35 on. With the
// definition in this file, the program runs with glibc 2.34 too. This definition is slower than glibc's, which matters
// only when an exception is thrown.
#include <dlfcn.h>
#include <link.h>

namespace {

struct Search {
  ElfW(Addr) address;
  dl_find_object* found;
};

// Fills `found` if the object contains the address.
int Look(dl_phdr_info* object, size_t, void* data) {
  auto& search = *static_cast<Search*>(data);
  const ElfW(Phdr)* frame = nullptr;
  bool contains = false;
  ElfW(Addr) begin = ~ElfW(Addr){0}, end = 0;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = object->dlpi_phdr[i];
    const ElfW(Addr) from = object->dlpi_addr + part.p_vaddr, to = from + part.p_memsz;
    if (part.p_type == PT_GNU_EH_FRAME) frame = &part;
    if (part.p_type != PT_LOAD) continue;
    contains = contains || (search.address >= from && search.address < to);
    begin = from < begin ? from : begin;
    end = to > end ? to : end;
  }
  if (!contains) return 0;
  if (frame == nullptr) return -1;
  search.found->dlfo_map_start = reinterpret_cast<void*>(begin);
  search.found->dlfo_map_end = reinterpret_cast<void*>(end);
  search.found->dlfo_eh_frame = reinterpret_cast<void*>(object->dlpi_addr + frame->p_vaddr);
  return 1;
}

}  // namespace

extern "C" int _dl_find_object(void* address, dl_find_object* found) noexcept {
  *found = {};
  Search search{reinterpret_cast<ElfW(Addr)>(address), found};
  return dl_iterate_phdr(Look, &search) == 1 ? 0 : -1;
}
