// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/remote/remotehost.h"
#include "gpu/remote/remoteserver.h"
#include "tests/support/scriptedhost.h"
#include "tests/support/socketends.h"

#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <mutex>
#include <string>
#include <sys/socket.h>
#include <utility>

namespace jetscope::testing {

/// A board with a scripted pipeline, and the way to it that can be cut.
class ScriptedBoard {
public:
    ScriptedBoard() { restart(); }

    /// As if its server were started anew.
    void restart()
    {
        server.reset();
        host = std::make_shared<ScriptedHost>();
        server = std::make_unique<RemoteServer>(host, CaptureFolder(captures()));
    }
    std::string captures() const { return m_folder.filePath(QStringLiteral("captures")).toStdString(); }
    Dialer dialer()
    {
        return [this]() -> Result<LinkEnds> {
            const std::lock_guard lock(m_mutex);
            if (m_isAway)
                return Error{"ssh", 255, "there is no route to the board"};
            auto ends = socketEnds().value();
            m_toCut = FileDescriptor(dup(ends.first.in.get()));
            server->add(std::move(ends.second));
            return std::move(ends.first);
        };
    }
    /// Cuts the newest connection; no other can be made until `back`.
    void cut()
    {
        const std::lock_guard lock(m_mutex);
        m_isAway = true;
        ::shutdown(m_toCut.get(), SHUT_RDWR);
    }
    /// No other connection can be made; the present one stays.
    void leave()
    {
        const std::lock_guard lock(m_mutex);
        m_isAway = true;
    }
    void back()
    {
        const std::lock_guard lock(m_mutex);
        m_isAway = false;
    }

    std::shared_ptr<ScriptedHost> host;
    std::unique_ptr<RemoteServer> server;

private:
    QTemporaryDir m_folder;
    std::mutex m_mutex;
    FileDescriptor m_toCut;
    bool m_isAway = false;
};

} // namespace jetscope::testing
