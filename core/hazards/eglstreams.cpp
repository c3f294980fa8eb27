// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/hazards/eglstreams.h"

#include <algorithm>

namespace jetscope {

namespace {

constexpr int kMostPresented = 64; ///< CUDA for Tegra note, CUDA as producer.

} // namespace

EglStreams::Producer *EglStreams::producer(Object producer)
{
    const auto found = m_producers.find(producer);
    return found == m_producers.end() ? nullptr : &found->second;
}

EglStreams::Consumer *EglStreams::consumer(Object consumer)
{
    const auto found = m_consumers.find(consumer);
    return found == m_consumers.end() ? nullptr : &found->second;
}

bool EglStreams::hasConsumer(Object eglStream) const
{
    return std::any_of(m_consumers.begin(), m_consumers.end(),
                       [&](const auto &entry) { return entry.second.eglStream == eglStream; });
}

bool e1(const EglStreams &streams, const EglStreams::Producer &connecting)
{
    return !streams.hasConsumer(connecting.eglStream);
}

bool e2(const EglStreams::Producer &producer)
{
    return producer.presented >= kMostPresented;
}

bool e3(const EglStreams::Producer &producer, int width, int height)
{
    return producer.width != width || producer.height != height;
}

bool e4(FrameTurn turn)
{
    return turn == FrameTurn::Repeated;
}

bool e6(FrameTurn turn, Access access)
{
    const bool isConsumers = turn == FrameTurn::Acquired || turn == FrameTurn::Repeated;
    return isConsumers ? access == Access::Write : turn != FrameTurn::Free;
}

} // namespace jetscope
