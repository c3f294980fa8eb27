// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace jetscope {

/// An array that grows at its end and shrinks at either, in blocks that never move once full. Indices count
/// from the first element ever added. The elements of one aligned group of 16 are contiguous. A copy shares the blocks,
/// so it costs little; it may be read on another thread while the original grows, because elements never change.
template <class T, std::size_t kBlock = 1024>
class BlockList {
    static_assert(std::is_trivially_copyable_v<T> && std::has_single_bit(kBlock) && kBlock >= 16);

public:
    BlockList() = default;
    BlockList(const BlockList &other)
        : m_blocks(other.m_blocks),
          m_dropped(other.m_dropped),
          m_first(other.m_first),
          m_end(other.m_end),
          m_capacityEnd(other.m_end) // What the original adds to the last block is none of its own.
    {
    }
    BlockList(BlockList &&) noexcept = default;
    BlockList &operator=(BlockList &&) noexcept = default;

    std::uint64_t firstIndex() const { return m_first; }
    std::uint64_t endIndex() const { return m_end; }

    /// `index` must be in [firstIndex, endIndex).
    const T &operator[](std::uint64_t index) const { return m_blocks[index / kBlock - m_dropped][index % kBlock]; }
    const T &back() const { return (*this)[m_end - 1]; }

    void push(const T &value)
    {
        if (m_end == m_capacityEnd)
            grow();
        m_tail[m_end++ % kBlock] = value;
    }

    /// Frees the blocks that lie completely before `index`.
    void dropBefore(std::uint64_t index)
    {
        m_first = std::clamp(index, m_first, m_end);
        const auto gone =
            static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(m_first / kBlock - m_dropped, m_blocks.size()));
        m_blocks.erase(m_blocks.begin(), m_blocks.begin() + gone);
        m_dropped += static_cast<std::uint64_t>(gone);
    }

    /// Forgets the elements from `index` on. Copies keep theirs: the last block is moved before it is added to.
    void cutFrom(std::uint64_t index)
    {
        m_end = m_capacityEnd = std::clamp(index, m_first, m_end);
        m_blocks.resize(static_cast<std::size_t>((m_end + kBlock - 1) / kBlock - m_dropped));
    }

    std::uint64_t memoryBytes() const
    {
        const std::uint64_t elements = m_capacityEnd - std::min(m_capacityEnd, m_dropped * kBlock);
        return elements * sizeof(T) + m_blocks.capacity() * sizeof(m_blocks[0]);
    }

private:
    using Block = std::shared_ptr<T[]>;

    /// The very first block grows by doubling, because a trace may have thousands of lists with only a few elements. A
    /// copy moves its last block before it adds to it.
    void grow()
    {
        const std::size_t used = m_end % kBlock;
        if (used == 0) {
            const std::size_t capacity = m_end == 0 ? 16 : kBlock;
            m_blocks.push_back(Block(new T[capacity]));
            m_capacityEnd += capacity;
        } else {
            const std::size_t capacity = std::clamp<std::size_t>(used * 2, 16, kBlock);
            Block larger(new T[capacity]);
            std::copy_n(m_blocks.back().get(), used, larger.get());
            m_blocks.back() = std::move(larger);
            m_capacityEnd += capacity - used;
        }
        m_tail = m_blocks.back().get();
    }

    std::vector<Block> m_blocks;
    T *m_tail = nullptr;         ///< The last block.
    std::uint64_t m_dropped = 0; ///< Freed blocks.
    std::uint64_t m_first = 0;
    std::uint64_t m_end = 0;
    std::uint64_t m_capacityEnd = 0;
};

} // namespace jetscope
