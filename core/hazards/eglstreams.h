// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hazards/memory.h"

#include <cstdint>
#include <unordered_map>

namespace jetscope {

/// Whose turn it is to use a frame of an EGLStream.
enum class FrameTurn : std::uint8_t {
    Free,      ///< The producer's, or no frame of an EGLStream at all.
    Presented, ///< The EGLStream's: the producer has presented it and not taken it back.
    Acquired,  ///< The consumer's, which may read it.
    Repeated,  ///< As Acquired, but it is the frame that the consumer had before.
    Released,  ///< The EGLStream's: the consumer had it last.
};

/// Who is connected to which EGLStream, and whose turn each frame is.
class EglStreams {
public:
    using Object = const void *;

    struct Producer {
        Object eglStream = nullptr;
        int width = 0;
        int height = 0;
        int presented = 0; ///< Frames that belong to the EGLStream.
    };

    void connect(Object consumer, Object eglStream) { m_consumers[consumer] = {eglStream}; }
    void connect(Object producer, const Producer &connection) { m_producers[producer] = connection; }
    void disconnectConsumer(Object consumer) { m_consumers.erase(consumer); }
    /// The EGLStream gives all its frames back.
    void disconnectProducer(Object producer);
    /// Null if it is not connected.
    const Producer *producer(Object producer) const;
    bool hasConsumer(Object eglStream) const;

    /// The producer, which is connected, presents the frame.
    void present(Object producer, Object frame);
    void takeBack(Object frame);
    void acquire(Object consumer, Object frame);
    /// EGL's number of the consumer's newest frame tells whether it is a new one.
    void frameNumber(Object consumer, std::uint64_t number);
    void release(Object consumer);
    /// Null if the consumer has none; always null for a GL texture.
    Object acquiredFrame(Object consumer) const;
    /// The memory is no frame any more.
    void removeFrame(Object frame) { m_frames.erase(frame); }

    FrameTurn turnOf(Object frame) const;
    /// The turn of the consumer's newest frame.
    FrameTurn consumersTurn(Object consumer) const;

private:
    struct Consumer {
        Object eglStream = nullptr;
        Object frame = nullptr;   ///< The acquired one; null for a GL texture.
        std::uint64_t number = 0; ///< Of its newest frame; frames are counted from 1.
        FrameTurn turn = FrameTurn::Free;
    };
    struct Frame {
        FrameTurn turn = FrameTurn::Free;
        Object producer = nullptr; ///< That has presented it.
    };

    std::unordered_map<Object, Producer> m_producers;
    std::unordered_map<Object, Consumer> m_consumers;
    std::unordered_map<Object, Frame> m_frames; ///< Those that are not free.
};

// The rules, one function each; true when the call breaks it.

/// A producer connects to an EGLStream that has no consumer yet.
bool e1(const EglStreams &streams, const EglStreams::Producer &connecting);
/// A frame is presented although the EGLStream has as many as it can have.
bool e2(const EglStreams::Producer &producer);
/// A presented frame has another size than the connection.
bool e3(const EglStreams::Producer &producer, int width, int height);
/// A consumer uses a frame that it had before.
bool e4(FrameTurn turn);
/// A frame is used out of turn, or written by its consumer.
bool e6(FrameTurn turn, Access access);

} // namespace jetscope
