// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/displayprobe.h"

#include <QByteArray>
#include <QDir>
#include <QLibrary>
#include <QLibraryInfo>

#include <cstring>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace jetscope
{

namespace
{

constexpr const char *kRemedy =
    "start it in a graphical session, set DISPLAY to a running X server, or use the commands "
    "without a window (jetscope run, jetscope doctor)";

Error noDisplay(const std::string &what)
{
    return Error{"", 0, "the window cannot be opened: " + what + "; " + kRemedy};
}

/// Connects as Qt will (with its authority file, over any transport) by the library that Qt itself uses.
Status probeX11()
{
    if (qgetenv("DISPLAY").isEmpty())
        return noDisplay("DISPLAY is not set");
    QLibrary xcb(QStringLiteral("xcb"), 1);
    using Connect = void *(*)(const char *, int *);
    using HasError = int (*)(void *);
    using Disconnect = void (*)(void *);
    const auto connect = reinterpret_cast<Connect>(xcb.resolve("xcb_connect"));
    const auto hasError = reinterpret_cast<HasError>(xcb.resolve("xcb_connection_has_error"));
    const auto disconnect = reinterpret_cast<Disconnect>(xcb.resolve("xcb_disconnect"));
    if (!connect || !hasError || !disconnect)
        return noDisplay("the library libxcb is not installed");
    void *connection = connect(nullptr, nullptr);
    const bool failed = hasError(connection) != 0;
    disconnect(connection);
    if (failed)
        return noDisplay("the X server \"" + qgetenv("DISPLAY").toStdString()
                         + "\" does not answer or does not let us in");
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
        return {}; // offscreen, eglfs, vnc and the like need no server.
    const Status wayland = probeWayland();
    return wayland.ok() ? wayland : probeX11();
}

} // namespace jetscope
