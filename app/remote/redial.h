// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/remote/reach/reachboard.h"
#include "core/result.h"
#include "core/system/filedescriptor.h"

#include <chrono>
#include <optional>
#include <thread>

namespace jetscope {

/// Reaches a board again on threads of its own, one after the other, with pauses that grow. One thread uses it.
class Redial {
public:
    /// `wish` without what is called or waited for: that of the first connection.
    Redial(BoardAddress board, ReachWish wish);
    /// Cancels what goes on.
    ~Redial();
    Redial(const Redial &) = delete;
    Redial &operator=(const Redial &) = delete;

    /// Becomes readable with a result.
    int descriptor() const { return m_done.get(); }
    /// The result of a try, once; begins the next one when its time has come.
    std::optional<Result<ReachedBoard>> take();

private:
    void begin();

    const BoardAddress m_board;
    ReachWish m_wish;
    FileDescriptor m_done;                        ///< An eventfd.
    FileDescriptor m_cancel;                      ///< The same.
    std::optional<Result<ReachedBoard>> m_result; ///< The thread's until m_done is readable.
    std::thread m_thread;
    std::chrono::steady_clock::time_point m_next; ///< Of the next try.
    std::chrono::milliseconds m_pause{250};
};

} // namespace jetscope
