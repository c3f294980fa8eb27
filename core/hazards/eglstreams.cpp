// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/hazards/eglstreams.h"

#include <algorithm>

namespace jetscope {

namespace {

constexpr int kMaxPresented = 64; ///< CUDA for Tegra note, CUDA as producer.

} // namespace

void EglStreams::disconnectProducer(Object producer)
{
    m_producers.erase(producer);
    std::erase_if(m_frames, [&](const auto &entry) { return entry.second.producer == producer; });
}

const EglStreams::Producer *EglStreams::producer(Object producer) const
{
    const auto found = m_producers.find(producer);
    return found == m_producers.end() ? nullptr : &found->second;
}

bool EglStreams::hasConsumer(Object eglStream) const
{
    return std::any_of(m_consumers.begin(), m_consumers.end(),
                       [&](const auto &entry) { return entry.second.eglStream == eglStream; });
}

void EglStreams::present(Object producer, Object frame)
{
    ++m_producers[producer].presented;
    m_frames[frame] = {FrameTurn::Presented, producer};
}

void EglStreams::takeBack(Object frame)
{
    const auto found = m_frames.find(frame);
    if (found == m_frames.end())
        return;
    const auto producer = m_producers.find(found->second.producer);
    if (producer != m_producers.end())
        --producer->second.presented;
    m_frames.erase(found);
}

void EglStreams::acquire(Object consumer, Object frame)
{
    m_frames[frame].turn = FrameTurn::Acquired;
    const auto found = m_consumers.find(consumer);
    if (found != m_consumers.end())
        found->second.frame = frame;
}

void EglStreams::frameNumber(Object consumer, std::uint64_t number)
{
    const auto found = m_consumers.find(consumer);
    if (found == m_consumers.end())
        return;
    Consumer &connection = found->second;
    connection.turn = number == connection.number ? FrameTurn::Repeated : FrameTurn::Acquired;
    connection.number = number;
    const auto frame = m_frames.find(connection.frame);
    if (frame != m_frames.end())
        frame->second.turn = connection.turn;
}

void EglStreams::release(Object consumer)
{
    const auto found = m_consumers.find(consumer);
    if (found == m_consumers.end() || !found->second.frame)
        return;
    Consumer &connection = found->second;
    connection.turn = FrameTurn::Released;
    m_frames[connection.frame].turn = FrameTurn::Released;
    connection.frame = nullptr;
}

EglStreams::Object EglStreams::acquiredFrame(Object consumer) const
{
    const auto found = m_consumers.find(consumer);
    return found == m_consumers.end() ? nullptr : found->second.frame;
}

FrameTurn EglStreams::turnOf(Object frame) const
{
    const auto found = m_frames.find(frame);
    return found == m_frames.end() ? FrameTurn::Free : found->second.turn;
}

FrameTurn EglStreams::consumersTurn(Object consumer) const
{
    const auto found = m_consumers.find(consumer);
    return found == m_consumers.end() ? FrameTurn::Free : found->second.turn;
}

bool e1(const EglStreams &streams, const EglStreams::Producer &connecting)
{
    return !streams.hasConsumer(connecting.eglStream);
}

bool e2(const EglStreams::Producer &producer)
{
    return producer.presented >= kMaxPresented;
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
