// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/sources/framesource.h"
#include "gpu/sources/v4l2/camerasession.h"
#include "gpu/sources/v4l2/dmabufimport.h"
#include "gpu/sources/v4l2/wakesignal.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace jetscope {

/// The driver's buffers of one session, each handed in as a surface. A buffer whose frame was handed in is its reader's
/// until the hold is given up, and is queued for another frame only after that. Capture thread; surfaces and holds may
/// outlive it.
class ExternalBufferExchange {
public:
    /// Exports every buffer of a session that streams from mapped memory. Surfaces keep the session: its buffers are
    /// not given back to the driver before the last image of them is gone.
    static Result<std::unique_ptr<ExternalBufferExchange>> create(const std::shared_ptr<CameraSession> &session,
                                                                  const DmabufApi &api);

    /// The frame in the buffer of this index.
    ExternalFrame handIn(std::uint32_t index, CapturedFrame captured);
    /// The buffers that came back since the last call.
    std::vector<std::uint32_t> takeReturned();
    bool allOut() const { return m_out == m_surfaces.size(); }
    /// Is readable when a buffer came back.
    int fd() const { return m_returns->came.fd(); }

private:
    struct Returns {
        std::mutex mutex;
        std::vector<std::uint32_t> indices;
        WakeSignal came;
    };

    ExternalBufferExchange() : m_returns(std::make_shared<Returns>()) {}

    std::vector<std::shared_ptr<ExternalBuffer>> m_surfaces; ///< By the driver's index.
    std::shared_ptr<Returns> m_returns;
    std::size_t m_out = 0;
};

/// One buffer of a session as a surface; the session streams from mapped memory.
Result<std::shared_ptr<ExternalBuffer>> exportBuffer(const std::shared_ptr<CameraSession> &session, std::uint32_t index,
                                                     const DmabufApi &api);

} // namespace jetscope
