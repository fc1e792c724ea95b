# Installs into a scratch prefix, then builds and runs the examples there with find_package(bristle).
file(REMOVE_RECURSE ${SCRATCH})
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${ARGV} failed:\n${text}")
  endif()
endfunction()
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${SCRATCH}/prefix)
run(${CMAKE_COMMAND} -S ${SOURCE}/examples -B ${SCRATCH}/build -G Ninja -DCMAKE_BUILD_TYPE=Release
    -DCMAKE_PREFIX_PATH=${SCRATCH}/prefix -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER})
run(${CMAKE_COMMAND} --build ${SCRATCH}/build)
run(${CMAKE_CTEST_COMMAND} --test-dir ${SCRATCH}/build --output-on-failure)
# The installed command finds the installed experiments.
run(${SCRATCH}/prefix/bin/bristle reproduce t_1_4_coulomb --strict)
