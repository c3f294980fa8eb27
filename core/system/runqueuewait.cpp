// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/system/runqueuewait.h"

#include "core/text/parsenumber.h"

#include <fcntl.h>
#include <string_view>
#include <unistd.h>

namespace jetscope {

RunQueueWait::~RunQueueWait()
{
    if (m_file >= 0)
        close(m_file);
}

std::optional<std::int64_t> RunQueueWait::ns()
{
    if (!m_isOpened) {
        m_isOpened = true;
        m_file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    }
    char line[96];
    const ssize_t bytes = m_file < 0 ? -1 : pread(m_file, line, sizeof(line), 0);
    if (bytes <= 0)
        return std::nullopt;
    // Time on a processor, time on a run queue, how often it ran.
    std::string_view text(line, static_cast<std::size_t>(bytes));
    const std::size_t from = text.find(' ');
    if (from == std::string_view::npos)
        return std::nullopt;
    text.remove_prefix(from + 1);
    return parseNumber<std::int64_t>(text.substr(0, text.find(' ')), 0);
}

} // namespace jetscope
