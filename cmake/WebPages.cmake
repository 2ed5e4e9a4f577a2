# The pages of viewer/, bundled by esbuild and embedded in the command. Needs Node and viewer/node_modules, which
# scripts/setup installs; without them the build works and the pages are refused by name.
set(TALUS_WEB_READY FALSE)
if(TALUS_WEB)
  find_program(NODE_EXECUTABLE NAMES node nodejs)
  if(NODE_EXECUTABLE AND EXISTS ${PROJECT_SOURCE_DIR}/viewer/node_modules/esbuild)
    set(TALUS_WEB_READY TRUE)
  else()
    message(STATUS "Node or viewer/node_modules not found (scripts/setup installs them): "
                   "talus report and the page of talus view are refused by name")
  endif()
endif()
# talus_embed_page(<page> <function> <variable>): viewer/src/<page>.ts as a C++ source with a function that returns it
function(talus_embed_page page function variable)
  set(source ${PROJECT_BINARY_DIR}/web/${page}_page.cpp)
  set(bundle "")
  set(arguments "")
  if(TALUS_WEB_READY)
    file(GLOB_RECURSE inputs CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/viewer/src/*)
    set(bundle ${PROJECT_BINARY_DIR}/web/${page}.js ${PROJECT_BINARY_DIR}/web/${page}.css)
    add_custom_command(OUTPUT ${bundle}
      COMMAND ${NODE_EXECUTABLE} ${PROJECT_SOURCE_DIR}/viewer/build.mjs ${page} ${PROJECT_BINARY_DIR}/web
      DEPENDS ${inputs} ${PROJECT_SOURCE_DIR}/viewer/build.mjs ${PROJECT_SOURCE_DIR}/viewer/package-lock.json
      COMMENT "Bundling the ${page} page" VERBATIM)
    set(arguments -DSCRIPT=${PROJECT_BINARY_DIR}/web/${page}.js -DSTYLE=${PROJECT_BINARY_DIR}/web/${page}.css)
  endif()
  add_custom_command(OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} -DNAME=${function} ${arguments} -DOUTPUT=${source}
            -P ${PROJECT_SOURCE_DIR}/cmake/EmbedPage.cmake
    DEPENDS ${bundle} ${PROJECT_SOURCE_DIR}/cmake/EmbedPage.cmake VERBATIM)
  set(${variable} ${source} PARENT_SCOPE)
endfunction()
