// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "core/settings/choices.h"
#include "gpu/base/symbols.h"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>

namespace jetscope {

namespace driver {

/// CUdevResource; larger than any version of it so far.
struct alignas(8) DeviceResource {
    int type = 0;
    unsigned char padding[92]{};
    unsigned multiprocessors = 0; ///< The first word of CUdevSmResource.
    unsigned smallestPart = 0;
    unsigned alignment = 0;
    unsigned char rest[148]{};
};

} // namespace driver

/// The driver's green contexts (CUDA 12.4), loaded at run time, so that any toolkit compiles this. All return CUresult.
struct GreenContextApi : SymbolTable {
    using SymbolTable::SymbolTable;

    int (*deviceGet)(int *device, int ordinal) = find("cuDeviceGet");
    int (*resourceOf)(int device, driver::DeviceResource *resource, int type) = find("cuDeviceGetDevResource");
    int (*split)(driver::DeviceResource *groups, unsigned *count, const driver::DeviceResource *from,
                 driver::DeviceResource *rest, unsigned flags, unsigned least) = find("cuDevSmResourceSplitByCount");
    int (*describe)(void **description, driver::DeviceResource *resources,
                    unsigned count) = find("cuDevResourceGenerateDesc");
    int (*create)(void **context, void *description, int device, unsigned flags) = find("cuGreenCtxCreate");
    int (*createStream)(cudaStream_t *stream, void *context, unsigned flags,
                        int priority) = find("cuGreenCtxStreamCreate");
    int (*destroy)(void *context) = find("cuGreenCtxDestroy");
};

/// The part of a GPU's multiprocessors of a share, for the streams that it makes. Streams keep it.
class GreenContext {
public:
    static Result<std::shared_ptr<GreenContext>> create(int ordinal, GpuShare share);
    ~GreenContext();
    GreenContext(const GreenContext &) = delete;
    GreenContext &operator=(const GreenContext &) = delete;

    /// A non-blocking one.
    Result<cudaStream_t> createStream(int priority);
    /// What the driver gave: at least what was asked for.
    unsigned multiprocessors() const { return m_multiprocessors; }

private:
    GreenContext(const GreenContextApi &api, void *context, unsigned multiprocessors)
        : m_api(api), m_context(context), m_multiprocessors(multiprocessors)
    {
    }

    const GreenContextApi m_api;
    void *m_context;
    unsigned m_multiprocessors;
};

} // namespace jetscope
