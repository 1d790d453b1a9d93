# What `cmake --install` puts where: libraries, headers and the package description for
# find_package(unmask) (component Development), licence and schemas (component Runtime). The command,
# its man page and completions are installed by src/unmask/cli.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_property(modules GLOBAL PROPERTY UNMASK_MODULES)
install(TARGETS ${modules} unmask_flags unmask_all EXPORT unmaskTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT Development
  FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT Development)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/unmask)
install(EXPORT unmaskTargets NAMESPACE unmask:: DESTINATION ${package_folder} COMPONENT Development)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/unmaskConfig.cmake.in
  ${PROJECT_BINARY_DIR}/unmaskConfig.cmake INSTALL_DESTINATION ${package_folder})
# Before 1.0 a new minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/unmaskConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/unmaskConfig.cmake ${PROJECT_BINARY_DIR}/unmaskConfigVersion.cmake
  DESTINATION ${package_folder} COMPONENT Development)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/schemas DESTINATION ${CMAKE_INSTALL_DATADIR}/unmask COMPONENT Runtime
  FILES_MATCHING PATTERN "*.json")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT Runtime)
