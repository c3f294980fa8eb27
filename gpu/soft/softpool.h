// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/device/device.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace jetscope {

/// The memory pool of the software iGPU: blocks that streams allocate and free in their order. A block that was freed
/// is given out again at once in the same stream, whose earlier work is done before, and in another stream once that
/// work is done. What nobody uses goes back to the system when a thread waits, down to the release threshold. Any
/// thread.
class SoftPool {
public:
    ~SoftPool();

    /// `streamId` allocates behind its work so far.
    Result<std::unique_ptr<Buffer>> allocate(std::size_t bytes, std::uint64_t streamId);
    /// Work behind item `sequence` of the stream may no longer use the buffer. False if it was freed before.
    bool free(Buffer &buffer, std::uint64_t streamId, std::uint64_t sequence);
    /// The stream is done up to `sequence`, which a thread has waited for.
    void observed(std::uint64_t streamId, std::uint64_t sequence);

    void keep(std::uint64_t bytes);
    PoolUse use() const;

private:
    class PoolBuffer;
    struct Block {
        std::byte *memory = nullptr;
        std::size_t bytes = 0;
        bool isUsed = false;
        std::uint64_t stream = 0;   ///< Where it was freed, and behind which item.
        std::uint64_t sequence = 0; ///< 0 once that is done.
    };
    void giveBack(std::byte *memory);
    void trim();

    mutable std::mutex m_mutex;
    std::vector<Block> m_blocks;
    std::uint64_t m_threshold = 0;
};

} // namespace jetscope
