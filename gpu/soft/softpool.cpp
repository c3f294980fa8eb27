// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/soft/softpool.h"

#include "gpu/soft/softmemory.h"

#include <algorithm>

#include <sys/mman.h>

namespace jetscope {

/// An allocation. Its block may be another one's before it is destroyed.
class SoftPool::PoolBuffer final : public Buffer {
public:
    PoolBuffer(SoftPool &pool, std::byte *memory, std::size_t bytes)
        : Buffer(Allocation::Pool, nullptr, memory, bytes), m_pool(pool)
    {
    }
    ~PoolBuffer() override
    {
        if (!isFreed)
            m_pool.giveBack(device());
    }

    bool isFreed = false;

private:
    SoftPool &m_pool;
};

SoftPool::~SoftPool()
{
    for (const Block &block : m_blocks)
        munmap(block.memory, block.bytes);
}

Result<std::unique_ptr<Buffer>> SoftPool::allocate(std::size_t bytes, std::uint64_t streamId)
{
    const std::size_t size = pageRounded(bytes);
    const std::lock_guard lock(m_mutex);
    auto block = std::find_if(m_blocks.begin(), m_blocks.end(), [&](const Block &each) {
        return !each.isUsed && each.bytes == size && (each.sequence == 0 || each.stream == streamId);
    });
    if (block == m_blocks.end()) {
        void *memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED)
            return Error{"cudaMallocAsync", 2,
                         std::to_string(bytes)
                             + " bytes could not be had; choose a smaller frame size or fewer frames "
                               "in flight"};
        block = m_blocks.insert(m_blocks.end(), Block{static_cast<std::byte *>(memory), size});
    }
    block->isUsed = true;
    return std::unique_ptr<Buffer>(std::make_unique<PoolBuffer>(*this, block->memory, bytes));
}

bool SoftPool::free(Buffer &buffer, std::uint64_t streamId, std::uint64_t sequence)
{
    auto &pooled = static_cast<PoolBuffer &>(buffer);
    const std::lock_guard lock(m_mutex);
    if (std::exchange(pooled.isFreed, true))
        return false;
    for (Block &block : m_blocks)
        if (block.memory == buffer.device()) {
            block.isUsed = false;
            block.stream = streamId;
            block.sequence = sequence;
        }
    return true;
}

/// Of a buffer that was destroyed without being freed in a stream; its work is done.
void SoftPool::giveBack(std::byte *memory)
{
    const std::lock_guard lock(m_mutex);
    for (Block &block : m_blocks)
        if (block.memory == memory) {
            block.isUsed = false;
            block.sequence = 0;
        }
    trim();
}

void SoftPool::observed(std::uint64_t streamId, std::uint64_t sequence)
{
    const std::lock_guard lock(m_mutex);
    for (Block &block : m_blocks)
        if (!block.isUsed && block.stream == streamId && block.sequence <= sequence)
            block.sequence = 0;
    trim();
}

/// With the mutex locked.
void SoftPool::trim()
{
    std::uint64_t reserved = 0;
    for (const Block &block : m_blocks)
        reserved += block.bytes;
    std::erase_if(m_blocks, [&](const Block &block) {
        if (block.isUsed || block.sequence != 0 || reserved <= m_threshold)
            return false;
        reserved -= block.bytes;
        munmap(block.memory, block.bytes);
        return true;
    });
}

void SoftPool::keep(std::uint64_t bytes)
{
    const std::lock_guard lock(m_mutex);
    m_threshold = bytes;
}

PoolUse SoftPool::use() const
{
    const std::lock_guard lock(m_mutex);
    PoolUse use;
    use.releaseThreshold = m_threshold;
    for (const Block &block : m_blocks) {
        use.reservedBytes += block.bytes;
        use.usedBytes += block.isUsed ? block.bytes : 0;
    }
    return use;
}

} // namespace jetscope
