# SPDX-FileCopyrightText: 2026 The Jetscope authors
# SPDX-License-Identifier: Apache-2.0

# Cross build for arm64 (Jetson and other boards) with Debian's cross compiler and the sysroot that packaging/test-arm64
# makes in build/arm64-root; -DJETSCOPE_SYSROOT=… takes another, -DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++-11 the
# compiler of JetPack 6.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
get_filename_component(jetscope_default_sysroot ${CMAKE_CURRENT_LIST_DIR}/../../build/arm64-root ABSOLUTE)
set(JETSCOPE_SYSROOT ${jetscope_default_sysroot} CACHE PATH "Root folder of an arm64 system with the packages to build with")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES JETSCOPE_SYSROOT)

set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc CACHE STRING "")
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++ CACHE STRING "")
set(CMAKE_CXX_FLAGS_INIT -Wno-psabi) # GCC notes a change of the ABI before GCC 10, which nothing here was built with.
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_SYSROOT ${JETSCOPE_SYSROOT})
set(CMAKE_FIND_ROOT_PATH ${JETSCOPE_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} ${JETSCOPE_SYSROOT}/usr/lib/aarch64-linux-gnu/pkgconfig:${JETSCOPE_SYSROOT}/usr/share/pkgconfig)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${JETSCOPE_SYSROOT})

# moc and rcc are the host's; both Qt must have the same version.
set(QT_HOST_PATH /usr CACHE PATH "")
file(GLOB jetscope_qt_hosts /usr/lib/*/cmake/Qt6HostInfo)
list(GET jetscope_qt_hosts 0 jetscope_qt_host)
get_filename_component(jetscope_qt_host ${jetscope_qt_host} DIRECTORY)
set(QT_HOST_PATH_CMAKE_DIR ${jetscope_qt_host} CACHE PATH "")

set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static;-L;${JETSCOPE_SYSROOT})
