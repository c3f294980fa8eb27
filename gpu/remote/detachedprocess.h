// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "core/system/filedescriptor.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace jetscope {

// A process of this program that outlives every connection, and the proxy that ssh starts for each of them. They meet
// at a socket in the file system that only this user can open; nothing listens on a network.

/// The path of the socket of this name, with a mark of this machine, since machines may share a home folder: below
/// $XDG_CACHE_HOME or ~/.cache, else below $XDG_RUNTIME_DIR. Not there first, because systemd empties it when the last
/// login ends, as a cut of ssh may be. Creates the folder, with no access for others.
Result<std::string> ownSocketPath(const std::string &name);

/// Listens for processes of this user. One thread.
class OwnListener {
public:
    static Result<OwnListener> at(const std::string &path);

    int descriptor() const { return m_socket.get(); }
    /// Not open: nobody of this user connects.
    FileDescriptor accept() const;
    /// Nobody finds it any more.
    void hide() const;

private:
    OwnListener(std::string path, FileDescriptor socket) : m_path(std::move(path)), m_socket(std::move(socket)) {}

    std::string m_path;
    FileDescriptor m_socket;
};

Result<FileDescriptor> connectTo(const std::string &path);
/// Connects to the process that listens at this path. If there is none, `start` starts it, once among all who try at
/// the same time; it returns when that listens, or why it cannot.
Result<FileDescriptor> connectOrStart(const std::string &path, const std::function<Status()> &start);

enum class WorkingFolder { Root, Same };
/// Starts the program with these arguments so that it outlives this process and its terminal, and waits until it
/// listens at the path. Its messages go to PATH.log.
Status startDetached(const std::string &path, const std::vector<std::string> &arguments,
                     WorkingFolder folder = WorkingFolder::Root);

/// Copies between these descriptors and the process's, until one of them ends.
void runProxy(int in, int out, const FileDescriptor &process);

} // namespace jetscope
