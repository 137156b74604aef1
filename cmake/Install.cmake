# Says what `cmake --install` installs: the program, the public headers, the libraries, and a package for
# find_package(widerow). The debug information of the program is a file of its own. That of the libraries is not installed.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(widerow_libraries base types grammar parser planner advise storage exec net embedded)
list(TRANSFORM widerow_libraries PREPEND widerow_)
set(widerow_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/widerow)

# Users link widerow::widerow. It links the libraries of the folders, widerow::widerow_<folder>.
set_target_properties(widerow_embedded PROPERTIES EXPORT_NAME widerow)
add_library(widerow::widerow ALIAS widerow_embedded)

install(TARGETS ${widerow_libraries} EXPORT widerow ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS widerow RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/widerow DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(EXPORT widerow NAMESPACE widerow:: FILE widerow-targets.cmake DESTINATION ${widerow_package_dir})

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/widerow-config.cmake.in
                              ${CMAKE_CURRENT_BINARY_DIR}/widerow-config.cmake
                              INSTALL_DESTINATION ${widerow_package_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/widerow-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/widerow-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/widerow-config-version.cmake
              ${CMAKE_CURRENT_LIST_DIR}/Abseil.cmake
        DESTINATION ${widerow_package_dir})

# These must come last, because install steps run in the order in which they are written.
install(CODE "set(objcopy \"${CMAKE_OBJCOPY}\")
set(built_program \"$<TARGET_FILE:widerow>\")
set(program \"${CMAKE_INSTALL_BINDIR}/$<TARGET_FILE_NAME:widerow>\")
set(libraries \"${CMAKE_INSTALL_LIBDIR}\")")
install(SCRIPT ${CMAKE_CURRENT_LIST_DIR}/StripInstalled.cmake)
