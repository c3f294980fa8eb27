// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/base/symbols.h"

#include <cstddef>
#include <cstdint>

// The part of VPI's C interface that stages use, after the reference of VPI 2.4, 3.2, 4.0 and 4.1. Where the versions
// differ, a comment says so.
namespace jetscope::vpi {

using Stream = void *;
using Image = void *;
using Array = void *;
using Payload = void *;
using Context = void *;

inline constexpr int kSuccess = 0;
inline constexpr std::int32_t kMessageBytes = 256; ///< VPI_MAX_STATUS_MESSAGE_LENGTH

inline constexpr std::uint64_t kCpu = 1; ///< VPI_BACKEND_CPU and so on.
inline constexpr std::uint64_t kCuda = 2;
inline constexpr std::uint64_t kPva = 4;
inline constexpr std::uint64_t kVic = 8;

// VPIImageFormat is made of bit fields: data type (61), packing of the first plane (35), colour specification (20),
// colour model (16), memory layout (12) and swizzle (0).
inline constexpr std::uint64_t kU8 = 1ull << 61 | 4ull << 35 | 0x7ffffull << 16 | 1ull << 12 | 1;
inline constexpr std::uint64_t kS16 = 2ull << 61 | 32ull << 35 | 0x7ffffull << 16 | 1ull << 12 | 1;
inline constexpr std::uint64_t kY8Er = 1ull << 61 | 4ull << 35 | 0xa2ull << 20 | 1ull << 12 | 1;
inline constexpr std::uint64_t kRgba8 = 1ull << 61 | 120ull << 35 | 0x3c02ull << 20 | 1ull << 16 | 1ull << 12 | 0x8d1;

inline constexpr int kHostPitchLinear = 1; ///< VPIImageBufferType
inline constexpr int kCudaPitchLinear = 2;
inline constexpr int kEglImage = 4; ///< Only on a Jetson, as the next one.
inline constexpr int kNvBuffer = 5;
inline constexpr int kHostStructures = 1; ///< VPIArrayBufferType: VPI_ARRAY_BUFFER_HOST_AOS
inline constexpr int kLockRead = 1;       ///< VPILockMode
inline constexpr int kLinear = 2;         ///< VPIInterpolationType
inline constexpr int kClamp = 1;          ///< VPIBorderExtension
inline constexpr int kU32Elements = 5;    ///< VPIArrayType
inline constexpr int kKeypoints = 6;      ///< VPI_ARRAY_TYPE_KEYPOINT_F32

/// VPIImageData with pitch-linear planes, of which only the first is used. VPI 2 and 3 have the plane's address in the
/// first word. VPI 4 has an address and an offset in bytes, whose order its release notes do not say, so a locked
/// image is asked (VpiLibrary).
struct ImageData {
    int bufferType = 0;
    std::uint64_t format = 0;
    std::int32_t planeCount = 1;
    std::uint64_t pixelType = 0; ///< 0: that of the format.
    std::int32_t width = 0;
    std::int32_t height = 0;
    std::int32_t pitchBytes = 0;
    std::uint64_t words[2] = {};
    std::uint64_t otherPlanes[5 * 5] = {};
};
static_assert(offsetof(ImageData, format) == 8 && offsetof(ImageData, pixelType) == 24);
static_assert(offsetof(ImageData, words) == 48);

/// VPIArrayData
struct ArrayData {
    int bufferType = 0;
    std::uint64_t beforeType = 0; ///< VPIArrayType in its first four bytes.
    std::int32_t *size = nullptr;
    std::int32_t capacity = 0;
    std::int32_t strideBytes = 0;
    void *elements = nullptr;
    std::uint64_t reserved[4] = {};
};
static_assert(offsetof(ArrayData, beforeType) == 8 && offsetof(ArrayData, size) == 16);
static_assert(offsetof(ArrayData, elements) == 32);

struct Keypoint { ///< VPIKeypointF32
    float x = 0;
    float y = 0;
};

struct HarrisParameters { ///< VPIHarrisCornerDetectorParams
    std::int32_t gradientSize = 0;
    std::int32_t blockSize = 0;
    float strength = 0;
    float sensitivity = 0;
    float distance = 0;
    std::uint64_t reserved[8] = {}; ///< A later version may add parameters.
};

/// The functions, with VPIStatus as int.
struct Functions : SymbolTable {
    using SymbolTable::SymbolTable;

