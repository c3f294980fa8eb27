// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <chrono>
#include <memory>
#include <utility>

typedef struct _GstElement GstElement;

namespace jetscope {

// Foreign elements may block in a change of their state for as long as a server or a file likes. So such changes run on
// threads of their own, which are left behind after a deadline. What callbacks of elements use must therefore be owned
// by the pipeline: see Shared.

/// Data of a callback that GLib owns, beside its other owners.
template <class T>
struct Shared {
    /// For the argument `data` of a callback.
    static void *data(std::shared_ptr<T> object) { return new std::shared_ptr<T>(std::move(object)); }
    /// In the callback.
    static T &of(void *data) { return **static_cast<std::shared_ptr<T> *>(data); }
    static const std::shared_ptr<T> &pointer(void *data) { return *static_cast<std::shared_ptr<T> *>(data); }
    /// For the argument `destroy` of probes, and of signals.
    static void destroy(void *data) { delete static_cast<std::shared_ptr<T> *>(data); }
    template <class Closure>
    static void destroySignal(void *data, Closure *)
    {
        destroy(data);
    }
};

/// Starts the pipeline; an error if it fails or has not started by then.
Status startPipeline(GstElement *pipeline, std::chrono::milliseconds patience);

/// Stops the pipeline and gives the caller's reference back. After two seconds its connections to hosts at the port
/// (0: none) are cut, which ends most waits; after two more it is left behind.
void closePipeline(GstElement *pipeline, int port);

/// How many pipelines were left behind and have still not stopped.
int abandonedPipelines();
/// No pipeline is started while there are this many: each may go on to take memory.
inline constexpr int kMaxAbandonedPipelines = 4;

} // namespace jetscope
