// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/gstreamer/streamproblem.h"

#include <gio/gio.h>

namespace jetscope {

namespace {

constexpr const char *kProblemCall = "stream";

std::string messageOf(const GError *error)
{
    std::string text = error && error->message ? error->message : "no reason is given";
    while (!text.empty() && (text.back() == '.' || text.back() == '\n' || text.back() == ' '))
        text.pop_back();
    return text;
}

} // namespace

const char *phraseOf(StreamLayer layer)
{
    switch (layer) {
    case StreamLayer::Address:
        return "the address leads nowhere";
    case StreamLayer::Login:
        return "the login failed";
    case StreamLayer::Network:
        return "the network failed";
    case StreamLayer::Container:
        return "the container is not understood";
    case StreamLayer::Codec:
        return "the codec cannot be decoded";
    }
    return "";
}

Error streamProblem(const std::string &text)
{
    return Error{kProblemCall, 0, text};
}

Error streamProblem(StreamLayer layer, const std::string &cause, const std::string &remedy)
{
    return Error{kProblemCall, static_cast<long>(layer), std::string(phraseOf(layer)) + " (" + cause + "): " + remedy};
}

bool isStreamProblem(const Error &error)
{
    return error.call == kProblemCall;
}

Error connectProblem(const GError *error, const std::string &host)
{
    if (!error)
        return streamProblem(StreamLayer::Network, host + " does not answer", "check that the camera is on");
    if (error->domain == G_RESOLVER_ERROR)
        return streamProblem(StreamLayer::Address, "no host has the name of " + host,
                             "check the address for a slip, or write the camera's number in place of its name");
    if (g_error_matches(error, G_TLS_ERROR, G_TLS_ERROR_UNAVAILABLE))
        return streamProblem(StreamLayer::Network, "this machine has no TLS, which https:// needs",
                             "install glib-networking, or check the address for http://");
    if (error->domain == G_TLS_ERROR)
        return streamProblem(StreamLayer::Network, messageOf(error),
                             "check the address, and try http:// in place of https://; a certificate that the camera "
                             "made itself must be installed here");
    if (g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED))
        return streamProblem(StreamLayer::Network, "nothing accepts connections at " + host,
                             "check the address and its port, and that the camera is on");
    if (g_error_matches(error, G_IO_ERROR, G_IO_ERROR_HOST_UNREACHABLE)
        || g_error_matches(error, G_IO_ERROR, G_IO_ERROR_NETWORK_UNREACHABLE))
        return streamProblem(StreamLayer::Network, "there is no way to " + host,
                             "check the address, the cable or Wi-Fi, and that this machine is in the camera's network");
    if (g_error_matches(error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT))
        return streamProblem(StreamLayer::Network, host + " does not answer in time",
                             "check the address, that the camera is on and that no firewall is in between");
    return streamProblem(StreamLayer::Network, messageOf(error),
                         "check the address, the network and that the camera is on");
}

Error statusProblem(int status, const std::string &reason, const std::string &scheme, bool hadLogin)
{
    const std::string said = std::to_string(status) + (reason.empty() ? "" : " " + reason);
    if (status == 401 && hadLogin)
        return streamProblem(StreamLayer::Login, "the server does not accept this name and password, " + said,
                             "check the address: " + scheme + "://NAME:PASSWORD@HOST/PATH, with %40 for an @");
    if (status == 401)
        return streamProblem(StreamLayer::Login, "the server asks for a name and a password, " + said,
                             "check the address: write " + scheme + "://NAME:PASSWORD@HOST/PATH");
    if (status == 403)
        return streamProblem(StreamLayer::Login, "the server forbids it, " + said,
                             "check the address, and that this user may watch the stream");
    if (status == 404 || status == 410)
        return streamProblem(StreamLayer::Address, "the server has no such path, " + said,
                             "check the address: the camera's manual or its web page names the path of its stream");
    if (status == 453 || status == 503)
        return streamProblem(StreamLayer::Network, "the server is busy, " + said,
                             "check the address, and close other programs that watch this camera");
    if (status >= 500)
        return streamProblem(StreamLayer::Network, "the server failed, " + said,
                             "check the address, and restart the camera");
    return streamProblem(StreamLayer::Address, "the server refuses the request, " + said, "check the address");
}

Status probeConnection(const std::string &url, int standardPort)
{
    GError *error = nullptr;
    GSocketConnectable *address = g_network_address_parse_uri(url.c_str(), static_cast<guint16>(standardPort), &error);
    if (!address) {
        g_clear_error(&error);
        return {};
    }
    const GNetworkAddress *parsed = G_NETWORK_ADDRESS(address);
    const std::string host = std::string(g_network_address_get_hostname(const_cast<GNetworkAddress *>(parsed))) + ":"
        + std::to_string(g_network_address_get_port(const_cast<GNetworkAddress *>(parsed)));
    GSocketClient *client = g_socket_client_new();
    g_socket_client_set_timeout(client, 1);
    g_socket_client_set_enable_proxy(client, FALSE);
    GSocketConnection *connection = g_socket_client_connect(client, address, nullptr, &error);
    g_object_unref(client);
    g_object_unref(address);
    if (connection) {
        g_object_unref(connection);
        return {};
    }
    const Error problem = connectProblem(error, host);
    g_clear_error(&error);
    return problem;
}

} // namespace jetscope