    int (*getVersion)() = find("vpiGetVersion");
    const char *(*statusName)(int status) = find("vpiStatusGetName");
    int (*lastMessage)(char *text, std::int32_t bytes) = find("vpiGetLastStatusMessage");
    int (*currentContext)(Context *context) = find("vpiContextGetCurrent");
    int (*contextFlags)(Context context, std::uint64_t *flags) = find("vpiContextGetFlags");

    int (*createStream)(std::uint64_t flags, Stream *stream) = find("vpiStreamCreate");
    int (*wrapCudaStream)(void *cudaStream, std::uint64_t flags, Stream *stream) = find("vpiStreamCreateWrapperCUDA");
    void (*destroyStream)(Stream stream) = find("vpiStreamDestroy");
    int (*syncStream)(Stream stream) = find("vpiStreamSync");

    int (*submitHostFunction)(Stream stream, void (*function)(void *data), void *data) = find("vpiSubmitHostFunction");
    /// vpiSubmitCUDAHostFunction of VPI 4.1; null where VPI lacks it.
    int (*submitCudaHostFunction)(Stream stream, void (*function)(void *cudaStream, void *data),
                                  void *data) = optional("vpiSubmitCUDAHostFunction");

    int (*createImage)(std::int32_t width, std::int32_t height, std::uint64_t format, std::uint64_t flags,
                       Image *image) = find("vpiImageCreate");
    int (*wrapImage)(const ImageData *data, const void *parameters, std::uint64_t flags,
                     Image *image) = find("vpiImageCreateWrapper");
    int (*setWrapper)(Image image, const ImageData *data) = find("vpiImageSetWrapper");
    void (*destroyImage)(Image image) = find("vpiImageDestroy");
    int (*lockImage)(Image image, int mode, int bufferType, ImageData *data) = find("vpiImageLockData");
    int (*unlockImage)(Image image) = find("vpiImageUnlock");

    int (*createArray)(std::int32_t capacity, int type, std::uint64_t flags, Array *array) = find("vpiArrayCreate");
    void (*destroyArray)(Array array) = find("vpiArrayDestroy");
    int (*lockArray)(Array array, int mode, int bufferType, ArrayData *data) = find("vpiArrayLockData");
    int (*unlockArray)(Array array) = find("vpiArrayUnlock");

    int (*gaussian)(Stream stream, std::uint64_t backend, Image input, Image output, std::int32_t sizeX,
                    std::int32_t sizeY, float sigmaX, float sigmaY, int border) = find("vpiSubmitGaussianFilter");
    int (*rescale)(Stream stream, std::uint64_t backend, Image input, Image output, int interpolation, int border,
                   std::uint64_t flags) = find("vpiSubmitRescale");
    int (*convert)(Stream stream, std::uint64_t backend, Image input, Image output,
                   const void *parameters) = find("vpiSubmitConvertImageFormat");
    int (*initHarris)(HarrisParameters *parameters) = find("vpiInitHarrisCornerDetectorParams");
    int (*createHarris)(std::uint64_t backends, std::int32_t width, std::int32_t height,
                        Payload *payload) = find("vpiCreateHarrisCornerDetector");
    int (*harris)(Stream stream, std::uint64_t backend, Payload payload, Image input, Array features, Array scores,
                  const HarrisParameters *parameters) = find("vpiSubmitHarrisCornerDetector");
    void (*destroyPayload)(Payload payload) = find("vpiPayloadDestroy");
};

} // namespace jetscope::vpi
