// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/stages/nviva/nvivaprocess.h"
#include "gpu/stages/stagetable.h"

#include <memory>
#include <mutex>
#include <string>

namespace jetscope {

/// "nviva:LIBRARY.so": a library for GStreamer's nvivafilter, unchanged. It runs in a process of its own, since it may
/// crash or hang and exports names such as "init". Each frame is copied through memory of the host that both processes
/// share: memory of a CUDA device cannot be shared between processes on all Jetsons. There the frame is in pitched
/// memory of the device, which stand-ins for the driver's functions give to the library.
class NvivaStage final : public Stage {
public:
    NvivaStage(std::string library, std::string parts) : m_library(std::move(library)), m_parts(std::move(parts)) {}

    /// Starts the process and lets the library work on one black frame.
    Result<std::unique_ptr<StageInstance>> setUp(const StageDevice &device, int width, int height) override;
    /// Starts the process of the next `setUp`.
    Status rehearse(const StageDevice &device) override;

private:
    Result<std::unique_ptr<NvivaProcess>> processFor(const StageDevice &device);

    const std::string m_library; ///< An absolute path.
    const std::string m_parts;   ///< NvivaWords::parts
    std::mutex m_mutex;
    std::unique_ptr<NvivaProcess> m_ready;
    int m_readyOrdinal = 0;
};

LoadedStage loadNvivaStage(const StageAddress &address);

} // namespace jetscope
