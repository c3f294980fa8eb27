// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/serverprocess.h"

#include "core/remote/wire/buildid.h"
#include "gpu/remote/detachedprocess.h"
#include "gpu/remote/remoteserver.h"

#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <utility>

namespace jetscope {

namespace {

constexpr int kLookEveryMs = 200;

} // namespace

Result<std::string> serverSocketPath()
{
    return ownSocketPath(std::string("serve-") + buildId());
}

Status runServer(const std::string &path, std::shared_ptr<PipelineHost> host, std::chrono::seconds longestAlone)
{
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGHUP, SIG_IGN);
    JETSCOPE_TRY_ASSIGN(const OwnListener listener, OwnListener::at(path));
    RemoteServer server(std::move(host), CaptureFolder::ofUser());
    for (;;) {
        pollfd waiting{listener.descriptor(), POLLIN, 0};
        if (::poll(&waiting, 1, kLookEveryMs) > 0) {
            FileDescriptor laptop = listener.accept();
            if (!laptop.isOpen())
                continue;
            FileDescriptor out(::fcntl(laptop.get(), F_DUPFD_CLOEXEC, 0));
            server.add({std::move(laptop), std::move(out)});
        } else if (const auto alone = server.aloneFor(); alone && *alone >= longestAlone) {
            listener.hide(); // While it listens: who comes now starts another one.
            return {};
        }
    }
}

} // namespace jetscope
