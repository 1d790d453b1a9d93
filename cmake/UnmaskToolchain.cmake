# Compiler, linker and cache settings shared by every target, without directory-wide flags:
# `unmask_flags` carries the language level and sanitizers, `unmask_warnings` the warnings (PRIVATE).

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

find_program(UNMASK_CCACHE ccache)
if(PROJECT_IS_TOP_LEVEL AND UNMASK_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # base_dir makes paths relative, so that clones and worktrees share their results.
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
    CCACHE_SLOPPINESS=time_macros ${UNMASK_CCACHE})
endif()

# An installed library hands on the language level, which its headers need; the rest is for building it.
add_library(unmask_flags INTERFACE)
add_library(unmask::flags ALIAS unmask_flags)
set_target_properties(unmask_flags PROPERTIES EXPORT_NAME flags)
target_compile_features(unmask_flags INTERFACE cxx_std_20)
# GCC 12 fuses multiplications and additions where the target has FMA; figures must not depend on that.
target_compile_options(unmask_flags INTERFACE $<BUILD_INTERFACE:-ffp-contract=off>)
target_compile_definitions(unmask_flags INTERFACE $<BUILD_INTERFACE:$<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>>)

find_program(UNMASK_MOLD mold)
if(UNMASK_MOLD AND NOT UNMASK_FUZZ)
  target_link_options(unmask_flags INTERFACE $<BUILD_INTERFACE:-fuse-ld=mold>)
endif()
if(UNMASK_SANITIZE)
  target_compile_options(unmask_flags INTERFACE -fsanitize=${UNMASK_SANITIZE} -fno-sanitize-recover=all
    -fno-omit-frame-pointer -g1)
  target_link_options(unmask_flags INTERFACE -fsanitize=${UNMASK_SANITIZE})
endif()
if(UNMASK_FUZZ)
  target_compile_options(unmask_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(UNMASK_COVERAGE)
  target_compile_options(unmask_flags INTERFACE --coverage)
  target_link_options(unmask_flags INTERFACE --coverage)
endif()

add_library(unmask_warnings INTERFACE)
target_compile_options(unmask_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wdouble-promotion -Wold-style-cast
  -Wcast-qual -Wnon-virtual-dtor -Woverloaded-virtual -Wformat=2 -Wundef -Wextra-semi
  -Wno-missing-field-initializers # designated initialisers: every member has a default
  # libstdc++ 12's std::stable_sort uses a function that it calls deprecated; clang says so at each use.
  $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>
  $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond -Wduplicated-branches -Wlogical-op>
  # False alarms of GCC 12 under optimisation: joining strings (GCC bug 105651), std::optional.
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict -Wno-maybe-uninitialized>
  $<$<BOOL:${UNMASK_WERROR}>:-Werror>)
