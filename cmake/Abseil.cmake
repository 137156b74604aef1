# Defines the target widerow_absl. It links Abseil's static libraries, so that a start loads no library of Abseil
# (docs/internals/decisions/0016-abseil.md). This file is also installed, for find_package(widerow).
pkg_check_modules(ABSL REQUIRED QUIET absl_synchronization absl_flat_hash_map absl_flat_hash_set absl_inlined_vector absl_strings)
if(NOT TARGET widerow_absl)
  set(absl_archives ${ABSL_STATIC_LIBRARIES})
  list(FILTER absl_archives INCLUDE REGEX "^absl_")
  list(TRANSFORM absl_archives REPLACE "(.+)" "-l:lib\\1.a")
  add_library(widerow_absl INTERFACE IMPORTED)
  target_include_directories(widerow_absl INTERFACE ${ABSL_INCLUDE_DIRS})
  target_link_libraries(widerow_absl INTERFACE ${absl_archives})
endif()
