# An installed copy is found with find_package(bristle).
include(CMakePackageConfigHelpers)
install(TARGETS bristle EXPORT bristle-targets)
install(DIRECTORY include/bristle DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} PATTERN "io" EXCLUDE)
install(EXPORT bristle-targets NAMESPACE bristle:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/bristle)
configure_package_config_file(cmake/bristle-config.cmake.in ${CMAKE_BINARY_DIR}/bristle-config.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/bristle)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/bristle-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/bristle-config.cmake ${CMAKE_BINARY_DIR}/bristle-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/bristle)
