# Warnings and sanitizers for all targets of the project, and the function that declares a folder's library.

# With less than 512 MiB of data, the compiler collects no garbage: a twelfth of its time.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=524288>)
endif()

# With -O1, gcc sees less of what values are possible, and warns of impossible ones.
set(few_values -Wno-maybe-uninitialized -Wno-stringop-overflow)

add_library(widerow_options INTERFACE)
target_compile_options(widerow_options INTERFACE -Wall -Wextra -Wpedantic $<$<CXX_COMPILER_ID:GNU>:-Wshadow=local> -Wno-missing-field-initializers)
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  target_compile_options(widerow_options INTERFACE -Wthread-safety -Werror=thread-safety -Werror=unused)
endif()
if(WIDEROW_SANITIZE)
  target_compile_options(widerow_options INTERFACE -fsanitize=${WIDEROW_SANITIZE} -fno-omit-frame-pointer)
  if(WIDEROW_SANITIZE_WITHOUT)
    target_compile_options(widerow_options INTERFACE -fno-sanitize=${WIDEROW_SANITIZE_WITHOUT})
  endif()
  if(WIDEROW_SANITIZE STREQUAL thread AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_compile_options(widerow_options INTERFACE -Wno-tsan)  # Boost.Asio uses fences, of which the sanitizer knows nothing.
  endif()
  target_link_options(widerow_options INTERFACE -fsanitize=${WIDEROW_SANITIZE})
  target_compile_options(widerow_options INTERFACE "$<$<CXX_COMPILER_ID:GNU>:${few_values}>")
endif()
# widerow_generated_code(<target>): the target's sources are generated. They are compiled without warnings, and with -O1:
# -O2 takes up to twice as long, and most of their time is spent in the runtimes of Thrift, protobuf and ANTLR. The
# undefined-behavior sanitizer leaves them out, because it would double the time of compiling them.
function(widerow_generated_code target)
  target_compile_options(${target} PRIVATE -w -O1)
  if(WIDEROW_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${WIDEROW_SANITIZE} -fno-sanitize=undefined -fno-omit-frame-pointer)
  endif()
endfunction()

find_program(MOLD mold)
if(MOLD)
  target_link_options(widerow_options INTERFACE -fuse-ld=mold)
endif()
# ccache compares the headers themselves (its "depend mode"). By default it also compares the preprocessor's output, which
# has no comments: after a change of a comment, it would return the precompiled header of the old text, and `#pragma once`
# would fail. The namespace keeps results of the default mode apart.
find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_DEPEND=1
      CCACHE_NAMESPACE=widerow-depend ${CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()

# To make builds fast, the files of a room (a folder with sources), or of several small rooms, are compiled together, and
# headers that nearly all files of a library include are precompiled. Both can hide a missing include. So the preset
# `separate` turns both off, and compiles each file and each header by itself.
option(WIDEROW_FAST_BUILD "Compile several files together, with precompiled headers" ON)
set(WIDEROW_FILES_TOGETHER 24 CACHE STRING "At most this many files are compiled together")

# widerow_fast_build(<target> [ROOMS_APART] [RARE] [TOGETHER <n>] SOURCES <files>… [PRECOMPILE <headers>…]): compiles the
# target's sources in groups of at most n files, by default WIDEROW_FILES_TOGETHER. ROOMS_APART: each group has files of
# one room. The compiler inlines less in large groups, so libraries with frequent operations name what was measured.
function(widerow_fast_build target)
  cmake_parse_arguments(ARG "ROOMS_APART;RARE" "TOGETHER" "SOURCES;PRECOMPILE" ${ARGN})
  if(NOT WIDEROW_FAST_BUILD)
    return()
  endif()
  if(NOT ARG_TOGETHER)
    set(ARG_TOGETHER ${WIDEROW_FILES_TOGETHER})
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # In a group, gcc takes a .cc file for a header, and warns of the types in its anonymous namespace.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  # A room that fits into the current group joins it; any other starts a new one.
  set(rooms "")
  foreach(source ${ARG_SOURCES})
    get_filename_component(room ${source} DIRECTORY)
    string(MAKE_C_IDENTIFIER ${room} room)
    list(APPEND rooms ${room})
    list(APPEND sources_${room} ${source})
  endforeach()
  list(REMOVE_DUPLICATES rooms)
  set(group 0)
  set(size 0)
  foreach(room ${rooms})
    list(LENGTH sources_${room} room_size)
    math(EXPR together "${size} + ${room_size}")
    if(size GREATER 0 AND (ARG_ROOMS_APART OR together GREATER ARG_TOGETHER))
      math(EXPR group "${group} + 1")
      set(size 0)
    endif()
    foreach(source ${sources_${room}})
      if(size EQUAL ARG_TOGETHER)
        math(EXPR group "${group} + 1")
        set(size 0)
      endif()
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP "${group}")
      math(EXPR size "${size} + 1")
    endforeach()
  endforeach()
  # Targets with the same list of headers and the same level of optimization share the precompiled file.
  string(MAKE_C_IDENTIFIER "precompiled ${ARG_RARE} ${ARG_PRECOMPILE}" list)
  get_property(owner GLOBAL PROPERTY ${list})
  if(owner)
    target_precompile_headers(${target} REUSE_FROM ${owner})
  else()
    target_precompile_headers(${target} PRIVATE ${CMAKE_SOURCE_DIR}/cmake/standard_headers.h ${ARG_PRECOMPILE})
    set_property(GLOBAL PROPERTY ${list} ${target})
  endif()
endfunction()

# widerow_library(<folder> [ROOMS_APART] [RARE] [TOGETHER <n>] [LINK <libraries>…] [PRIVATE <libraries>…]
# [PRECOMPILE <headers>…] [EXCLUDE <path>]): declares a library of all .cc files in the folder and below it, except those
# whose path contains EXCLUDE. PRECOMPILE names headers of the project to precompile, beside the standard headers. RARE: no
# frequent operation spends much time in the library, so a release compiles it with -O1, which takes a quarter less time.
function(widerow_library name)
  cmake_parse_arguments(ARG "ROOMS_APART;RARE" "EXCLUDE;TOGETHER" "LINK;PRIVATE;PRECOMPILE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cc)
  list(FILTER sources EXCLUDE REGEX "/main\\.cc$")
  if(ARG_EXCLUDE)
    list(FILTER sources EXCLUDE REGEX "${ARG_EXCLUDE}")
  endif()
  if(NOT sources)
    add_library(widerow_${name} INTERFACE)
    target_link_libraries(widerow_${name} INTERFACE ${ARG_LINK})
    return()
  endif()
  add_library(widerow_${name} STATIC ${sources})
  target_include_directories(widerow_${name} PUBLIC $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}>)
  target_link_libraries(widerow_${name} PUBLIC ${ARG_LINK} PRIVATE ${ARG_PRIVATE} $<BUILD_INTERFACE:widerow_options>)
  list(TRANSFORM ARG_PRECOMPILE PREPEND ${CMAKE_SOURCE_DIR}/)
  if(ARG_ROOMS_APART)
    set(rooms_apart ROOMS_APART)
  endif()
  if(ARG_RARE)
    set(rare RARE)
    target_compile_options(widerow_${name} PRIVATE $<$<CONFIG:Release>:-O1>)
    target_compile_options(widerow_${name} PRIVATE "$<$<AND:$<CONFIG:Release>,$<CXX_COMPILER_ID:GNU>>:${few_values}>")
  endif()
  widerow_fast_build(widerow_${name} ${rooms_apart} ${rare} TOGETHER "${ARG_TOGETHER}" SOURCES ${sources} PRECOMPILE ${ARG_PRECOMPILE})
endfunction()
