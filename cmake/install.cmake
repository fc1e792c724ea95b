# Parts that can be installed alone: the command, what a C++ project needs, the module for MPI, the Python module.
#   cmake --install build [--component command | development | mpi | python]
include(CMakePackageConfigHelpers)
set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/bristle)
install(TARGETS bristle EXPORT bristle-targets ARCHIVE COMPONENT development LIBRARY COMPONENT development)
install(DIRECTORY include/bristle DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development PATTERN "io" EXCLUDE)
install(EXPORT bristle-targets NAMESPACE bristle:: DESTINATION ${config_folder} COMPONENT development)
configure_package_config_file(cmake/bristle-config.cmake.in ${PROJECT_BINARY_DIR}/bristle-config.cmake
                              INSTALL_DESTINATION ${config_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/bristle-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/bristle-config.cmake ${PROJECT_BINARY_DIR}/bristle-config-version.cmake
        DESTINATION ${config_folder} COMPONENT development)

if(TARGET bristle_cli)
  # Man pages and the completion of the shell are what the program says of itself.
  set(manual ${PROJECT_BINARY_DIR}/manual)
  add_custom_command(OUTPUT ${manual}/bristle.1 ${manual}/completion
    COMMAND ${PROJECT_SOURCE_DIR}/packaging/man-pages $<TARGET_FILE:bristle_cli> ${manual}
    COMMAND bristle_cli completion bash > ${manual}/completion
    DEPENDS bristle_cli ${PROJECT_SOURCE_DIR}/packaging/man-pages VERBATIM)
  add_custom_target(bristle_manual DEPENDS ${manual}/bristle.1 ${manual}/completion)
  install(DIRECTORY ${manual}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT command
          OPTIONAL FILES_MATCHING PATTERN "*.1")
  install(FILES ${manual}/completion DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
          RENAME bristle COMPONENT command OPTIONAL)
endif()
if(PROJECT_IS_TOP_LEVEL)
  include(cmake/packages.cmake)
endif()
