# SPDX-FileCopyrightText: 2026 The Jetscope authors
# SPDX-License-Identifier: Apache-2.0

# The deb packages jetscope-headless and jetscope; `packaging/release` makes and checks them.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME jetscope)
set(CPACK_PACKAGE_VENDOR "The Jetscope authors")
# Debian demands an address. This one reaches no one, because the domain .invalid is reserved for such addresses (RFC
# 2606); those who publish packages give their own: -DCPACK_PACKAGE_CONTACT="Name <address>".
set(CPACK_PACKAGE_CONTACT "The Jetscope authors <noreply@jetscope.invalid>" CACHE STRING "Maintainer of the packages")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_COMPONENTS_ALL headless)
if(JETSCOPE_UI)
    list(APPEND CPACK_COMPONENTS_ALL window)
endif()
# Files get the time of SOURCE_DATE_EPOCH, so that the same sources make the same packages.
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/ReleaseTimes.cmake)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
# gzip, which is CPack's default, makes packages with kernels for five GPUs twice as large.
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
# Libraries of the board (driver, EGL vendor) are never linked, so dpkg finds a package for every dependency.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
if(CMAKE_CROSSCOMPILING AND CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
    set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)
endif()

set(CPACK_DEBIAN_HEADLESS_PACKAGE_NAME jetscope-headless)
set(CPACK_COMPONENT_HEADLESS_DESCRIPTION "inspects CPU+GPU camera pipelines, without a window
Jetscope runs a live camera pipeline on an NVIDIA Jetson, from the camera
through CUDA to OpenGL ES, and says what CPU and GPU did for each frame, how
far they overlapped, and which choices make it faster. On a computer without
an NVIDIA GPU a software GPU runs the same pipeline.

This package has the command line, for boards without a display.")
# GStreamer loads its elements at run time: without them only network and CSI cameras are unavailable. Mesa's EGL is for
# machines without a vendor's.
set(CPACK_DEBIAN_HEADLESS_PACKAGE_RECOMMENDS
    "gstreamer1.0-plugins-base, gstreamer1.0-plugins-good, glib-networking, libegl-mesa0 | libegl-vendor")

set(CPACK_DEBIAN_WINDOW_PACKAGE_NAME jetscope)
set(CPACK_DEBIAN_WINDOW_PACKAGE_DEPENDS "jetscope-headless (= ${PROJECT_VERSION})")
# Boards are reached by ssh, and most are arm64.
set(CPACK_DEBIAN_WINDOW_PACKAGE_RECOMMENDS "fonts-inter, openssh-client, jetscope-board-arm64")
set(CPACK_DEBIAN_HEADLESS_PACKAGE_SUGGESTS "gstreamer1.0-libav, openssh-client, jetscope-board-arm64")
set(CPACK_COMPONENT_WINDOW_DESCRIPTION "inspects CPU+GPU camera pipelines
Jetscope runs a live camera pipeline on an NVIDIA Jetson, from the camera
through CUDA to OpenGL ES, and shows on a timeline what CPU and GPU did for
each frame and how far they overlapped. Memory kinds and synchronization are
switched while the pipeline runs. On a computer without an NVIDIA GPU a
software GPU runs the same pipeline.

This package has the window.")
include(CPack)
