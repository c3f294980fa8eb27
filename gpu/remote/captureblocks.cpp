// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/captureblocks.h"

#include <algorithm>
#include <cerrno>
#include <unistd.h>
#include <utility>

namespace jetscope {

CaptureBlocks::CaptureBlocks(std::uint32_t id, FileDescriptor file, std::uint64_t fromByte, std::uint64_t size,
                             std::function<void(bool)> atEnd)
    : m_id(id), m_file(std::move(file)), m_at(fromByte), m_size(size), m_atEnd(std::move(atEnd))
{
}

std::optional<Message> CaptureBlocks::next()
{
    FileBlock block{m_id, m_at, {}};
    if (m_at < m_size) {
        block.bytes.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kMaxFileBlock, m_size - m_at)));
        ssize_t size = 0;
        do {
            size = ::pread(m_file.get(), block.bytes.data(), block.bytes.size(), static_cast<off_t>(m_at));
        } while (size < 0 && errno == EINTR);
        block.bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(0, size)));
    }
    if (block.bytes.empty()) {
        m_atEnd(m_at == m_size);
        return std::nullopt;
    }
    m_at += block.bytes.size();
    return messageOf(block);
}

} // namespace jetscope
