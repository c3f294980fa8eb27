// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Our declarations of the CUDA driver's structures and functions against those of the toolkit.
#include "gpu/stages/kerneldriver.h"
#include "gpu/stages/nviva/nvivaabi.h"

#include <QTest>

#include <cstddef>
#include <cuda.h>
#include <cudaEGL.h>
#include <type_traits>

using namespace jetscope;

namespace {

static_assert(sizeof(driver::ArrayShape) == sizeof(CUDA_ARRAY3D_DESCRIPTOR));
static_assert(offsetof(driver::ArrayShape, height) == offsetof(CUDA_ARRAY3D_DESCRIPTOR, Height));
static_assert(offsetof(driver::ArrayShape, depth) == offsetof(CUDA_ARRAY3D_DESCRIPTOR, Depth));
static_assert(offsetof(driver::ArrayShape, format) == offsetof(CUDA_ARRAY3D_DESCRIPTOR, Format));
static_assert(offsetof(driver::ArrayShape, channels) == offsetof(CUDA_ARRAY3D_DESCRIPTOR, NumChannels));
static_assert(offsetof(driver::ArrayShape, flags) == offsetof(CUDA_ARRAY3D_DESCRIPTOR, Flags));

static_assert(sizeof(driver::SurfaceTarget) == sizeof(CUDA_RESOURCE_DESC));
static_assert(offsetof(driver::SurfaceTarget, array) == offsetof(CUDA_RESOURCE_DESC, res.array.hArray));
static_assert(offsetof(driver::SurfaceTarget, flags) == offsetof(CUDA_RESOURCE_DESC, flags));

static_assert(sizeof(driver::Copy2d) == sizeof(CUDA_MEMCPY2D));
constexpr std::size_t kTo = offsetof(driver::Copy2d, to);
static_assert(kTo == offsetof(CUDA_MEMCPY2D, dstXInBytes));
static_assert(offsetof(driver::CopyEnd, y) == offsetof(CUDA_MEMCPY2D, srcY));
static_assert(offsetof(driver::CopyEnd, memory) == offsetof(CUDA_MEMCPY2D, srcMemoryType));
static_assert(offsetof(driver::CopyEnd, host) == offsetof(CUDA_MEMCPY2D, srcHost));
static_assert(offsetof(driver::CopyEnd, device) == offsetof(CUDA_MEMCPY2D, srcDevice));
static_assert(offsetof(driver::CopyEnd, array) == offsetof(CUDA_MEMCPY2D, srcArray));
static_assert(offsetof(driver::CopyEnd, pitch) == offsetof(CUDA_MEMCPY2D, srcPitch));
static_assert(kTo + offsetof(driver::CopyEnd, device) == offsetof(CUDA_MEMCPY2D, dstDevice));
static_assert(kTo + offsetof(driver::CopyEnd, pitch) == offsetof(CUDA_MEMCPY2D, dstPitch));
static_assert(offsetof(driver::Copy2d, widthBytes) == offsetof(CUDA_MEMCPY2D, WidthInBytes));
static_assert(offsetof(driver::Copy2d, height) == offsetof(CUDA_MEMCPY2D, Height));

static_assert(driver::kArrayOfBytes == CU_AD_FORMAT_UNSIGNED_INT8);
static_assert(driver::kSurfaceAccess == CUDA_ARRAY3D_SURFACE_LDST);
static_assert(driver::kDeviceMemory == CU_MEMORYTYPE_DEVICE && driver::kArrayMemory == CU_MEMORYTYPE_ARRAY);
static_assert(driver::kHostMemory == CU_MEMORYTYPE_HOST);
static_assert(sizeof(nviva_egl_frame) == sizeof(CUeglFrame));
static_assert(offsetof(nviva_egl_frame, width) == offsetof(CUeglFrame, width));
static_assert(offsetof(nviva_egl_frame, pitch) == offsetof(CUeglFrame, pitch));
static_assert(offsetof(nviva_egl_frame, plane_count) == offsetof(CUeglFrame, planeCount));
static_assert(offsetof(nviva_egl_frame, channels) == offsetof(CUeglFrame, numChannels));
static_assert(offsetof(nviva_egl_frame, frame_type) == offsetof(CUeglFrame, frameType));
static_assert(offsetof(nviva_egl_frame, egl_format) == offsetof(CUeglFrame, eglColorFormat));
static_assert(offsetof(nviva_egl_frame, element) == offsetof(CUeglFrame, cuFormat));
static_assert(int{NVIVA_PITCH_FRAME} == int{CU_EGL_FRAME_TYPE_PITCH}
              && int{NVIVA_ABGR_FRAME} == int{CU_EGL_COLOR_FORMAT_ABGR});
static_assert(int{NVIVA_BYTE_ELEMENT} == int{CU_AD_FORMAT_UNSIGNED_INT8});
static_assert(int{NVIVA_INVALID_VALUE} == int{CUDA_ERROR_INVALID_VALUE});
static_assert(driver::kAttachGlobal == CU_MEM_ATTACH_GLOBAL && driver::kAttachHost == CU_MEM_ATTACH_HOST);
static_assert(driver::kNonBlocking == CU_STREAM_NON_BLOCKING && driver::kNotReady == CUDA_ERROR_NOT_READY);
static_assert(driver::kWithoutTiming == CU_EVENT_DISABLE_TIMING && CU_RESOURCE_TYPE_ARRAY == 0);
static_assert(sizeof(CUsurfObject) == sizeof(std::uint64_t) && sizeof(CUdeviceptr) == sizeof(std::uint64_t));

/// The number of parameters of a pointer to a function.
template <class Function>
struct Parameters;
template <class Result, class... All>
struct Parameters<Result (*)(All...)> {
    static constexpr std::size_t count = sizeof...(All);
};

} // namespace

