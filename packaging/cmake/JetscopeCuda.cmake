# SPDX-FileCopyrightText: 2026 The Jetscope authors
# SPDX-License-Identifier: Apache-2.0

# CUDA compiler and runtime, and the GPUs to build for: Jetson GPUs on aarch64; elsewhere PC cards, with PTX for newer
# ones. CMAKE_CUDA_ARCHITECTURES overrides this.
set(jetscope_architectures_given ${CMAKE_CUDA_ARCHITECTURES})
enable_language(CUDA)
find_package(CUDAToolkit 12.0 REQUIRED)
find_path(JETSCOPE_NVTX_INCLUDE nvtx3/nvToolsExt.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
add_feature_info(nvtx JETSCOPE_NVTX_INCLUDE "spans as NVTX ranges, for Nsight")

if(NOT jetscope_architectures_given)
    if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64")
        set(CMAKE_CUDA_ARCHITECTURES 75-real 80-real 86-real 89-real 90)
    elseif(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 13)
        set(CMAKE_CUDA_ARCHITECTURES 87)
    else()
        set(CMAKE_CUDA_ARCHITECTURES 87-real 110)
    endif()
endif()
# Kernels need no newer standard, and CMake before 3.26 cannot request C++20 from nvcc.
set(CMAKE_CUDA_STANDARD 17)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
