# unmask_page(<target>)
#
# Compiles the report page of web/ into <target>, or an empty text where this build has none.
# UNMASK_PAGE says which: AUTO, ON, OFF, or the path of a page.html built elsewhere
# (docs/report-page.md). Sets UNMASK_PAGE_FILE, empty without a page, and UNMASK_NODE and
# UNMASK_WEB_FOLDER where the page is built here, for the tests.

# Installs what web/package-lock.json names into web/node_modules, unless it is there already. Several
# build folders share it. Sets <result> to why it can't be had, empty if it is there.
function(unmask_install_page_packages result)
  set(folder ${PROJECT_SOURCE_DIR}/web)
  set(${result} "" PARENT_SCOPE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/package-lock.json)
  find_program(UNMASK_NODE NAMES node nodejs)
  find_program(UNMASK_NPM NAMES npm)
  if(NOT UNMASK_NODE OR NOT UNMASK_NPM)
    set(${result} "there is no node or no npm" PARENT_SCOPE)
    return()
  endif()
  execute_process(COMMAND ${UNMASK_NODE} --version OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  string(REGEX REPLACE "^v" "" version "${version}")
  if(NOT version VERSION_GREATER_EQUAL 18)
    set(${result} "node is ${version}, and 18 is needed" PARENT_SCOPE)
    return()
  endif()
  file(LOCK ${folder} DIRECTORY GUARD FUNCTION)
  file(SHA256 ${folder}/package-lock.json wanted)
  set(stamp ${folder}/node_modules/.unmask-installed)
  if(EXISTS ${stamp})
    file(READ ${stamp} installed)
  endif()
  if("${installed}" STREQUAL "${wanted}")
    return()
  endif()
  message(STATUS "Report page: npm ci")
  execute_process(COMMAND ${UNMASK_NPM} ci --no-audit --no-fund --ignore-scripts WORKING_DIRECTORY ${folder}
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output TIMEOUT 600)
  if(status EQUAL 0)
    file(WRITE ${stamp} ${wanted})
  else()
    message(STATUS "${output}")
    set(${result} "npm ci failed (above)" PARENT_SCOPE)
  endif()
endfunction()

function(unmask_page target)
  set(page "")
  set(missing "")
  if(UNMASK_PAGE STREQUAL "AUTO" OR UNMASK_PAGE STREQUAL "ON")
    unmask_install_page_packages(missing)
    if(missing STREQUAL "")
      set(web ${PROJECT_SOURCE_DIR}/web)
      set(page ${PROJECT_BINARY_DIR}/page/page.html)
      file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${web}/src/*.ts ${web}/src/*.tsx ${web}/src/*.css)
      list(FILTER sources EXCLUDE REGEX "_test\\.tsx?$")
      add_custom_command(OUTPUT ${page}
        COMMAND ${UNMASK_NODE} node_modules/vite/bin/vite.js build --logLevel warn --outDir ${PROJECT_BINARY_DIR}/page
        DEPENDS ${sources} ${PROJECT_SOURCE_DIR}/src/unmask/report/figures.json ${web}/page.html ${web}/vite.config.ts ${web}/single_file.ts ${web}/package-lock.json
        WORKING_DIRECTORY ${web} COMMENT "Report page" VERBATIM)
    elseif(UNMASK_PAGE STREQUAL "ON")
      message(FATAL_ERROR "UNMASK_PAGE=ON: the report page can't be built: ${missing}")
    else()
      message(STATUS "No report page: ${missing}; all but `unmask report` works (docs/report-page.md)")
    endif()
  elseif(UNMASK_PAGE AND NOT UNMASK_PAGE STREQUAL "OFF")
    get_filename_component(page ${UNMASK_PAGE} ABSOLUTE BASE_DIR ${PROJECT_BINARY_DIR})
    if(NOT EXISTS ${page})
      message(FATAL_ERROR "UNMASK_PAGE=${UNMASK_PAGE}: no such file; give AUTO, ON, OFF or a built page.html")
    endif()
  endif()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/page_template.cc)
  add_custom_command(OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} "-DPAGE=${page}" -DSOURCE=${source} -P ${PROJECT_SOURCE_DIR}/cmake/EmbedPage.cmake
    DEPENDS ${page} ${PROJECT_SOURCE_DIR}/cmake/EmbedPage.cmake COMMENT "Embedding the report page" VERBATIM)
  target_sources(${target} PRIVATE ${source})
  set(UNMASK_PAGE_FILE "${page}" CACHE INTERNAL "The report page of this build")
endfunction()
