// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Functions of the table that libcuda also has under a name with an ending, for programs that are built for default
// streams of their threads (nvcc --default-stream per-thread): cuda.h then turns cuLaunchKernel into
// cuLaunchKernel_ptsz. Such a call is recorded as one of the function itself, with JSA_FLAG_PER_THREAD.
// Rows: X(function, number of arguments, ending). Endings are those of cuda.h 10.2 to 13.0.
// clang-format off
#define JSA_PER_THREAD_CALLS(X) \
    X(cuLaunchKernel, 11, ptsz) \
    X(cuLaunchCooperativeKernel, 10, ptsz) \
    X(cuLaunchKernelEx, 4, ptsz) \
    X(cuGraphLaunch, 2, ptsz) \
    X(cuLaunchHostFunc, 3, ptsz) \
    X(cuStreamAddCallback, 4, ptsz) \
    X(cuMemcpy, 3, ptds) \
    X(cuMemcpyHtoD_v2, 3, ptds) \
    X(cuMemcpyDtoH_v2, 3, ptds) \
    X(cuMemcpyDtoD_v2, 3, ptds) \
    X(cuMemcpyAsync, 4, ptsz) \
    X(cuMemcpyHtoDAsync_v2, 4, ptsz) \
    X(cuMemcpyDtoHAsync_v2, 4, ptsz) \
    X(cuMemcpyDtoDAsync_v2, 4, ptsz) \
    X(cuMemcpyHtoA_v2, 4, ptds) \
    X(cuMemcpyHtoAAsync_v2, 5, ptsz) \
    X(cuMemcpyAtoH_v2, 4, ptds) \
    X(cuMemcpyAtoHAsync_v2, 5, ptsz) \
    X(cuMemcpyDtoA_v2, 4, ptds) \
    X(cuMemcpyAtoD_v2, 4, ptds) \
    X(cuMemcpyAtoA_v2, 5, ptds) \
    X(cuMemcpyPeer, 5, ptds) \
    X(cuMemcpyPeerAsync, 6, ptsz) \
    X(cuMemcpy2D_v2, 1, ptds) \
    X(cuMemcpy2DUnaligned_v2, 1, ptds) \
    X(cuMemcpy2DAsync_v2, 2, ptsz) \
    X(cuMemcpy3D_v2, 1, ptds) \
    X(cuMemcpy3DAsync_v2, 2, ptsz) \
    X(cuMemsetD8_v2, 3, ptds) \
    X(cuMemsetD32_v2, 3, ptds) \
    X(cuMemsetD8Async, 4, ptsz) \
    X(cuMemsetD32Async, 4, ptsz) \
    X(cuMemsetD16_v2, 3, ptds) \
    X(cuMemsetD16Async, 4, ptsz) \
    X(cuMemsetD2D8_v2, 5, ptds) \
    X(cuMemsetD2D16_v2, 5, ptds) \
    X(cuMemsetD2D32_v2, 5, ptds) \
    X(cuMemsetD2D8Async, 6, ptsz) \
    X(cuMemsetD2D16Async, 6, ptsz) \
    X(cuMemsetD2D32Async, 6, ptsz) \
    X(cuMemAllocAsync, 3, ptsz) \
    X(cuMemFreeAsync, 2, ptsz) \
    X(cuMemAllocFromPoolAsync, 4, ptsz) \
    X(cuStreamAttachMemAsync, 4, ptsz) \
    X(cuMemPrefetchAsync, 5, ptsz) \
    X(cuMemPrefetchAsync_v2, 5, ptsz) \
    X(cuGraphicsMapResources, 3, ptsz) \
    X(cuGraphicsUnmapResources, 3, ptsz) \
    X(cuStreamBeginCapture, 1, ptsz) \
    X(cuStreamBeginCapture_v2, 2, ptsz) \
    X(cuStreamBeginCaptureToGraph, 6, ptsz) \
    X(cuStreamEndCapture, 2, ptsz) \
    X(cuStreamSynchronize, 1, ptsz) \
    X(cuStreamQuery, 1, ptsz) \
    X(cuStreamWaitEvent, 3, ptsz) \
    X(cuStreamWriteValue32, 4, ptsz) \
    X(cuStreamWaitValue32, 4, ptsz) \
    X(cuStreamWriteValue64, 4, ptsz) \
    X(cuStreamWaitValue64, 4, ptsz) \
    X(cuStreamBatchMemOp, 4, ptsz) \
    X(cuStreamWriteValue32_v2, 4, ptsz) \
    X(cuStreamWaitValue32_v2, 4, ptsz) \
    X(cuStreamWriteValue64_v2, 4, ptsz) \
    X(cuStreamWaitValue64_v2, 4, ptsz) \
    X(cuStreamBatchMemOp_v2, 4, ptsz) \
    X(cuWaitExternalSemaphoresAsync, 4, ptsz) \
    X(cuSignalExternalSemaphoresAsync, 4, ptsz) \
    X(cuEventRecord, 2, ptsz) \
    X(cuEventRecordWithFlags, 3, ptsz)
// clang-format on
