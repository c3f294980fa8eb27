// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/gl/api.h"

namespace jetscope {

/// How often a stream is asked for a frame before it counts as broken. Each time the driver waits by itself.
inline constexpr int kMostStreamTries = 64;

/// The calls on EGLStreams and on the GL texture that consumes one. Their rules are about the order of calls, so the
/// calls go through this table and a fake that enforces the order can take their place. Null where the driver has none.
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

/// The driver's own calls, looked up once per process.
const EglStreamApi &realEglStreamApi();

} // namespace jetscope
