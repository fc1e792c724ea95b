# Builds and runs the small project of tests/install/use against an installed copy (BY=find_package) or against the
# sources (BY=add_subdirectory, BY=FetchContent).
file(REMOVE_RECURSE ${SCRATCH})
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${ARGV} failed:\n${text}")
  endif()
  set(text "${text}" PARENT_SCOPE)
endfunction()
set(settings -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER})

if(BY STREQUAL "find_package")
  run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${SCRATCH}/prefix)
  list(APPEND settings -DCMAKE_PREFIX_PATH=${SCRATCH}/prefix)
else()
  # The library that is already built takes the place of one that would take minutes to compile.
  list(APPEND settings -DCMAKE_PROJECT_bristle_INCLUDE=${CMAKE_CURRENT_LIST_DIR}/built.cmake
              -DBRISTLE_BUILT=${BUILD}/libbristle.a -DBRISTLE_BY=${BY} -DBRISTLE_SUNDIALS=${SUNDIALS})
  if(BY STREQUAL "FetchContent")
    set(archive ${SCRATCH}/bristle.tar.gz)
    file(MAKE_DIRECTORY ${SCRATCH})
    execute_process(COMMAND ${CMAKE_COMMAND} -E tar cz ${archive} CMakeLists.txt LICENSE cmake include src
                    WORKING_DIRECTORY ${SOURCE} COMMAND_ERROR_IS_FATAL ANY)
    list(APPEND settings -DBRISTLE_SOURCE=${archive})
  else()
    list(APPEND settings -DBRISTLE_SOURCE=${SOURCE})
  endif()
endif()
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/use -B ${SCRATCH}/use ${settings})
run(${CMAKE_COMMAND} --build ${SCRATCH}/use)
run(${SCRATCH}/use/use)
string(STRIP "${text}" text)
if(NOT text STREQUAL "bristle ${VERSION}")
  message(FATAL_ERROR "the program says '${text}', the version is ${VERSION}")
endif()

if(BY STREQUAL "find_package")
  # The folder of examples builds alone; the installed command finds the installed experiments.
  run(${CMAKE_COMMAND} -S ${SOURCE}/examples -B ${SCRATCH}/examples ${settings})
  run(${CMAKE_COMMAND} --build ${SCRATCH}/examples --target example_03_your_own_law)
  run(${CMAKE_CTEST_COMMAND} --test-dir ${SCRATCH}/examples -R 03_your_own_law --output-on-failure)
  run(${SCRATCH}/prefix/bin/bristle reproduce t_1_4_coulomb --strict)
endif()
