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

/// Both ends of an EGLStream on the device: its producer presents what its consumer acquires. The stand-in for a camera
/// that presents frames. Order: the consumer connects, the producer connects, frames travel, the producer disconnects,
/// the stream goes. Pipeline thread.
class StreamLoop {
public:
    static Result<std::shared_ptr<StreamLoop>> create(int width, int height, const TransferContext &context,
                                                      const EglStreamApi &api);
    ~StreamLoop();
    StreamLoop(const StreamLoop &) = delete;
    StreamLoop &operator=(const StreamLoop &) = delete;

    /// Makes a frame of `work`, which has an input and nothing else, sends it through the stream and points `launch` at
    /// it.
    Status send(ChainLaunch work, std::uint32_t frame, Stream &stream, ChainLaunch &launch);
    /// Behind the kernels that read the frame.
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

/// Lets frames of any memory kind take the way through the loop.
std::unique_ptr<TransferBuffer> streamed(std::unique_ptr<TransferBuffer> inner, std::shared_ptr<StreamLoop> loop);

} // namespace jetscope
