// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/commands.h"

#include "app/commandline/console.h"
#include "app/remote/commandserver.h"
#include "gpu/remote/detachedprocess.h"
#include "gpu/remote/serverprocess.h"

#include <chrono>
#include <cstdlib>
#include <unistd.h>

namespace jetscope {

namespace {

constexpr std::chrono::seconds kLongestAlone{600};

/// What the server is: opens pipelines without a window.
int serveDetached(const std::string &path, std::chrono::seconds longestAlone)
{
    const auto display = std::make_shared<PipelineDisplay>(GlShare());
    const Status served = runServer(path, localHost(display, HostPictures::None), longestAlone);
    return served.ok() ? Good : complain(served.error(), Failed);
}

/// What the server of a command is.
int serveCommandDetached(const std::string &path, std::chrono::seconds longestAlone)
{
    const Status served = runCommandServer(path, longestAlone);
    return served.ok() ? Good : complain(served.error(), Failed);
}

} // namespace

int serveCommand(const Options &options)
{
    const std::optional<std::string> &command = options.serve.command;
    const Result<std::string> path = command ? commandSocketPath(*command) : serverSocketPath();
    if (!path.ok())
        return complain(path.error(), Failed);
    const std::chrono::seconds alone(options.serve.alone.value_or(
        static_cast<std::uint64_t>((command ? kLongestCommandAlone : kLongestAlone).count())));
    if (options.serve.detached)
        return command ? serveCommandDetached(path.value(), alone) : serveDetached(path.value(), alone);
    std::vector<std::string> words{"serve", "--detached", "--alone", std::to_string(alone.count())};
    if (command)
        words.insert(words.end(), {"--command", *command});
    const Result<FileDescriptor> server =
        options.serve.joins ? connectTo(path.value()) : connectOrStart(path.value(), [&] {
            return startDetached(path.value(), words, command ? WorkingFolder::Same : WorkingFolder::Root);
        });
    if (!server.ok() && options.serve.joins) {
        refuseCommand();
        return Failed;
    }
    if (!server.ok())
        return complain(server.error(), Failed);
    runProxy(STDIN_FILENO, STDOUT_FILENO, server.value());
    std::_Exit(Good); // A thread may wait for input.
}

} // namespace jetscope
