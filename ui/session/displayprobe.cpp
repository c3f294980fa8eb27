// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/session/displayprobe.h"

#include <QByteArray>
#include <QDir>
#include <QLibrary>
#include <QLibraryInfo>
#include <QThread>

#include <cstring>
#include <utility>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace jetscope {

namespace {

constexpr const char *kRemedy =
    "start it in a graphical session, set DISPLAY to a running X server, or use the commands "
    "without a window (jetscope run, jetscope doctor)";

constexpr int kAttempts = 4;
constexpr unsigned long kPauseMs = 60;

Error noDisplay(const std::string &what)
{
    return Error{"", 0, "the window cannot be opened: " + what + "; " + kRemedy};
}

/// libxcb, loaded at run time. Connects like Qt's plugin: with the user's authority file, over any transport.
struct Xcb {
    QLibrary library{QStringLiteral("xcb"), 1};
    void *(*connect)(const char *, int *) = reinterpret_cast<decltype(connect)>(library.resolve("xcb_connect"));
    int (*hasError)(void *) = reinterpret_cast<decltype(hasError)>(library.resolve("xcb_connection_has_error"));
    void (*disconnect)(void *) = reinterpret_cast<decltype(disconnect)>(library.resolve("xcb_disconnect"));

    bool usable() const { return connect && hasError && disconnect; }
};

void *g_connection = nullptr;

/// Null if the server does not answer.
void *tryToConnect(const Xcb &xcb)
{
    void *connection = xcb.connect(nullptr, nullptr);
    if (xcb.hasError(connection) == 0)
        return connection;
    xcb.disconnect(connection);
    return nullptr;
}

Status probeX11()
{
    if (qgetenv("DISPLAY").isEmpty())
        return noDisplay("DISPLAY is not set");
    const Xcb xcb;
    if (!xcb.usable())
        return noDisplay("the library libxcb is not installed");
    // A restarting server answers after a moment.
    for (int attempt = 0; attempt < kAttempts && !g_connection; ++attempt) {
        if (attempt > 0)
            QThread::msleep(kPauseMs);
        g_connection = tryToConnect(xcb);
    }
    if (!g_connection)
        return noDisplay("the X server \"" + qgetenv("DISPLAY").toStdString()
                         + "\" does not answer or refuses the connection");
    return {};
}

Status probeWayland()
{
    const QByteArray name = qgetenv("WAYLAND_DISPLAY");
    if (name.isEmpty())
        return noDisplay("WAYLAND_DISPLAY is not set");
    const QDir plugins(QLibraryInfo::path(QLibraryInfo::PluginsPath) + QStringLiteral("/platforms"));
    if (plugins.entryList({QStringLiteral("libqwayland*.so")}).isEmpty())
        return noDisplay("Qt's Wayland plugin is not installed");
    const QByteArray path = name.startsWith('/') ? name : qgetenv("XDG_RUNTIME_DIR") + '/' + name;
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (static_cast<std::size_t>(path.size()) >= sizeof(address.sun_path))
        return noDisplay("the path of the Wayland socket is too long");
    std::memcpy(address.sun_path, path.constData(), static_cast<std::size_t>(path.size()));
    const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const bool connected = fd >= 0 && ::connect(fd, reinterpret_cast<const sockaddr *>(&address), sizeof(address)) == 0;
    if (fd >= 0)
        ::close(fd);
    if (!connected)
        return noDisplay("the Wayland server \"" + name.toStdString() + "\" does not answer");
    return {};
}

} // namespace

Status probeDisplay()
{
    const QByteArray platform = qgetenv("QT_QPA_PLATFORM").split(';').first().split(':').first();
    if (platform.startsWith("wayland"))
        return probeWayland();
    if (platform == "xcb")
        return probeX11();
    if (!platform.isEmpty())
        return {}; // offscreen, eglfs, vnc and others need no server.
    const Status wayland = probeWayland();
    return wayland.ok() ? wayland : probeX11();
}

void endDisplayProbe()
{
    if (g_connection)
        Xcb().disconnect(std::exchange(g_connection, nullptr));
}

} // namespace jetscope
