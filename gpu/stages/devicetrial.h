// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/stages/kerneldriver.h"
#include "gpu/stages/stage.h"

#include <functional>
#include <memory>
#include <string>

namespace jetscope {

/// What a trial runs on a CUDA device: from pictures of a size, into pictures of the same size.
struct DeviceTrialWork {
    PixelFormat reads = PixelFormat::Rgba8;
    PixelFormat makes = PixelFormat::Rgba8;
    int width = 33; ///< Not a multiple of 16, so rows have padding.
    int height = 17;
    bool writesInput = false;
    std::function<Status(const StageFrame &)> run;
    bool isExact = false; ///< Pictures without guards and padding.
};

/// A CUDA device in a child process that tries a stage. Lasts until the process ends.
class DeviceTrial {
public:
    /// Creates the context, in which the calls of the stage run.
    static Result<std::unique_ptr<DeviceTrial>> open(const std::string &driver, int ordinal);

    const KernelDriver &driver() const { return m_driver; }
    /// Runs the work twice, on pictures between guards. Returns what it did wrong, or nothing.
    Result<std::string> judge(const DeviceTrialWork &work) const;

private:
    explicit DeviceTrial(const KernelDriver &driver) : m_driver(driver) {}

    const KernelDriver m_driver;
    void *m_stream = nullptr;
};

} // namespace jetscope
