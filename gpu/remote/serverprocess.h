// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "core/system/filedescriptor.h"
#include "gpu/remote/pipelinehost.h"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace jetscope {

// The server as a process of its own that outlives every connection, and the proxy that ssh starts for each of them.
// They meet at a socket in the file system that only this user can open; nothing listens on a network.

/// Where the server of this user and build listens: below $XDG_CACHE_HOME or ~/.cache, else below $XDG_RUNTIME_DIR. Not
/// there first, because systemd empties it when the last login ends, as a cut of ssh may be. Creates the folder, with
/// no access for others.
Result<std::string> serverSocketPath();

/// Connects to the server at this path. If there is none, `start` starts it, once among all who try at the same time;
/// it returns when the server listens, or why it cannot.
Result<FileDescriptor> connectToServer(const std::string &path, const std::function<Status()> &start);

/// Starts the program with these arguments so that it outlives this process and its terminal, and waits until it
/// listens at the path. Its messages go to PATH.log.
Status startDetached(const std::string &path, const std::vector<std::string> &arguments);

/// Serves at this path until nobody has been connected for `longestAlone`.
Status runServer(const std::string &path, std::shared_ptr<PipelineHost> host, std::chrono::seconds longestAlone);

/// Copies between these descriptors and the server's, until one of them ends.
void runProxy(int in, int out, const FileDescriptor &server);

} // namespace jetscope
