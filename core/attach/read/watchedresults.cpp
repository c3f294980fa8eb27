// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/read/watchedresults.h"

#include "core/attach/format/attachformat.h"

#include <cerrno>
#include <system_error>

namespace jetscope {

std::string WatchedResults::refusal() const
{
    if (refused == 0)
        return {};
    std::string text = std::to_string(refused) + " of "
        + std::to_string(std::uint64_t{watched} + std::uint64_t{refused})
        + " results of copies were not watched for the CPU's accesses, because ";
    if (error == JSA_WATCH_SEES_NOTHING)
        return text
            + "a watch of a variable that was then changed saw nothing: this virtual machine passes no watchpoints on";
    text += "the kernel refuses (perf_event_open: " + std::generic_category().message(error) + ")";
    if (error == EPERM || error == EACCES)
        text += ": kernel.perf_event_paranoid must be at most 2 (sudo sysctl kernel.perf_event_paranoid=2), and a "
                "container must permit the call (docker run --cap-add PERFMON)";
    else if (error == ENOSPC || error == EBUSY)
        text += ": all debug registers of the processor are in use, maybe by a debugger";
    else if (error == ENOENT || error == ENODEV || error == EOPNOTSUPP || error == EINVAL || error == ENOSYS)
        text += ": kernel, processor or emulator have no watchpoints";
    return text;
}

} // namespace jetscope
