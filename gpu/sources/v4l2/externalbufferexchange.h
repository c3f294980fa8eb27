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

/// The external buffers of one session. The reader owns a buffer until it releases the frame's hold; only then is the
/// buffer queued for another frame. Capture thread; external buffers and holds may outlive it.
class ExternalBufferExchange {
public:
    /// Exports every buffer of a session that streams from mapped memory. The external buffers hold the session, so its
    /// V4L2 buffers are freed only after their last image is destroyed.
    static Result<std::unique_ptr<ExternalBufferExchange>> create(const std::shared_ptr<CameraSession> &session,
                                                                  const DmabufApi &api);

    /// The frame in the buffer of this index.
    ExternalFrame handIn(std::uint32_t index, CapturedFrame captured);
    /// The buffers that were released since the last call.
    std::vector<std::uint32_t> takeReturned();
    bool allOut() const { return m_out == m_buffers.size(); }
    /// Becomes readable when a buffer is released.
    int fd() const { return m_returns->came.fd(); }

private:
    struct Returns {
        std::mutex mutex;
        std::vector<std::uint32_t> indices;
        WakeSignal came;
    };

    ExternalBufferExchange() : m_returns(std::make_shared<Returns>()) {}

    std::vector<std::shared_ptr<ExternalBuffer>> m_buffers; ///< Indexed by the driver's index.
    std::shared_ptr<Returns> m_returns;
    std::size_t m_out = 0;
};

/// Exports one buffer of a session as an external buffer; the session streams from mapped memory.
Result<std::shared_ptr<ExternalBuffer>> exportBuffer(const std::shared_ptr<CameraSession> &session, std::uint32_t index,
                                                     const DmabufApi &api);

} // namespace jetscope
