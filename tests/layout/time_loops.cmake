# Reads every source and fails where one of them steps a motion in time by a loop of its own: a method is a stepper of
# drive() in include/bristle/solve/drive.hpp, which owns the end, the step limit and requests to stop.
# Four loops beside it step many motions at once, or carry derivatives along measured samples.
cmake_minimum_required(VERSION 3.25)
set(drive include/bristle/solve/drive.hpp)
set(beside src/ensemble/lane_loop.hpp src/ensemble/loop_kernel.hpp src/identify/rollout_walk.hpp
    src/solve/machine/rollout.cpp)
# What leads a law along a motion that was measured, and the points of one patch.
set(along src/identify/block_walk.hpp src/identify/direct_walk.hpp src/identify/shaped_walk.hpp src/system/contact_patch.cpp)
# Samples within one step, which may be many, and stop requests in other long loops.
set(within include/bristle/solve/sample_times.hpp include/bristle/solve/stop_look.hpp
    src/solve/machine/recording.hpp)

# A loop up to an end; a loop that asks whether it is to stop.
set(up_to "(while|for) *\\(.*(^|[^a-z_])(t|t_|now|time|time_|time\\(\\)) *< *[^;]*(end|stop|until)")
set(asks "\\.due\\(\\)|QuickLook [a-z_]+;|if \\(look % [0-9]+ == [0-9]+ && stop\\(\\)\\)")
file(GLOB_RECURSE sources ${ROOT}/include/*.hpp ${ROOT}/src/*.hpp ${ROOT}/src/*.cpp ${ROOT}/cli/*.cpp)
set(found "")
foreach(source ${sources})
  file(RELATIVE_PATH path ${ROOT} ${source})
  file(STRINGS ${source} ends REGEX "${up_to}")
  file(STRINGS ${source} asked REGEX "${asks}")
  if(NOT ends AND NOT asked)
    continue()
  endif()
  list(APPEND found ${path})
  if(NOT path IN_LIST drive AND NOT path IN_LIST beside AND NOT path IN_LIST along AND NOT path IN_LIST within)
    message(SEND_ERROR "${path}: steps in time by a loop of its own, make it a stepper of drive(): ${ends}${asked}")
  endif()
endforeach()
foreach(path ${drive} ${beside} ${along} ${within})
  if(NOT path IN_LIST found)
    message(SEND_ERROR "${path}: has no loop any more, take it off the list")
  endif()
endforeach()
# Whatever is a stepper is driven.
file(GLOB_RECURSE users ${ROOT}/include/bristle/*.hpp ${ROOT}/src/*.hpp ${ROOT}/src/*.cpp)
set(driven 0)
foreach(source ${users})
  file(STRINGS ${source} lines REGEX "[^a-z_]drive\\(")
  if(lines)
    math(EXPR driven "${driven}+1")
  endif()
endforeach()
if(driven LESS 7)
  message(SEND_ERROR "only ${driven} sources name drive(), the test looks in the wrong place")
endif()
