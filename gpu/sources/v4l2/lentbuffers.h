// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace jetscope {

/// How a reader lends memory to a camera's driver.
enum class Lent : std::uint8_t { Nothing, Addresses, Dmabufs };

/// The memory that is lent, and the ways in which the driver takes it. Capture thread.
class LentBuffers {
public:
    struct Buffer {
        std::byte *memory = nullptr;
        int file = -1; ///< Of its DMA-BUF.
    };

    void setTaken(bool addresses, bool dmabufs)
    {
        m_isTaken = {true, addresses, dmabufs};
        m_way = usual();
    }
    bool takes(Lent way) const { return m_isTaken[static_cast<std::size_t>(way)]; }
    /// The driver has refused memory that was lent in this way.
    void refuse(Lent way)
    {
        m_isTaken[static_cast<std::size_t>(way)] = false;
        m_way = usual();
    }

    /// Of the stream that runs, or will.
    Lent way() const { return m_way; }
    void setWay(Lent way) { m_way = way; }
    /// A frame came.
    void noteFrame() { m_hasWorked[static_cast<std::size_t>(m_way)] = true; }
    bool hasWorked(Lent way) const { return m_hasWorked[static_cast<std::size_t>(way)]; }

    /// What the reader has queued, even while the camera is disconnected.
    const std::vector<Buffer> &queued() const { return m_queued; }
    void add(const Buffer &buffer) { m_queued.push_back(buffer); }
    void remove(const std::byte *memory)
    {
        std::erase_if(m_queued, [memory](const Buffer &each) { return each.memory == memory; });
    }
    void clear() { m_queued.clear(); }

private:
    Lent usual() const { return takes(Lent::Addresses) ? Lent::Addresses : Lent::Nothing; }

    std::array<bool, 3> m_isTaken{true, false, false};
    std::array<bool, 3> m_hasWorked{};
    Lent m_way = Lent::Nothing;
    std::vector<Buffer> m_queued;
};

} // namespace jetscope
