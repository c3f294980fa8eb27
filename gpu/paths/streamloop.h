// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/paths/streaminput.h"
#include "gpu/paths/transferbuffer.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace jetscope {

/// Both ends of an EGLStream on one device: the consumer acquires what the producer presents. Stands in for a camera
/// that presents frames. Order: the consumer connects, the producer connects, frames pass, the producer disconnects,
/// the stream is destroyed. Pipeline thread.
class StreamLoop {
public:
    static Result<std::shared_ptr<StreamLoop>> create(int width, int height, const TransferContext &context,
                                                      const EglStreamApi &api);
    ~StreamLoop();
    StreamLoop(const StreamLoop &) = delete;
    StreamLoop &operator=(const StreamLoop &) = delete;

    /// Converts the input of `work` to a frame, sends it through the stream and sets the input of `launch` to it.
    /// `work` has an input and nothing else.
    Status send(ChainLaunch work, std::uint32_t frame, Stream &stream, ChainLaunch &launch);
    /// Call after the kernels that read the frame are enqueued.
    Status release(Stream &stream) { return m_input->release(stream); }

    Device &device() const { return m_context.device; }
    std::uint64_t bytesCopied() const { return m_bytes; }
    /// Any thread.
    StreamCounts counts() const { return m_input->counts(); }

private:
    explicit StreamLoop(const TransferContext &context) : m_context(context) {}
    Result<Image *> freeFrame(Stream &stream);

    const TransferContext m_context;
    std::unique_ptr<StreamInput> m_input;
    std::vector<std::unique_ptr<Image>> m_frames;
    std::unique_ptr<FrameProducer> m_producer;
    std::deque<Image *> m_free;
    std::uint64_t m_presented = 0;
    std::uint64_t m_bytes = 0;
};

/// Sends the frames of any memory kind through the loop.
std::unique_ptr<TransferBuffer> streamed(std::unique_ptr<TransferBuffer> inner, std::shared_ptr<StreamLoop> loop);

} // namespace jetscope
