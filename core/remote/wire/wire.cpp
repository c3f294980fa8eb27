// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/remote/wire/wire.h"

#include <cstring>

namespace jetscope {

void Wire::fail()
{
    m_good = false;
    m_left = {};
}

std::uint64_t Wire::number64(std::uint64_t number, std::size_t bytes)
{
    std::array<std::byte, 8> little{};
    for (std::size_t i = 0; i < bytes; ++i)
        little[i] = static_cast<std::byte>(number >> (8 * i));
    raw(little.data(), bytes);
    if (!m_reads)
        return number;
    std::uint64_t crossed = 0;
    for (std::size_t i = 0; m_good && i < bytes; ++i)
        crossed |= std::to_integer<std::uint64_t>(little[i]) << (8 * i);
    return crossed;
}

std::size_t Wire::count(std::size_t size, std::size_t leastBytes)
{
    const std::uint64_t crossed = number64(std::min<std::size_t>(size, std::numeric_limits<std::uint32_t>::max()), 4);
    if (m_reads && crossed > m_left.size() / leastBytes)
        fail();
    return m_good ? static_cast<std::size_t>(crossed) : 0;
}

void Wire::raw(void *data, std::size_t size)
{
    auto *bytes = static_cast<std::byte *>(data);
    if (!m_reads) {
        m_bytes.insert(m_bytes.end(), bytes, bytes + size);
        return;
    }
    if (size > m_left.size())
        fail();
    if (!m_good || size == 0)
        return;
    std::memcpy(bytes, m_left.data(), size);
    m_left = m_left.subspan(size);
}

} // namespace jetscope
