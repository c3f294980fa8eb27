// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/remote/fileinbox.h"

#include <cstdint>
#include <memory>
#include <mutex>

namespace jetscope {

/// The file that comes of a board, one at a time: what comes is for its inbox. Any thread.
class ComingFile {
public:
    std::shared_ptr<FileInbox> open(std::uint64_t fromByte);
    /// No more of it is wanted.
    void close(FileInbox &inbox);

    /// False: it cannot be. What comes late of a file that is not wanted any more is dropped.
    bool take(FileBlock block);
    bool take(FileEnd end);
    /// Nothing more comes.
    void cut();

private:
    std::mutex m_mutex;                 ///< For all below.
    std::shared_ptr<FileInbox> m_inbox; ///< Null: no file comes.
    std::uint32_t m_next = 1;
};

} // namespace jetscope
