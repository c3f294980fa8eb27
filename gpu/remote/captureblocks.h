// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/remote/wire/contents.h"
#include "core/system/filedescriptor.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace jetscope {

/// A file as messages, one after the other, for Link::setSource. One thread at a time.
class CaptureBlocks {
public:
    /// `atEnd` is called once, behind the last block: whether all of the file was read.
    CaptureBlocks(std::uint32_t id, FileDescriptor file, std::uint64_t fromByte, std::uint64_t size,
                  std::function<void(bool isWhole)> atEnd);

    std::optional<Message> next();

private:
    const std::uint32_t m_id;
    const FileDescriptor m_file;
    std::uint64_t m_at;
    const std::uint64_t m_size;
    const std::function<void(bool)> m_atEnd;
};

} // namespace jetscope
