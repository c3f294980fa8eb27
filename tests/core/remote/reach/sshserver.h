// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/core/remote/reach/fakeboard.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pwd.h>
#include <sys/socket.h>

namespace jetscope::testing {

/// OpenSSH's server on a free port of this machine only, run as this user, with keys and settings of its own: nothing
/// of
/// ~/.ssh is read or written. The board's folder for servers is in the temporary folder.
class SshServer {
public:
    /// `more` are lines of sshd_config.
    explicit SshServer(const QByteArray &more = {})
    {
        for (const char *key : {"host", "other_host", "user", "other_user"})
            if (QProcess::execute("ssh-keygen", {"-q", "-t", "ed25519", "-N", "", "-f", path(key)}) != 0)
                qFatal("ssh-keygen failed");
        writeFile(path("authorized"), contentOf("user.pub"));
        writeFile(path("sshd_config"),
                  "ListenAddress 127.0.0.1\nPort " + QByteArray::number(m_port) + "\nHostKey " + path("host").toUtf8()
                      + "\nAuthorizedKeysFile " + path("authorized").toUtf8()
                      + "\nPidFile none\nClientAliveInterval 1\nClientAliveCountMax 3\nUsePAM no\nStrictModes no\n"
                      + "PasswordAuthentication no\nKbdInteractiveAuthentication no\nPermitRootLogin yes\nSetEnv "
                        "XDG_CACHE_HOME="
                      + path("cache").toUtf8() + "\n" + more);
        knowHost("host");
        writeConfig();
        start();
    }
    ~SshServer() { stop(); }

    static bool isInstalled() { return QFileInfo::exists(kServer); }

    QString path(const QString &name) const { return m_folder.filePath(name); }
    int port() const { return m_port; }

    /// Which of the keys ssh takes for the host's.
    void knowHost(const char *key)
    {
        writeFile(path("known_hosts"),
                  "[127.0.0.1]:" + QByteArray::number(m_port) + " " + contentOf(QString(key) + ".pub"));
    }
    void knowNoHost() { writeFile(path("known_hosts"), ""); }
    /// The settings of ssh for the board "orin".
    void writeConfig(const QByteArray &key = "user", const QByteArray &more = {})
    {
        const passwd *const user = getpwuid(getuid());
        writeFile(path("ssh_config"),
                  more + "Host orin\n HostName 127.0.0.1\n Port " + QByteArray::number(m_port) + "\n User "
                      + (user ? user->pw_name : "root") + "\nHost *\n IdentityFile " + path(key).toUtf8()
                      + "\n IdentitiesOnly yes\n IdentityAgent none\n UserKnownHostsFile "
                      + path("known_hosts").toUtf8()
                      + "\n GlobalKnownHostsFile /dev/null\n StrictHostKeyChecking yes\n UpdateHostKeys no\n");
        FakeBoard::useSsh("ssh -F " + path("ssh_config"));
    }

    /// Whether it answers.
    bool isUp()
    {
        return QTest::qWaitFor([this] { return m_server.state() == QProcess::Running && said().contains("listening"); },
                               10'000);
    }
    QString said()
    {
        m_said += QString::fromUtf8(m_server.readAllStandardError());
        return m_said;
    }
    void stop()
    {
        m_server.kill();
        m_server.waitForFinished();
    }

private:
    static constexpr const char *kServer = "/usr/sbin/sshd";

    QByteArray contentOf(const QString &name) const
    {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    void start()
    {
        const QStringList command{kServer, "-D", "-e", "-f", path("sshd_config")};
        // Run as root it wants a folder that the system makes when it starts its own server.
        if (getuid() == 0)
            m_server.start(
                "unshare",
                QStringList{"-m", "sh", "-c", "mount -t tmpfs none /run && mkdir /run/sshd && exec \"$@\"", "sh"}
                    + command);
        else
            m_server.start(command.first(), command.mid(1));
    }
    static int freePort()
    {
        const int probe = socket(AF_INET, SOCK_STREAM, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        const bool isFound = bind(probe, reinterpret_cast<sockaddr *>(&address), size) == 0
            && getsockname(probe, reinterpret_cast<sockaddr *>(&address), &size) == 0;
        close(probe);
        return isFound ? ntohs(address.sin_port) : 0;
    }

    QTemporaryDir m_folder;
    const int m_port = freePort();
    QProcess m_server;
    QString m_said;
};

} // namespace jetscope::testing
