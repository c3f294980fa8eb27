// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/gl/api.h"

namespace jetscope {

/// How many times a stream is polled for a frame before it counts as broken. The driver waits during each try.
inline constexpr int kMostStreamTries = 64;

/// The calls on EGLStreams and on the GL texture that consumes one. Their rules concern the order of calls, so the
/// calls go through this table and tests can substitute a fake that enforces the order. Entries are null if the driver
/// lacks them.
struct EglStreamApi {
    PFNEGLCREATESTREAMKHRPROC create = nullptr;
    PFNEGLDESTROYSTREAMKHRPROC destroy = nullptr;
    PFNEGLSTREAMCONSUMERGLTEXTUREEXTERNALKHRPROC connectTexture = nullptr;
    PFNEGLSTREAMCONSUMERACQUIREKHRPROC acquire = nullptr;
    PFNEGLSTREAMCONSUMERRELEASEKHRPROC release = nullptr;
    PFNEGLQUERYSTREAMKHRPROC query = nullptr;
    PFNEGLQUERYSTREAMU64KHRPROC queryCounter = nullptr;

    bool complete() const { return create && destroy && connectTexture && acquire && release && query && queryCounter; }
};

/// The driver's own functions, looked up once per process.
const EglStreamApi &realEglStreamApi();

} // namespace jetscope
