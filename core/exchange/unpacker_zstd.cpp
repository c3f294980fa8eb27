// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/unpacker.h"

#include <zstd.h>

namespace jetscope {

namespace {

class ZstdUnpacker : public Unpacker {
public:
    ZstdUnpacker() : m_stream(ZSTD_createDStream()) {}
    bool ready() const { return m_stream != nullptr; }
    bool atEnd() const override { return m_betweenFrames; }

    Step unpack(std::string_view packed, std::span<char> to) override
    {
        ZSTD_inBuffer in{packed.data(), packed.size(), 0};
        ZSTD_outBuffer out{to.data(), to.size(), 0};
        const std::size_t answer = ZSTD_decompressStream(m_stream.get(), &out, &in);
        if (in.pos > 0 || out.pos > 0) // Otherwise the result refers to the next frame's header.
            m_betweenFrames = answer == 0;
        return {in.pos, out.pos, ZSTD_isError(answer) != 0};
    }

private:
    struct Free {
        void operator()(ZSTD_DStream *stream) const { ZSTD_freeDStream(stream); }
    };
    std::unique_ptr<ZSTD_DStream, Free> m_stream;
    bool m_betweenFrames = false;
};

} // namespace

std::unique_ptr<Unpacker> zstdUnpacker()
{
    auto unpacker = std::make_unique<ZstdUnpacker>();
    return unpacker->ready() ? std::move(unpacker) : nullptr;
}

bool readsZstd()
{
    return true;
}

} // namespace jetscope
