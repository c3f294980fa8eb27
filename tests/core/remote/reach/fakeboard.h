// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/remote/reach/reachboard.h"
#include "core/remote/wire/buildid.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <poll.h>
#include <string>
#include <sys/utsname.h>
#include <unistd.h>

namespace jetscope::testing {

inline void writeFile(const QString &path, const QByteArray &content, bool isProgram = false)
{
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        qFatal("%s cannot be written", qPrintable(path));
    if (isProgram)
        file.setPermissions(file.permissions() | QFileDevice::ExeOwner);
}

/// A folder that is a board: its home, and what stands for ssh runs the command there by `sh -c`. The program that is
/// brought is a script. Nothing of the user's own settings is used.
class FakeBoard {
public:
    FakeBoard()
    {
        QDir().mkpath(home());
        QDir().mkpath(path("tmp"));
        writeFile(path("ssh"),
                  "#!/bin/sh\nfor last; do :; done\nunset XDG_CACHE_HOME\ncd " + home().toUtf8()
                      + "\nexport HOME=" + home().toUtf8() + " PATH=" + path("bin").toUtf8()
                      + ":/usr/bin:/bin TMPDIR=" + path("tmp").toUtf8() + "\n" + "exec sh -c \"$last\"\n",
                  true);
        QDir().mkpath(path("bin"));
        useSsh(path("ssh"));
        makeServer();
    }
    /// Ends what still runs there: after a failure that may be a server with a command that never ends, which would
    /// take a core from all later tests.
    ~FakeBoard()
    {
        for (const QString &pid : QDir("/proc").entryList(QDir::Dirs)) {
            QFile environment("/proc/" + pid + "/environ");
            if (pid.toInt() > 0 && pid.toInt() != getpid() && environment.open(QIODevice::ReadOnly)
                && environment.readAll().split('\0').contains("HOME=" + home().toUtf8()))
                ::kill(pid.toInt(), SIGKILL);
        }
        qunsetenv("JETSCOPE_SSH");
        qunsetenv("JETSCOPE_BOARDS");
    }

    QString path(const QString &name) const { return m_folder.filePath(name); }
    QString home() const { return path("home"); }
    QString cache() const { return home() + "/.cache/jetscope"; }
    static QString build() { return jetscope::buildId(); }
    /// The folder of the server that was brought.
    static QString serverFolder() { return build() + '-' + processor(); }
    static QString processor()
    {
        utsname system{};
        return uname(&system) == 0 ? QString(system.machine) : QString();
    }
    static void useSsh(const QString &command) { qputenv("JETSCOPE_SSH", command.toUtf8()); }

    /// A program that knows its build and answers a line with the same line.
    static QByteArray program(const QString &build)
    {
        return "#!/bin/sh\nif [ \"$1\" = --build-id ]; then echo " + build.toUtf8()
            + "; exit; fi\necho hello $*; read -r line && echo \"$line\"\n";
    }

    /// What lies beside this program for the board, with some lines of its text replaced.
    void makeServer(const QByteArray &content = program(build()), const QList<QPair<QString, QString>> &other = {})
    {
        const QString folder = path("boards/" + QString::fromStdString(kArchitecture));
        writeFile(path("server/jetscope"), content, true);
        writeFile(path("server/libjetscope-attach.so"), QByteArray(300'000, 'x'));
        QDir().mkpath(folder);
        if (QProcess::execute("tar", {"-C", path("server"), "-czf", folder + "/server.tar.gz", "."}) != 0)
            qFatal("tar failed");
        QFile archive(folder + "/server.tar.gz");
        if (!archive.open(QIODevice::ReadOnly))
            qFatal("there is no archive");
        const QByteArray bytes = archive.readAll();
        QList<QPair<QString, QString>> lines{
            {"build", build()},
            {"architecture", QString::fromStdString(kArchitecture)},
            {"glibc", "2.17"},
            {"cuda", "no"},
            {"bytes", QString::number(bytes.size())},
            {"sha256", QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex()},
        };
        QByteArray text = "jetscope-server 1\n";
        for (auto &[key, value] : lines) {
            for (const auto &[otherKey, otherValue] : other)
                value = key == otherKey ? otherValue : value;
            text += (key + " " + value + "\n").toUtf8();
        }
        writeFile(folder + "/server.txt", text);
        qputenv("JETSCOPE_BOARDS", path("boards").toUtf8());
    }

    QStringList cached() const { return QDir(cache()).entryList(QDir::Dirs | QDir::Hidden | QDir::NoDotAndDotDot); }

#if defined(__aarch64__)
    static constexpr const char *kArchitecture = "arm64";
#else
    static constexpr const char *kArchitecture = "amd64";
#endif

private:
    QTemporaryDir m_folder;
};

inline jetscope::Result<jetscope::ReachedBoard> reach(const jetscope::ReachWish &wish = {{"serve"}, {}, -1, {}},
                                                      const char *address = "me@orin")
{
    return jetscope::reachBoard(jetscope::BoardAddress::parse(address).value(), wish);
}

/// A line of the far end; what came until then if it ends or takes long.
inline std::string lineFrom(const jetscope::FarEnd &end)
{
    std::string line;
    for (;;) {
        pollfd source{end.output(), POLLIN, 0};
        char byte = 0;
        if (poll(&source, 1, 10'000) <= 0 || read(end.output(), &byte, 1) != 1 || byte == '\n')
            return line;
        line += byte;
    }
}

/// Whether the far end is the program, and gets what is written.
inline bool answers(const jetscope::ReachedBoard &board, const std::string &greeting = "hello serve")
{
    if (lineFrom(*board.end) != greeting)
        return false;
    return write(board.end->input(), "ping\n", 5) == 5 && lineFrom(*board.end) == "ping";
}

} // namespace jetscope::testing
