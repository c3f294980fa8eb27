// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/recording/spanring.h"

namespace jetscope {

SpanRing::SpanRing() : m_spans(kCapacity) {}

void SpanRing::drain(std::vector<Span> &out)
{
    const std::uint64_t head = m_head.load(std::memory_order_acquire);
    for (std::uint64_t tail = m_tail.load(std::memory_order_relaxed); tail != head; ++tail)
        out.push_back(m_spans[tail & (kCapacity - 1)]);
    m_tail.store(head, std::memory_order_release);
}

} // namespace jetscope
