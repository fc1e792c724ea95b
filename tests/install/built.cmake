# Read by CMake right after project(bristle): the library BRISTLE_BUILT is put in place of the one that the build files
# describe; all the rest of them is used as it stands.
file(WRITE ${PROJECT_BINARY_DIR}/nothing.cpp "")
function(add_library name)
  if(name STREQUAL "bristle")
    _add_library(bristle STATIC ${PROJECT_BINARY_DIR}/nothing.cpp)
    add_custom_command(TARGET bristle POST_BUILD
      COMMAND ${CMAKE_COMMAND} -E copy ${BRISTLE_BUILT} $<TARGET_FILE:bristle>)
  else()
    _add_library(${name} ${ARGN})
  endif()
endfunction()
