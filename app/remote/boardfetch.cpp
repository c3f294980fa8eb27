// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/remote/boardfetch.h"

#include "app/commandline/console.h"
#include "app/commandline/interrupt.h"
#include "app/commandline/jsonvalues.h"
#include "app/commandline/progressline.h"
#include "core/progress.h"
#include "core/remote/reach/reachboard.h"
#include "core/time/clock.h"
#include "gpu/remote/remotehost.h"

#include <algorithm>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <memory>

namespace jetscope {

namespace {

/// A connection to the server of the board, which is started if there is none.
Dialer dialerOf(const BoardAddress &board, int cancel)
{
    return [board, cancel]() -> Result<LinkEnds> {
        ReachWish wish;
        wish.arguments = {"serve"};
        wish.cancel = cancel;
        JETSCOPE_TRY_ASSIGN(ReachedBoard reached, reachBoard(board, wish));
        // The link closes descriptors of its own.
        LinkEnds ends{FileDescriptor(::fcntl(reached.end->output(), F_DUPFD_CLOEXEC, 0)),
                      FileDescriptor(::fcntl(reached.end->input(), F_DUPFD_CLOEXEC, 0)),
                      std::shared_ptr<FarEnd>(std::move(reached.end))};
        if (!ends.in.isOpen() || !ends.out.isOpen())
            return sentence("this program has too many open files");
        return ends;
    };
}

std::string progressText(const std::string &name, const FetchProgress &progress)
{
    char text[96];
    if (progress.step == FetchProgress::Step::Away)
        std::snprintf(text, sizeof text, "the board is away for %.0f s",
                      static_cast<double>(progress.away.count()) / 1e3);
    else if (progress.step == FetchProgress::Step::Checking)
        std::snprintf(text, sizeof text, "comparing checksums");
    else
        std::snprintf(text, sizeof text, "%.1f of %.1f MB, %.1f MB/s", static_cast<double>(progress.bytes) / 1e6,
                      static_cast<double>(progress.size) / 1e6, progress.bytesPerSecond / 1e6);
    return "fetching " + name + ": " + text;
}

} // namespace

int fetchFromBoard(const Options &options)
{
    const BoardAddress &board = options.hosts.front();
    const std::string &name = *options.captures.fetch;
    const Interrupt interrupt;
    RemoteWish wish;
    wish.follows = false;
    const Result<std::shared_ptr<RemoteHost>> host = RemoteHost::connect(dialerOf(board, interrupt.descriptor()), wish);
    if (!host.ok())
        return wasCancelled(host.error()) ? static_cast<int>(Failed) : complain(host.error(), Failed);
    const std::string path = options.captures.outPath.value_or(name);
    ProgressLine line;
    const Status fetched = host.value()->fetchCapture(name, path, [&](const FetchProgress &progress) {
        if (!progress.said.empty())
            complain(progress.said);
        const double whole = static_cast<double>(std::max<std::uint64_t>(1, progress.size));
        line.show(static_cast<double>(progress.bytes) / whole, progressText(name, progress), nowNs());
        return !interrupt.requested();
    });
    line.clear();
    if (!fetched.ok())
        return wasCancelled(fetched.error())
            ? complain(sentence("cancelled: what came is kept, and the same command goes on with it"), Failed)
            : complain(fetched.error(), Failed);
    if (!options.json)
        return finishWith(path + "\n", Good);
    std::error_code unknown;
    return finishWith(
        jsonLine({{"capture", name}, {"out", path}, {"bytes", std::filesystem::file_size(path, unknown)}}), Good);
}

} // namespace jetscope
