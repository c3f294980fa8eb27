// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The part of the hazard ledger that knows EGLStreams.
#include "core/hazards/hazardledger.h"

#include "core/hazards/hazardwords.h"

namespace jetscope {

// --- connections

void HazardLedger::connectConsumer(Object consumer, Object eglStream)
{
    const std::lock_guard lock(m_mutex);
    m_eglStreams.connect(consumer, eglStream);
}

void HazardLedger::removeConsumer(Object consumer)
{
    const std::lock_guard lock(m_mutex);
    m_eglStreams.disconnectConsumer(consumer);
}

void HazardLedger::connectProducer(Object producer, const EglStreams::Producer &connection, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    if (e1(m_eglStreams, connection))
        report(RuleId::E1, {}, "A producer connects to an EGLStream that has no consumer yet", std::nullopt,
               std::nullopt, caller);
    if (producer)
        m_eglStreams.connect(producer, connection);
}

void HazardLedger::removeProducer(Object producer)
{
    const std::lock_guard lock(m_mutex);
    m_eglStreams.disconnectProducer(producer);
    for (auto &[object, memory] : m_memory) {
        if (memory.producer == producer) {
            memory.turn = FrameTurn::Free;
            memory.producer = nullptr;
        }
    }
}

// --- the producer's frames

void HazardLedger::present(Object producer, Object image, Object stream, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    append(stream, kStreamName);
    Memory *memory = memoryOf(image);
    EglStreams::Producer *connection = m_eglStreams.producer(producer);
    if (!memory || !connection)
        return;
    const auto broken = [&](RuleId rule, const char *words) {
        report(rule, *memory, words, std::nullopt, std::nullopt, caller);
    };
    if (memory->turn == FrameTurn::Presented)
        return broken(RuleId::E6, "A frame is presented again before the EGLStream returned it");
    if (e3(*connection, memory->width, memory->height))
        broken(RuleId::E3, "A frame is presented to an EGLStream whose producer connected with another size");
    if (e2(*connection))
        broken(RuleId::E2, "More than 64 frames belong to an EGLStream");
    ++connection->presented;
    memory->producer = producer;
    memory->turn = FrameTurn::Presented;
}

void HazardLedger::takeBack(Object image)
{
    const std::lock_guard lock(m_mutex);
    Memory *memory = memoryOf(image);
    if (!memory)
        return;
    if (EglStreams::Producer *connection = m_eglStreams.producer(memory->producer))
        --connection->presented;
    memory->producer = nullptr;
    memory->turn = FrameTurn::Free;
    memory->history = {}; // The EGLStream orders the consumer before the next work of the producer.
}

// --- the consumer's frames

bool HazardLedger::acquire(Object consumer, Object image, int width, int height, Object stream)
{
    const std::lock_guard lock(m_mutex);
    append(stream, kStreamName);
    const auto [found, isNew] = m_memory.try_emplace(image);
    Memory &memory = found->second;
    if (isNew) {
        memory.name = imageWords(width, height);
        memory.isImage = true;
    }
    memory.history = {}; // The EGLStream orders the producer before later work of this stream.
    memory.turn = FrameTurn::Acquired;
    if (EglStreams::Consumer *connection = m_eglStreams.consumer(consumer))
        connection->frame = image;
    return isNew;
}

void HazardLedger::frameNumber(Object consumer, std::uint64_t number)
{
    const std::lock_guard lock(m_mutex);
    EglStreams::Consumer *connection = m_eglStreams.consumer(consumer);
    if (!connection)
        return;
    connection->turn = number == connection->number ? FrameTurn::Repeated : FrameTurn::Acquired;
    connection->number = number;
    if (Memory *memory = memoryOf(connection->frame))
        memory->turn = connection->turn;
}

void HazardLedger::release(Object consumer, Object stream, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    const QueueId id = append(stream, kStreamName);
    EglStreams::Consumer *connection = m_eglStreams.consumer(consumer);
    Memory *memory = connection ? memoryOf(connection->frame) : nullptr;
    if (!memory)
        return;
    if (const auto work = memory->history.inFlight(m_queues[id].clock))
        report(RuleId::E6, *memory, releasedWords(*work), work, std::nullopt, caller);
    memory->history = {}; // The EGLStream orders this stream before the producer.
    memory->turn = connection->turn = FrameTurn::Released;
    connection->frame = nullptr;
}

void HazardLedger::glDrawsFrame(Object consumer, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    const EglStreams::Consumer *connection = m_eglStreams.consumer(consumer);
    if (connection && e4(connection->turn))
        report(RuleId::E4, {}, repeatWords(AccessKind::GlCommand), std::nullopt, std::nullopt, caller);
}

/// Whether the access is the turn of the other side, so that its order says nothing.
bool HazardLedger::checkFrameUse(const Memory &memory, const MemoryAccess &next, const Caller &caller)
{
    if (e6(memory.turn, next.access)) {
        report(RuleId::E6, memory, outOfTurnWords(memory.turn, next), std::nullopt, next, caller);
        return true;
    }
    if (e4(memory.turn))
        report(RuleId::E4, memory, repeatWords(next.kind), std::nullopt, next, caller);
    return false;
}

} // namespace jetscope
