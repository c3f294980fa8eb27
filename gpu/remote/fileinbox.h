// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/remote/wire/contents.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

namespace jetscope {

/// A file on its way from the thread that reads a connection to the one that writes it to a disk. The first waits if
/// the disk is slower, so that memory is bounded. Any thread.
class FileInbox {
public:
    FileInbox(std::uint32_t id, std::uint64_t fromByte) : m_id(id), m_next(fromByte) {}

    std::uint32_t id() const { return m_id; }

    /// False: the block cannot be.
    bool put(FileBlock block);
    void put(FileEnd end);
    /// Nothing more comes: the connection was cut.
    void cut();
    /// Nobody takes any more.
    void close();

    struct Taken {
        std::vector<std::byte> bytes; ///< The next ones; may be none.
        std::optional<FileEnd> end;   ///< Behind all bytes.
        bool isCut = false;           ///< The same.
    };
    /// Waits at most so long.
    Taken take(std::chrono::milliseconds timeout);

private:
    static constexpr std::size_t kMostBytes = 4 << 20;

    const std::uint32_t m_id;
    std::mutex m_mutex; ///< For all below.
    std::condition_variable m_changed;
    std::deque<std::vector<std::byte>> m_blocks;
    std::size_t m_bytes = 0;
    std::uint64_t m_next;
    std::optional<FileEnd> m_end;
    bool m_isCut = false;
    bool m_isClosed = false;
};

} // namespace jetscope
