# unmask_module(<name> SOURCES ... HEADERS ... [TESTS ...] [DEPS ...] [LIBS ...] [PUBLIC_LIBS ...] [THREADS])
#
# Makes the static library unmask::<name> from src/unmask/<name>, each header of which must compile
# alone, and, when TESTS are given, the executable <name>_test. DEPS are other modules; LIBS are
# third-party targets that only the sources see; PUBLIC_LIBS also appear in headers. The test links
# this module and nothing else of the project, so that a dependency nobody declared does not link.
# THREADS: the module starts threads, so its tests also run under ThreadSanitizer.
function(unmask_module name)
  cmake_parse_arguments(ARG "THREADS" "" "SOURCES;HEADERS;TESTS;DEPS;LIBS;PUBLIC_LIBS;TEST_LIBS" ${ARGN})
  set(target unmask_${name})
  add_library(${target} STATIC ${ARG_SOURCES})
  add_library(unmask::${name} ALIAS ${target})
  target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/src FILES ${ARG_HEADERS})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  list(TRANSFORM ARG_DEPS PREPEND unmask::)
  # Who links an installed static library needs the libraries under it, but no headers that only its sources saw.
  list(TRANSFORM ARG_LIBS REPLACE "^(Boost::headers|nlohmann_json::nlohmann_json)$" "$<BUILD_INTERFACE:\\1>")
  target_link_libraries(${target} PUBLIC ${ARG_DEPS} ${ARG_PUBLIC_LIBS} unmask_flags
    PRIVATE ${ARG_LIBS} $<BUILD_INTERFACE:unmask_warnings>)
  set_property(GLOBAL APPEND PROPERTY UNMASK_MODULES ${target})
  if(UNMASK_TESTS)
    set_target_properties(${target} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
    if(ARG_TESTS)
      add_executable(${name}_test ${ARG_TESTS})
      target_link_libraries(${name}_test PRIVATE ${target} ${ARG_TEST_LIBS} unmask_warnings GTest::gmock GTest::gtest_main)
      set(labels fast ${name})
      if(ARG_THREADS)
        list(APPEND labels threads)
        add_dependencies(thread_tests ${name}_test)
      endif()
      # One label: of a list, gtest_discover_tests keeps the first. `ctest -L` finds parts of it.
      string(JOIN "-" label ${labels})
      gtest_discover_tests(${name}_test PROPERTIES LABELS ${label} DISCOVERY_TIMEOUT 60)
    endif()
  endif()
endfunction()
