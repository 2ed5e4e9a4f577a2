# The package as a user of the library gets it: installed, found, compiled against, run.
# Called as: cmake -DBUILD=<build folder> -DEXAMPLES=<folder> -DSCRATCH=<folder> -DGENERATOR=<name> -P installed_package.cmake
set(prefix ${SCRATCH}/prefix)
set(build ${SCRATCH}/examples)
file(REMOVE_RECURSE ${SCRATCH})

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
# each lesson includes talus/talus.hpp first: it compiles alone, and without warnings
run(${CMAKE_COMMAND} -S ${EXAMPLES} -B ${build} -G ${GENERATOR} -DCMAKE_PREFIX_PATH=${prefix}
    "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON)
run(${CMAKE_COMMAND} --build ${build} --parallel 2)

file(READ ${build}/compile_commands.json commands)
if(NOT commands MATCHES "-ffp-contract=off")
  message(FATAL_ERROR "Talus::talus does not pass on -ffp-contract=off: headers would give other bits than the library")
endif()
execute_process(COMMAND ldd ${build}/pile OUTPUT_VARIABLE needed COMMAND_ERROR_IS_FATAL ANY)
if(NOT needed MATCHES "libtalus\\.so\\.[0-9]+\\.[0-9]+ => ${prefix}/")
  message(FATAL_ERROR "pile does not find the installed library by its SONAME:\n${needed}")
endif()

run(${CMAKE_CTEST_COMMAND} --test-dir ${build} --verbose)
