// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/hostmemory.h"
#include "gpu/paths/transferbuffer.h"

#include <utility>

namespace jetscope {

/// Memory that CPU and device use where it lies: nothing is copied and nothing handed over.
class InPlaceTransfer : public TransferBuffer {
public:
    /// `pageable` is the memory below a registration, or none.
    InPlaceTransfer(Direction direction, const ImageLayout &layout, Device &device, std::unique_ptr<Buffer> buffer,
                    HostMemory pageable = {})
        : TransferBuffer(device),
          m_direction(direction),
          m_layout(layout),
          m_pageable(std::move(pageable)),
          m_buffer(std::move(buffer))
    {
    }

    BufferRange memory() const override { return wholeOf(*m_buffer); }

    Status acquire(std::uint32_t, Stream &, ChainLaunch &launch) override
    {
        pointLaunch(launch, m_direction, *m_buffer, m_layout);
        return {};
    }

    std::uint64_t bytesCopied() const override { return 0; }

protected:
    const Direction m_direction;
    const ImageLayout m_layout;
    Buffer &buffer() const { return *m_buffer; }

private:
    const HostMemory m_pageable; ///< Outlives its registration.
    const std::unique_ptr<Buffer> m_buffer;
};

} // namespace jetscope
