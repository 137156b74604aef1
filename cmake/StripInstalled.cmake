# `cmake --install` runs this script after it has copied the files. The script removes the debug information from the
# installed program and libraries. It stores that of the program in the file widerow.debug beside it, where gdb finds it by
# the section .gnu_debuglink. The names of functions stay in the program and the libraries, for profiles and stack traces.
#
# cmake/Install.cmake sets these variables: objcopy, built_program, and the paths `program` and `libraries`.
cmake_path(ABSOLUTE_PATH program BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}")
cmake_path(ABSOLUTE_PATH libraries BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}")
set(installed "$ENV{DESTDIR}${program}")

message(STATUS "Stripping: ${installed}")
execute_process(COMMAND "${objcopy}" --only-keep-debug --compress-debug-sections=zlib "${built_program}"
                        "${installed}.debug" COMMAND_ERROR_IS_FATAL ANY)
file(CHMOD "${installed}.debug" PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
execute_process(COMMAND "${objcopy}" --strip-debug "--add-gnu-debuglink=${installed}.debug" "${installed}"
                COMMAND_ERROR_IS_FATAL ANY)

file(GLOB archives "$ENV{DESTDIR}${libraries}/libwiderow_*.a")
foreach(archive ${archives})
  execute_process(COMMAND "${objcopy}" --strip-debug "${archive}" COMMAND_ERROR_IS_FATAL ANY)
endforeach()
