// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/remote/wire/packing.h"

#include <algorithm>
#include <memory>
#include <zstd.h>

namespace jetscope {

namespace {

constexpr int kLevel = 1;
constexpr std::size_t kStep = 64 << 10;
/// The largest window that a message needs; a frame that wants more memory is refused.
constexpr int kMaxWindowLog = 24;

struct FreeStream {
    void operator()(ZSTD_DStream *stream) const { ZSTD_freeDStream(stream); }
};

} // namespace

bool packsMessages()
{
    return true;
}

std::optional<std::vector<std::byte>> pack(std::span<const std::byte> bytes)
{
    std::vector<std::byte> packed(bytes.size());
    const std::size_t size = ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), kLevel);
    if (ZSTD_isError(size) != 0 || size >= bytes.size())
        return std::nullopt;
    packed.resize(size);
    return packed;
}

std::optional<std::vector<std::byte>> unpack(std::span<const std::byte> packed, std::size_t most)
{
    const std::unique_ptr<ZSTD_DStream, FreeStream> stream(ZSTD_createDStream());
    if (!stream || ZSTD_isError(ZSTD_DCtx_setParameter(stream.get(), ZSTD_d_windowLogMax, kMaxWindowLog)) != 0)
        return std::nullopt;
    ZSTD_inBuffer in{packed.data(), packed.size(), 0};
    std::vector<std::byte> bytes;
    for (;;) {
        const std::size_t before = bytes.size();
        if (before > most)
            return std::nullopt;
        bytes.resize(before + std::min(kStep, most + 1 - before));
        ZSTD_outBuffer out{bytes.data(), bytes.size(), before};
        const std::size_t left = ZSTD_decompressStream(stream.get(), &out, &in);
        bytes.resize(out.pos);
        if (ZSTD_isError(left) != 0)
            return std::nullopt;
        if (left == 0) // The frame is whole: nothing may follow.
            return in.pos == in.size && bytes.size() <= most ? std::optional(std::move(bytes)) : std::nullopt;
        if (in.pos == in.size && out.pos < out.size)
            return std::nullopt; // It is truncated.
    }
}

} // namespace jetscope
