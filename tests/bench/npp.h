// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <string>

// The functions of NVIDIA Performance Primitives that a benchmark calls. Declared here from NPP's public reference
// (docs.nvidia.com/cuda/npp: "Types and Constants", "Color and Sampling Conversion", "Data Exchange and
// Initialization", "Arithmetic and Logical Operations", "Filtering Functions", "Threshold and Compare Operations"),
// because its headers are only in a toolkit's development packages. Loaded at run time, so that the benchmark also
// builds and starts on a machine without NPP. The functions with a stream context are the ones that NPP 11, 12 and 13
// have in common; 13 has no others. Every picture is in device memory; steps are bytes per row.
namespace jetscope::npp {

using Byte = std::uint8_t;

/// NppiSize
struct Size {
    int width;
    int height;
};

/// NppiPoint
struct Point {
    int x;
    int y;
};

/// NppStreamContext
struct StreamContext {
    cudaStream_t stream = nullptr;
    int device = 0;
    int multiprocessors = 0;
    int threadsPerMultiprocessor = 0;
    int threadsPerBlock = 0;
    std::size_t sharedBytesPerBlock = 0;
    int capabilityMajor = 0;
    int capabilityMinor = 0;
    unsigned streamFlags = 0;
    int reserved = 0;
};

enum MaskSize { Mask3x3 = 200, Mask5x5 = 201, Mask15x15 = 800 }; ///< NppiMaskSize
enum Border { Replicate = 2 };                                   ///< NppiBorderType
enum Norm { L1 = 1 };                                            ///< NppiNorm
enum Comparison { GreaterOrEqual = 3 };                          ///< NppCmpOp

/// Every call returns an NppStatus: negative for an error, positive for a warning.
using OnPicture = int (*)(const Byte *from, int fromStep, Byte *to, int toStep, Size region, StreamContext);
using SwapChannels = int (*)(const Byte *from, int fromStep, Byte *to, int toStep, Size region, const int order[4],
                             Byte fourth, StreamContext);
using ConvertPlanes = int (*)(const Byte *const planes[2], int fromStep, Byte *to, int toStep, Size region,
                              StreamContext);
using ConvertWithAlpha = int (*)(const Byte *from, int fromStep, Byte *to, int toStep, Size region, Byte alpha,
                                 StreamContext);
using Narrow = int (*)(const std::int16_t *from, int fromStep, Byte *to, int toStep, Size region, StreamContext);
using XorConstants = int (*)(const Byte *from, int fromStep, const Byte constants[4], Byte *to, int toStep, Size region,
                             StreamContext);
using CompareConstant = int (*)(const Byte *from, int fromStep, Byte constant, Byte *to, int toStep, Size region,
                                Comparison, StreamContext);
using FilterInside = int (*)(const Byte *from, int fromStep, Byte *to, int toStep, Size region, MaskSize,
                             StreamContext);
using FilterMask = int (*)(const Byte *from, int fromStep, Size size, Point offset, Byte *to, int toStep, Size region,
                           MaskSize, Border, StreamContext);
using FilterFixed = int (*)(const Byte *from, int fromStep, Size size, Point offset, Byte *to, int toStep, Size region,
                            Border, StreamContext);
/// The taps are in device memory.
using FilterTaps = int (*)(const Byte *from, int fromStep, Size size, Point offset, Byte *to, int toStep, Size region,
                           int count, const float *taps, Border, StreamContext);
/// The kernel is in device memory.
using FilterKernel = int (*)(const Byte *from, int fromStep, Size size, Point offset, Byte *to, int toStep, Size region,
                             const std::int32_t *kernel, Size kernelSize, Point anchor, std::int32_t divisor, Border,
                             StreamContext);
/// Unused outputs are null.
using Gradient = int (*)(const Byte *from, int fromStep, Size size, Point offset, std::int16_t *x, int xStep,
                         std::int16_t *y, int yStep, std::int16_t *magnitude, int magnitudeStep, float *angle,
                         int angleStep, Size region, MaskSize, Norm, Border, StreamContext);

struct Functions {
    std::string version; ///< "12.2.5"
    OnPicture copyRgba = nullptr;
    SwapChannels swapChannels = nullptr;
    OnPicture spreadGrey = nullptr;
    Narrow narrow = nullptr;
    ConvertPlanes nv12ToRgb = nullptr;
    OnPicture yuyvToRgb = nullptr;
    ConvertWithAlpha yuyvToBgra = nullptr;
    OnPicture rgbaToGrey = nullptr;
    OnPicture rgbToGrey = nullptr;
    OnPicture invert = nullptr;
    XorConstants xorConstants = nullptr;
    CompareConstant compareConstant = nullptr;
    FilterInside gaussInside = nullptr;
    FilterMask gauss = nullptr;
    FilterTaps gaussTapsRgba = nullptr;
    FilterTaps gaussTapsRgb = nullptr;
    FilterFixed sharpen = nullptr;
    FilterKernel filterKernel = nullptr;
    Gradient sobelGradient = nullptr;
};

/// The functions of the newest NPP that the dynamic linker finds. It stays loaded.
Result<Functions> load();

/// A context for work on a stream of the calling thread's current device.
Result<StreamContext> contextOf(cudaStream_t stream);

} // namespace jetscope::npp
