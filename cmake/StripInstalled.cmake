# `cmake --install` runs this after it has copied the files. It takes the debug information out of the installed program
# and libraries, and keeps that of the program in widerow.debug beside it. gdb finds it there by the section
# .gnu_debuglink. Names of functions stay in the program and the libraries, for profiles and stack traces.
#
# Set by cmake/Install.cmake: objcopy, built_program, and the places program and libraries, mostly below the prefix.
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
