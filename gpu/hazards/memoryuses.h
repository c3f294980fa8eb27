// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hazards/hazardledger.h"
#include "gpu/device/device.h"

#include <array>
#include <cstddef>
#include <span>

namespace jetscope {

inline MemoryUse useOf(const BufferRange &range, Access access)
{
    return {range.buffer, range.offset, range.bytes, access};
}

/// An image is used as a whole.
inline MemoryUse useOf(const Image &image, Access access)
{
    return {&image, 0, 1, access};
}

/// The memory that a piece of work uses; allocates nothing. What is null is not used.
class MemoryUses {
public:
    void add(const BufferRange &range, Access access)
    {
        if (range)
            m_uses[m_count++] = useOf(range, access);
    }
    void add(const Image *image, Access access)
    {
        if (image)
            m_uses[m_count++] = useOf(*image, access);
    }
    std::span<const MemoryUse> all() const { return {m_uses.data(), m_count}; }

private:
    std::array<MemoryUse, 5> m_uses;
    std::size_t m_count = 0;
};

} // namespace jetscope
