# SPDX-FileCopyrightText: 2026 The Jetscope authors
# SPDX-License-Identifier: Apache-2.0

# CUDA compiler and runtime, and the GPUs to build for: Jetson GPUs on aarch64; elsewhere PC cards, with PTX for newer
# ones. CMAKE_CUDA_ARCHITECTURES overrides this.
set(jetscope_architectures_given ${CMAKE_CUDA_ARCHITECTURES})
# Set before the language is enabled: CMake would enter its own choice into the cache, where the next configuration takes
# it for one that was given.
if(NOT jetscope_architectures_given)
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64")
        set(CMAKE_CUDA_ARCHITECTURES 87)
    else()
        set(CMAKE_CUDA_ARCHITECTURES 75-real 80-real 90) # Code for 8.0 runs on 8.6 and 8.9, too.
    endif()
endif()
enable_language(CUDA)
if(NOT jetscope_architectures_given AND CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64" AND
        CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
    set(CMAKE_CUDA_ARCHITECTURES 87-real 110)
endif()
find_package(CUDAToolkit 12.0 REQUIRED)
find_path(JETSCOPE_NVTX_INCLUDE nvtx3/nvToolsExt.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
add_feature_info(nvtx JETSCOPE_NVTX_INCLUDE "spans as NVTX ranges, for Nsight")

# Kernels need no newer standard, and CMake before 3.26 cannot request C++20 from nvcc.
set(CMAKE_CUDA_STANDARD 17)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
