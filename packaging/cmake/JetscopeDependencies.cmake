# SPDX-FileCopyrightText: 2026 The Jetscope authors
# SPDX-License-Identifier: Apache-2.0

# Finds the dependencies, and reports disabled features with the reason.
include(FeatureSummary)
include(CheckLanguage)

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
find_package(OpenGL REQUIRED COMPONENTS EGL)
find_library(JETSCOPE_GLES2_LIBRARY NAMES GLESv2 REQUIRED)
find_package(SQLite3 3.31 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(simdjson CONFIG REQUIRED) # From 1.0 on; a version argument would only match one major version.
find_package(nlohmann_json 3.10 REQUIRED)

# The window and the tests have Qt, the program has none.
set(jetscope_qt_components)
if(BUILD_TESTING OR NOT DEFINED BUILD_TESTING)
    list(APPEND jetscope_qt_components Core Test)
endif()
if(JETSCOPE_UI)
    list(APPEND jetscope_qt_components Gui Widgets OpenGL OpenGLWidgets)
endif()
if(jetscope_qt_components)
    find_package(Qt6 6.2 REQUIRED COMPONENTS ${jetscope_qt_components})
endif()
add_feature_info(window JETSCOPE_UI "the Qt Widgets window (JETSCOPE_UI)")

find_package(PkgConfig QUIET)

# Pictures need one more OpenCV module than the CPU stage, which a custom OpenCV may lack, and videos need FFmpeg (4.4).
# Tests compare with OpenCV's reader of videos.
set(JETSCOPE_HAVE_FILES OFF)
if(JETSCOPE_OPENCV)
    find_package(OpenCV 4.5 REQUIRED COMPONENTS core imgproc OPTIONAL_COMPONENTS imgcodecs videoio)
    if(NOT JETSCOPE_FILES STREQUAL "OFF" AND TARGET opencv_imgcodecs AND PKG_CONFIG_FOUND)
        pkg_check_modules(FFMPEG QUIET IMPORTED_TARGET
            libavformat>=58.76 libavcodec>=58.134 libavutil>=56.70 libswscale>=5.9)
        set(JETSCOPE_HAVE_FILES ${FFMPEG_FOUND})
    endif()
endif()
if(JETSCOPE_FILES STREQUAL "ON" AND NOT JETSCOPE_HAVE_FILES)
    message(FATAL_ERROR "JETSCOPE_FILES=ON, but OpenCV's imgcodecs or FFmpeg was not found: install pkg-config, libopencv-dev, libavformat-dev and libswscale-dev, with JETSCOPE_OPENCV=ON.")
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
add_feature_info(turbojpeg JETSCOPE_HAVE_TURBOJPEG "cameras that deliver MJPEG, and reduced pictures of a board (libturbojpeg0-dev)")

find_library(JETSCOPE_ZSTD_LIBRARY NAMES zstd)
find_path(JETSCOPE_ZSTD_INCLUDE zstd.h)
if(JETSCOPE_ZSTD_LIBRARY AND JETSCOPE_ZSTD_INCLUDE)
    set(JETSCOPE_HAVE_ZSTD ON)
else()
    set(JETSCOPE_HAVE_ZSTD OFF)
endif()
add_feature_info(zstd JETSCOPE_HAVE_ZSTD "Chrome traces that are packed with zstd (libzstd-dev)")

# Network streams, CSI cameras and user-defined pipelines.
set(JETSCOPE_HAVE_GSTREAMER OFF)
if(NOT JETSCOPE_GSTREAMER STREQUAL "OFF")
    if(PKG_CONFIG_FOUND)
        pkg_check_modules(GSTREAMER QUIET IMPORTED_TARGET gstreamer-1.0>=1.20 gstreamer-app-1.0 gstreamer-pbutils-1.0
            gstreamer-video-1.0 gio-2.0)
    endif()
    if(GSTREAMER_FOUND)
        # RTSP server for tests of streams.
        pkg_check_modules(RTSPSERVER QUIET IMPORTED_TARGET gstreamer-rtsp-server-1.0)
        set(JETSCOPE_HAVE_GSTREAMER ON)
    elseif(JETSCOPE_GSTREAMER STREQUAL "ON")
        message(FATAL_ERROR "JETSCOPE_GSTREAMER=ON, but GStreamer was not found: install pkg-config and libgstreamer-plugins-base1.0-dev.")
    endif()
endif()
add_feature_info(gstreamer JETSCOPE_HAVE_GSTREAMER "rtsp:, http:, csi: and gst: sources (JETSCOPE_GSTREAMER)")

# AUTO reads symbols of inspected programs if elfutils' libdw is found.
set(JETSCOPE_HAVE_SYMBOLS OFF)
if(NOT JETSCOPE_SYMBOLS STREQUAL "OFF")
    if(PKG_CONFIG_FOUND)
        pkg_check_modules(LIBDW QUIET IMPORTED_TARGET libdw>=0.180)
    endif()
    if(LIBDW_FOUND)
        set(JETSCOPE_HAVE_SYMBOLS ON)
    elseif(JETSCOPE_SYMBOLS STREQUAL "ON")
        message(FATAL_ERROR "JETSCOPE_SYMBOLS=ON, but libdw was not found: install pkg-config and libdw-dev.")
    endif()
endif()
add_feature_info(symbols JETSCOPE_HAVE_SYMBOLS "functions and lines of calls in inspected programs (JETSCOPE_SYMBOLS)")

# AUTO enables CUDA if a compiler is found; otherwise a stub replaces the device.
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
