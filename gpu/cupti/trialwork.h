// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/cupti/driverapi.h"

#include <cstdint>
#include <optional>

namespace jetscope {

/// A small amount of work for a device: a memset, a copy and, if the driver can compile it, an empty kernel. One
/// thread.
class TrialWork {
public:
    /// Makes the device's primary context current on this thread.
    static Result<TrialWork> prepare(int ordinal, const std::string &driver);
    TrialWork(TrialWork &&other) noexcept;
    TrialWork &operator=(TrialWork &&) = delete;
    ~TrialWork();

    /// Runs the work and waits for it.
    Status run();

    /// concurrentManagedAccess of the device; empty if the driver does not say.
    std::optional<bool> concurrentManagedAccess() const;
    bool launchedKernel() const { return m_launchedKernel; }
    std::int64_t beganNs() const { return m_beganNs; } ///< From nowNs(); all work is between these two times.
    std::int64_t endedNs() const { return m_endedNs; }

private:
    TrialWork(const DriverApi &api, int device) : m_api(api), m_device(device) {}
    Status check(const char *call, int code) const;
    Status fillAndCopy(std::uint64_t memory);
    void launchKernel();

    DriverApi m_api;
    int m_device;
    bool m_owner = true;
    bool m_launchedKernel = false;
    std::int64_t m_beganNs = 0;
    std::int64_t m_endedNs = 0;
};

} // namespace jetscope
