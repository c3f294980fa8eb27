// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/cuda/eventapi.h"

#include <string>
#include <vector>

namespace jetscope::testing {

/// Stands in for CUDA's events and for EGL's syncs made from them, and holds the caller to the documented order of
/// calls: an event is recorded before a sync is made of it, and nothing comes between the two; a sync is waited for
/// before it is destroyed; what was made from an EGLSync is never recorded nor timed, and is waited for while its
/// EGLSync lives; all flags are 0; everything is destroyed once. No GPU is needed. One user at a time.
class FakeEventApi {
public:
    FakeEventApi();
    ~FakeEventApi();
    FakeEventApi(const FakeEventApi &) = delete;
    FakeEventApi &operator=(const FakeEventApi &) = delete;

    const EventApi &table() const;

    /// Broken rules in order of occurrence; also what still lives.
    std::vector<std::string> violations() const;
    /// Calls in order, by their names.
    const std::vector<std::string> &calls() const;

    /// Lets calls fail, as they do where there is no such interop.
    void refuseEventsFromSyncs(cudaError_t code);
    void refuseSyncsFromEvents();
    /// The caller destroyed a fence by other means than the table.
    void fenceDestroyed(EGLSync sync);
};

} // namespace jetscope::testing
