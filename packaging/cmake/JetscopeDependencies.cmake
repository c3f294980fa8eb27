# SPDX-FileCopyrightText: 2026 The Jetscope authors
# SPDX-License-Identifier: Apache-2.0

# Finds what Jetscope is built with and says what is left out and why.
include(FeatureSummary)
include(CheckLanguage)

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
find_package(OpenGL REQUIRED COMPONENTS EGL)
find_library(JETSCOPE_GLES2_LIBRARY NAMES GLESv2 REQUIRED)
find_package(SQLite3 3.31 REQUIRED)
find_package(simdjson CONFIG REQUIRED) # Any from 1.0 on; each major version accepts requests for itself alone.

set(jetscope_qt_components Core)
if(BUILD_TESTING OR NOT DEFINED BUILD_TESTING)
    list(APPEND jetscope_qt_components Test)
endif()
if(JETSCOPE_UI)
    list(APPEND jetscope_qt_components Gui Widgets OpenGL OpenGLWidgets)
endif()
find_package(Qt6 6.2 REQUIRED COMPONENTS ${jetscope_qt_components})
add_feature_info(window JETSCOPE_UI "the Qt Widgets window (JETSCOPE_UI)")

# Pictures and videos need more of OpenCV than the CPU stage does, and an OpenCV of one's own may lack just that.
set(JETSCOPE_HAVE_FILES OFF)
if(JETSCOPE_OPENCV)
    find_package(OpenCV 4.5 REQUIRED COMPONENTS core imgproc OPTIONAL_COMPONENTS imgcodecs videoio)
    if(NOT JETSCOPE_FILES STREQUAL "OFF" AND TARGET opencv_imgcodecs AND TARGET opencv_videoio)
        set(JETSCOPE_HAVE_FILES ON)
    endif()
endif()
if(JETSCOPE_FILES STREQUAL "ON" AND NOT JETSCOPE_HAVE_FILES)
    message(FATAL_ERROR "JETSCOPE_FILES=ON, but OpenCV's imgcodecs and videoio were not found: install them, with JETSCOPE_OPENCV=ON.")
endif()
add_feature_info(opencv JETSCOPE_OPENCV "the CPU stage (JETSCOPE_OPENCV)")
add_feature_info(files JETSCOPE_HAVE_FILES "file sources (JETSCOPE_FILES)")

find_library(JETSCOPE_TURBOJPEG_LIBRARY NAMES turbojpeg)
find_path(JETSCOPE_TURBOJPEG_INCLUDE turbojpeg.h)
if(JETSCOPE_TURBOJPEG_LIBRARY AND JETSCOPE_TURBOJPEG_INCLUDE)
    set(JETSCOPE_HAVE_TURBOJPEG ON)
else()
    set(JETSCOPE_HAVE_TURBOJPEG OFF)
endif()
add_feature_info(turbojpeg JETSCOPE_HAVE_TURBOJPEG "cameras that deliver MJPEG (libturbojpeg0-dev)")

# Network streams, CSI cameras and pipelines of the user's.
set(JETSCOPE_HAVE_GSTREAMER OFF)
if(NOT JETSCOPE_GSTREAMER STREQUAL "OFF")
    find_package(PkgConfig QUIET)
    if(PkgConfig_FOUND)
        pkg_check_modules(GSTREAMER QUIET IMPORTED_TARGET gstreamer-1.0>=1.20 gstreamer-app-1.0 gstreamer-video-1.0)
    endif()
    if(GSTREAMER_FOUND)
        # A server for the tests of streams.
        pkg_check_modules(RTSPSERVER QUIET IMPORTED_TARGET gstreamer-rtsp-server-1.0)
        set(JETSCOPE_HAVE_GSTREAMER ON)
    elseif(JETSCOPE_GSTREAMER STREQUAL "ON")
        message(FATAL_ERROR "JETSCOPE_GSTREAMER=ON, but GStreamer was not found: install pkg-config and libgstreamer-plugins-base1.0-dev.")
    endif()
endif()
add_feature_info(gstreamer JETSCOPE_HAVE_GSTREAMER "rtsp:, http:, csi: and gst: sources (JETSCOPE_GSTREAMER)")

# AUTO takes CUDA if a compiler is found; without one a stub takes the device's place.
set(JETSCOPE_HAVE_CUDA OFF)
if(NOT JETSCOPE_CUDA STREQUAL "OFF")
    if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX} AND EXISTS /usr/local/cuda/bin/nvcc)
        set(CMAKE_CUDA_COMPILER /usr/local/cuda/bin/nvcc)
    endif()
    check_language(CUDA)
    if(CMAKE_CUDA_COMPILER)
        set(JETSCOPE_HAVE_CUDA ON)
        include(JetscopeCuda)
    elseif(JETSCOPE_CUDA STREQUAL "ON")
        message(FATAL_ERROR "JETSCOPE_CUDA=ON, but no CUDA compiler was found: put nvcc on PATH, or set CUDACXX to it.")
    endif()
endif()
add_feature_info(cuda JETSCOPE_HAVE_CUDA "the CUDA device (JETSCOPE_CUDA)")
