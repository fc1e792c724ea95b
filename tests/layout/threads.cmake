# Reads every source and fails where one of them starts threads by hand: all work goes through in_parallel of
# src/ensemble/parallel.cpp, so that threads are counted, stopped and their exceptions brought back in one place.
# The Python module computes on a second thread, so that the interpreter hears Ctrl-C meanwhile.
cmake_minimum_required(VERSION 3.25)
set(allowed src/ensemble/parallel.cpp bindings/python/src/interrupt.hpp)
# What runs many pieces of work has to use it.
set(users src/identify/starts.cpp src/identify/machine_search.cpp src/identify/machine_fit.cpp
    src/analysis/bifurcation.cpp cli/reproduce.cpp src/io/sweep_run.cpp)
set(starts "std::jthread|std::async|std::thread[^:]|pthread_create|omp +parallel|std::execution|tbb::")
file(GLOB_RECURSE sources ${ROOT}/include/*.hpp ${ROOT}/src/*.hpp ${ROOT}/src/*.cpp ${ROOT}/cli/*.hpp ${ROOT}/cli/*.cpp
     ${ROOT}/bindings/*.hpp ${ROOT}/bindings/*.cpp ${ROOT}/campaign/*.cpp)
set(found 0)
foreach(source ${sources})
  file(RELATIVE_PATH path ${ROOT} ${source})
  file(STRINGS ${source} lines REGEX "${starts}")
  if(NOT lines)
    continue()
  endif()
  if(path IN_LIST allowed)
    math(EXPR found "${found}+1")
  else()
    message(SEND_ERROR "${path}: starts threads by hand, call in_parallel instead: ${lines}")
  endif()
endforeach()
if(NOT found EQUAL 2)
  message(SEND_ERROR "${found} of the two sources that start threads were read, the test looks in the wrong place")
endif()
foreach(path ${users})
  file(STRINGS ${ROOT}/${path} lines REGEX "in_parallel\\(")
  if(NOT lines)
    message(SEND_ERROR "${path}: does not call in_parallel any more")
  endif()
endforeach()
