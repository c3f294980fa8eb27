// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/unpacker.h"

#include <zlib.h>

#include <algorithm>
#include <limits>

namespace jetscope {

namespace {

class GzipUnpacker : public Unpacker {
public:
    GzipUnpacker() : m_ready(inflateInit2(&m_stream, kGzipWindow) == Z_OK) {}
    ~GzipUnpacker() override
    {
        if (m_ready)
            inflateEnd(&m_stream);
    }
    GzipUnpacker(const GzipUnpacker &) = delete;
    GzipUnpacker &operator=(const GzipUnpacker &) = delete;

    bool ready() const { return m_ready; }
    bool atEnd() const override { return m_betweenMembers; }

    Unpacker::Step unpack(std::string_view packed, std::span<char> to) override
    {
        constexpr std::size_t kMax = std::numeric_limits<uInt>::max();
        if (m_betweenMembers && !packed.empty()) {
            // gzip allows concatenated files and ignores any other data after the end.
            if (packed.front() != '\x1f')
                return {packed.size(), 0, false};
            inflateReset(&m_stream);
            m_betweenMembers = false;
        }
        m_stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(packed.data())); // zlib only reads it.
        m_stream.avail_in = static_cast<uInt>(std::min(packed.size(), kMax));
        m_stream.next_out = reinterpret_cast<Bytef *>(to.data());
        m_stream.avail_out = static_cast<uInt>(std::min(to.size(), kMax));
        const uInt in = m_stream.avail_in;
        const uInt out = m_stream.avail_out;
        const int answer = inflate(&m_stream, Z_NO_FLUSH);
        m_betweenMembers = answer == Z_STREAM_END;
        const bool damaged = answer != Z_OK && answer != Z_STREAM_END && answer != Z_BUF_ERROR;
        return {in - m_stream.avail_in, out - m_stream.avail_out, damaged};
    }

private:
    static constexpr int kGzipWindow = 16 + MAX_WBITS; // 16 selects gzip's header and checksum.

    z_stream m_stream{};
    bool m_ready;
    bool m_betweenMembers = false;
};

} // namespace

std::unique_ptr<Unpacker> gzipUnpacker()
{
    auto unpacker = std::make_unique<GzipUnpacker>();
    return unpacker->ready() ? std::move(unpacker) : nullptr;
}

} // namespace jetscope
