// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/remote/pipelinehost.h"

#include <memory>
#include <mutex>

namespace jetscope {

/// The machine that the window works with; another one after `use`. What is open stays on the machine where it was
/// opened. Thread-safe.
class CurrentHost final : public PipelineHost {
public:
    explicit CurrentHost(std::shared_ptr<PipelineHost> host) : m_host(std::move(host)) {}

    void use(std::shared_ptr<PipelineHost> host);

    Result<std::unique_ptr<PipelineControl>> open(const SessionRequest &request) override
    {
        return now()->open(request);
    }
    std::vector<DeviceCandidate> devices() override { return now()->devices(); }
    std::vector<CameraInfo> cameras() override { return now()->cameras(); }
    PlatformFacts platform() override { return now()->platform(); }
    std::unique_ptr<MachineReader> machine() override { return now()->machine(); }

private:
    /// Calls may take long: they are made without the lock.
    std::shared_ptr<PipelineHost> now();

    std::mutex m_mutex;
    std::shared_ptr<PipelineHost> m_host;
};

} // namespace jetscope
