# Debian packages, one per part of cmake/install.cmake; `make package` makes them in build/packages.
# What each needs of the system is read from its binaries by dpkg-shlibdeps.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME bristle)
set(CPACK_PACKAGE_VENDOR "Bristle")
set(CPACK_PACKAGE_CONTACT "The Bristle authors <bristle@localhost>")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)

# The licence goes where Debian looks for it, the list of changes beside it.
function(package component name section text)
  list(APPEND CPACK_COMPONENTS_ALL ${component})
  set(CPACK_COMPONENTS_ALL ${CPACK_COMPONENTS_ALL} PARENT_SCOPE)
  string(TOUPPER ${component} part)
  set(CPACK_DEBIAN_${part}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${part}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  set(CPACK_COMPONENT_${part}_DESCRIPTION "${text}" PARENT_SCOPE)
  set(documents ${CMAKE_INSTALL_DATADIR}/doc/${name})
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${documents} RENAME copyright COMPONENT ${component}
          EXCLUDE_FROM_ALL)
  install(FILES ${PROJECT_SOURCE_DIR}/CHANGELOG.md DESTINATION ${documents} COMPONENT ${component} EXCLUDE_FROM_ALL)
endfunction()

package(development libbristle-dev libdevel
  "Headers, static library, CMake package and examples for programs in C++20.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS "libxsimd-dev, xtl-dev")
if(BRISTLE_SUNDIALS)
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS libsundials-dev)
endif()
set(examples ${CMAKE_INSTALL_DATADIR}/doc/libbristle-dev/examples)
install(DIRECTORY examples/ DESTINATION ${examples} COMPONENT development EXCLUDE_FROM_ALL)

if(BRISTLE_BUILD_CLI OR BRISTLE_BUILD_TESTS)
  package(command bristle science
    "The command: simulates machines with friction, fits friction laws to measured data, inverts hysteresis.")
  set(CPACK_DEBIAN_COMMAND_PACKAGE_RECOMMENDS "gnuplot-nox | gnuplot, fonts-dejavu-core")
endif()
if(TARGET bristle_mpi)
  package(mpi bristle-mpi science
    "The module by which bristle shares a sweep among the processes of mpirun.")
  set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "bristle (= ${PROJECT_VERSION})")
endif()
if(TARGET bristle_python)
  package(python_package python3-bristle python
    "The Python module: simulates machines with friction, fits friction laws to measured data, inverts hysteresis.")
  # A compiled module fits one minor version of Python only.
  string(REGEX REPLACE ".*cpython-3([0-9]+).*" "\\1" minor "${PYTHON_MODULE_EXTENSION}")
  math(EXPR next "${minor}+1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_PACKAGE_DEPENDS
      "python3 (>= 3.${minor}), python3 (<< 3.${next}), python3-numpy")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_PACKAGE_RECOMMENDS "gnuplot-nox | gnuplot, fonts-dejavu-core")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/packaging/python/postinst
                                                        ${PROJECT_SOURCE_DIR}/packaging/python/prerm)
endif()
include(CPack)
