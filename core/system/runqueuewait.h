// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace jetscope {

/// For how long a thread could have run while the processors had others, as the kernel counts it. Reading it costs a
/// system call. The thread that reads first is the one that is meant, and the only one that may read.
class RunQueueWait {
public:
    RunQueueWait() = default;
    ~RunQueueWait();
    RunQueueWait(const RunQueueWait &) = delete;
    RunQueueWait &operator=(const RunQueueWait &) = delete;

    /// Since the thread began; none if the kernel does not tell.
    std::optional<std::int64_t> ns();

private:
    int m_file = -1;
    bool m_isOpened = false;
};

} // namespace jetscope