class TestKernelDriverLayout : public QObject {
    Q_OBJECT

private slots:
    void functionsHaveTheParametersOfTheToolkit();
};

void TestKernelDriverLayout::functionsHaveTheParametersOfTheToolkit()
{
    QCOMPARE(Parameters<decltype(KernelDriver::launchKernel)>::count, Parameters<decltype(&cuLaunchKernel)>::count);
    QCOMPARE(Parameters<decltype(KernelDriver::loadModule)>::count, Parameters<decltype(&cuModuleLoadData)>::count);
    QCOMPARE(Parameters<decltype(KernelDriver::getFunction)>::count, Parameters<decltype(&cuModuleGetFunction)>::count);
    QCOMPARE(Parameters<decltype(KernelDriver::createArray)>::count, Parameters<decltype(&cuArray3DCreate)>::count);
    QCOMPARE(Parameters<decltype(KernelDriver::createSurface)>::count,
             Parameters<decltype(&cuSurfObjectCreate)>::count);
    QCOMPARE(Parameters<decltype(KernelDriver::copy2dAsync)>::count, Parameters<decltype(&cuMemcpy2DAsync)>::count);
    QCOMPARE(Parameters<decltype(KernelDriver::set2dAsync)>::count, Parameters<decltype(&cuMemsetD2D8Async)>::count);
    QCOMPARE(Parameters<decltype(KernelDriver::allocateManaged)>::count,
             Parameters<decltype(&cuMemAllocManaged)>::count);
    QCOMPARE(Parameters<decltype(KernelDriver::attach)>::count, Parameters<decltype(&cuStreamAttachMemAsync)>::count);
    QCOMPARE(Parameters<decltype(KernelDriver::destroyStream)>::count, Parameters<decltype(&cuStreamDestroy)>::count);
    QCOMPARE(Parameters<decltype(KernelDriver::copyToDevice)>::count, Parameters<decltype(&cuMemcpyHtoD)>::count);
    QCOMPARE(Parameters<decltype(KernelDriver::copyToHost)>::count, Parameters<decltype(&cuMemcpyDtoH)>::count);
    QCOMPARE(Parameters<decltype(KernelDriver::createStream)>::count, Parameters<decltype(&cuStreamCreate)>::count);
    QCOMPARE(Parameters<decltype(KernelDriver::createEvent)>::count, Parameters<decltype(&cuEventCreate)>::count);
    QCOMPARE(Parameters<decltype(KernelDriver::recordEvent)>::count, Parameters<decltype(&cuEventRecord)>::count);
    QCOMPARE(Parameters<decltype(KernelDriver::retainPrimaryContext)>::count,
             Parameters<decltype(&cuDevicePrimaryCtxRetain)>::count);
}

QTEST_GUILESS_MAIN(TestKernelDriverLayout)
#include "tst_kerneldriverlayout.moc"
