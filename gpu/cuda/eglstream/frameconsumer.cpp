// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/eglstream/frameconsumer.h"

#include "gpu/cuda/cudastream.h"
#include "gpu/cuda/eglstream/streamreader.h"

namespace jetscope {

namespace {

class CudaFrameConsumer final : public FrameConsumer {
public:
    explicit CudaFrameConsumer(std::unique_ptr<StreamReader> reader) : m_reader(std::move(reader)) {}

    Result<std::optional<Acquired>> acquire(Stream &stream) override
    {
        return m_reader->acquire(static_cast<CudaStream &>(stream).native());
    }
    Status release(Stream &stream) override { return m_reader->release(static_cast<CudaStream &>(stream).native()); }

private:
    const std::unique_ptr<StreamReader> m_reader;
};

} // namespace

Result<std::unique_ptr<FrameConsumer>> connectCudaConsumer(void *eglStream)
{
    JETSCOPE_TRY_ASSIGN(std::unique_ptr<StreamReader> reader, StreamReader::connect(realEglFrameApi(), eglStream));
    return std::unique_ptr<FrameConsumer>(std::make_unique<CudaFrameConsumer>(std::move(reader)));
}

} // namespace jetscope
