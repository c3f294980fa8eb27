// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/commands.h"

#include "app/commandline/console.h"
#include "gpu/remote/detachedprocess.h"
#include "gpu/remote/serverprocess.h"

#include <cstdlib>
#include <unistd.h>

namespace jetscope {

namespace {

constexpr std::uint64_t kLongestAloneSeconds = 600;

/// What the server is: opens pipelines without a window.
int serveDetached(const std::string &path, std::chrono::seconds longestAlone)
{
    const auto display = std::make_shared<PipelineDisplay>(GlShare());
    const Status served = runServer(path, localHost(display, HostPictures::None), longestAlone);
    return served.ok() ? Good : complain(served.error(), Failed);
}

} // namespace

int serveCommand(const Options &options)
{
    const Result<std::string> path = serverSocketPath();
    if (!path.ok())
        return complain(path.error(), Failed);
    const std::uint64_t alone = options.serve.alone.value_or(kLongestAloneSeconds);
    if (options.serve.detached)
        return serveDetached(path.value(), std::chrono::seconds(alone));
    const Result<FileDescriptor> server = connectOrStart(path.value(), [&] {
        return startDetached(path.value(), {"serve", "--detached", "--alone", std::to_string(alone)});
    });
    if (!server.ok())
        return complain(server.error(), Failed);
    runProxy(STDIN_FILENO, STDOUT_FILENO, server.value());
    std::_Exit(Good); // A thread may wait for input.
}

} // namespace jetscope
