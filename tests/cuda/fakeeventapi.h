// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/cuda/cudaevent.h"

#include <string>
#include <vector>

namespace jetscope::testing {

/// A fake of CUDA's events and of the EGLSyncs made from them. It enforces the documented order of calls: an event is
/// recorded before a sync is made from it, without a call in between; a sync is waited for before it is destroyed; an
/// event made from an EGLSync is never recorded or timed, and is waited for only while its EGLSync exists; all flags
/// are 0; every object is destroyed once. Needs no GPU. One user at a time.
class FakeEventApi {
public:
    FakeEventApi();
    ~FakeEventApi();
    FakeEventApi(const FakeEventApi &) = delete;
    FakeEventApi &operator=(const FakeEventApi &) = delete;

    const EventApi &table() const;

    /// The broken rules in order of occurrence, and the objects that still exist.
    std::vector<std::string> violations() const;
    /// The names of the calls, in order.
    const std::vector<std::string> &calls() const;

    /// Makes these calls fail, as on systems without such interop.
    void refuseEventsFromSyncs(cudaError_t code);
    void refuseSyncsFromEvents();
    /// Reports that the caller destroyed a fence without the table.
    void fenceDestroyed(EGLSync sync);
};

} // namespace jetscope::testing
