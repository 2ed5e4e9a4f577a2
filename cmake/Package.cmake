# cpack -G DEB: the command, the library with headers and find_package(Talus), man page, scenes, lessons. What it depends
# on is read from what it links (dpkg-shlibdeps).
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME talus)
set(CPACK_PACKAGE_VENDOR "The Talus maintainers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DESCRIPTION "The command talus and the C++ library libtalus simulate grains as rigid bodies in 2D and 3D:
sandpiles, packings, masonry, railway ballast under tamping machines.
Scenes are TOML files or written in C++; runs give the same bits for any
number of threads.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "The Talus maintainers <maintainers@talus.invalid>")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY =)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "g++, cmake (>= 3.25), libeigen3-dev (>= 3.4)") # of programs that use the library
include(CPack)
