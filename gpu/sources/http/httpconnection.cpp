// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/http/httpconnection.h"

#include "gpu/sources/gstreamer/streamproblem.h"

#include <gio/gio.h>
#include <optional>

namespace jetscope {

namespace {

constexpr guint kTimeoutSeconds = 4;
constexpr int kMaxRedirections = 5;
constexpr std::size_t kPieceBytes = 64 << 10;

std::string textOf(const char *text)
{
    return text ? text : "";
}

std::string decoded(const char *text)
{
    char *plain = text ? g_uri_unescape_string(text, nullptr) : nullptr;
    const std::string out = textOf(plain ? plain : text);
    g_free(plain);
    return out;
}

} // namespace

/// The parts of a URL that a request needs.
struct HttpConnection::Target {
    std::string url;
    bool secure = false;
    std::string host; ///< Without brackets.
    int port = 0;
    std::string path; ///< With the query.
    std::string name; ///< Of the login.
    std::string password;

    std::string hostAndPort() const
    {
        const std::string shown = host.find(':') == std::string::npos ? host : "[" + host + "]";
        return shown + ":" + std::to_string(port);
    }

    static std::optional<Target> of(const std::string &url)
    {
        constexpr auto kFlags =
            static_cast<GUriFlags>(G_URI_FLAGS_PARSE_RELAXED | G_URI_FLAGS_HAS_PASSWORD | G_URI_FLAGS_ENCODED);
        GUri *uri = g_uri_parse(url.c_str(), kFlags, nullptr);
        if (!uri)
            return std::nullopt;
        Target target;
        target.url = url;
        const std::string scheme = textOf(g_uri_get_scheme(uri));
        target.secure = scheme == "https";
        target.host = decoded(g_uri_get_host(uri));
        target.port = g_uri_get_port(uri) > 0 ? g_uri_get_port(uri) : target.secure ? 443 : 80;
        target.path = textOf(g_uri_get_path(uri));
        target.path = target.path.empty() ? "/" : target.path;
        if (g_uri_get_query(uri))
            target.path += "?" + textOf(g_uri_get_query(uri));
        target.name = decoded(g_uri_get_user(uri));
        target.password = decoded(g_uri_get_password(uri));
        g_uri_unref(uri);
        return (scheme == "http" || scheme == "https") && !target.host.empty() ? std::optional(target) : std::nullopt;
    }

    /// Where a redirection leads; the login goes to the same host only.
    std::optional<Target> redirected(const std::string &location) const
    {
        constexpr auto kFlags = static_cast<GUriFlags>(G_URI_FLAGS_PARSE_RELAXED | G_URI_FLAGS_ENCODED);
        char *resolved = g_uri_resolve_relative(url.c_str(), location.c_str(), kFlags, nullptr);
        std::optional<Target> next = resolved ? of(resolved) : std::nullopt;
        g_free(resolved);
        if (next && next->name.empty() && next->host == host) {
            next->name = name;
            next->password = password;
        }
        return next;
    }
};

struct HttpConnection::Socket {
    GSocketConnection *connection = nullptr;

    explicit Socket(GSocketConnection *connected) : connection(connected) {}
    ~Socket()
    {
        // Closing a connection in order may wait, for the other end of TLS for one.
        g_socket_close(g_socket_connection_get_socket(connection), nullptr);
        g_object_unref(connection);
    }
    Socket(const Socket &) = delete;
    Socket &operator=(const Socket &) = delete;
};

HttpConnection::HttpConnection() : m_cancellable(g_cancellable_new()), m_piece(kPieceBytes) {}

HttpConnection::~HttpConnection()
{
    m_socket.reset();
    g_object_unref(m_cancellable);
}

void HttpConnection::cancel()
{
    g_cancellable_cancel(m_cancellable);
}

Status HttpConnection::open(const std::string &url, std::string &body)
{
    std::optional<Target> target = Target::of(url);
    std::string authorization;
    for (int step = 0; step <= kMaxRedirections && target; ++step) {
        body.clear();
        JETSCOPE_TRY(connect(*target));
        JETSCOPE_TRY(request(*target, authorization));
        JETSCOPE_TRY(readHeader(body));
        const int status = m_response->status();
        if (status < 300)
            return {};
        if (status < 400) {
            target = target->redirected(m_response->field("location"));
            authorization.clear();
            continue;
        }
        const bool tried = !authorization.empty();
        if (status == 401 && !tried && !target->name.empty())
            authorization =
                httpAuthorization(m_response->fields("www-authenticate"), target->name, target->password, target->path);
        if (status != 401 || tried || authorization.empty())
            return statusProblem(status, m_response->reason(), target->secure ? "https" : "http", tried);
    }
    return streamProblem(StreamLayer::Address,
                         target ? "the server redirects without end"
                                : "the server redirects to " + (m_response ? m_response->field("location") : url),
                         "check the address in a browser");
}

Status HttpConnection::connect(const Target &target)
{
    m_socket.reset();
    m_host = target.hostAndPort();
    GSocketClient *client = g_socket_client_new();
    g_socket_client_set_timeout(client, kTimeoutSeconds);
    g_socket_client_set_enable_proxy(client, FALSE);
    g_socket_client_set_tls(client, target.secure);
    GError *error = nullptr;
    GSocketConnectable *address = g_network_address_new(target.host.c_str(), static_cast<guint16>(target.port));
    GSocketConnection *connection = g_socket_client_connect(client, address, m_cancellable, &error);
    g_object_unref(address);
    g_object_unref(client);
    if (connection) {
        m_socket = std::make_unique<Socket>(connection);
        return {};
    }
    const Error problem = connectProblem(error, m_host);
    g_clear_error(&error);
    return problem;
}

Status HttpConnection::request(const Target &target, const std::string &authorization)
{
    const bool usual = target.port == (target.secure ? 443 : 80);
    const std::string host = target.hostAndPort();
    std::string text = "GET " + target.path + " HTTP/1.1\r\nHost: " + (usual ? host.substr(0, host.rfind(':')) : host)
        + "\r\nUser-Agent: Jetscope\r\nAccept: multipart/x-mixed-replace, image/jpeg, */*\r\n"
          "Accept-Encoding: identity\r\nConnection: close\r\n";
    if (!authorization.empty())
        text += "Authorization: " + authorization + "\r\n";
    text += "\r\n";
    m_response = std::make_unique<HttpResponse>();
    GError *error = nullptr;
    GOutputStream *out = g_io_stream_get_output_stream(G_IO_STREAM(m_socket->connection));
    if (g_output_stream_write_all(out, text.data(), text.size(), nullptr, m_cancellable, &error))
        return {};
    const Error problem = connectProblem(error, m_host);
    g_clear_error(&error);
    return problem;
}

Status HttpConnection::readHeader(std::string &body)
{
    const gint64 deadline = g_get_monotonic_time() + gint64{kTimeoutSeconds} * G_USEC_PER_SEC;
    bool any = false;
    while (!m_response->headerDone()) {
        JETSCOPE_TRY_ASSIGN(const std::size_t bytes, receive());
        any = any || bytes > 0;
        if (bytes == 0)
            return streamProblem(StreamLayer::Container,
                                 any ? m_host + " closes the connection within the header of its answer"
                                     : m_host + " closes the connection without an answer",
                                 "check the address and its port: this may be no web server");
        if (const Status fed = m_response->feed({m_piece.data(), bytes}, body); !fed.ok())
            return streamProblem(StreamLayer::Container, fed.error().text, "check the address and its port");
        if (g_get_monotonic_time() > deadline)
            return streamProblem(StreamLayer::Network, "the header of the answer does not end in time",
                                 "check the address and the network");
    }
    return {};
}

Result<std::size_t> HttpConnection::receive()
{
    GError *error = nullptr;
    GInputStream *in = g_io_stream_get_input_stream(G_IO_STREAM(m_socket->connection));
    const gssize bytes = g_input_stream_read(in, m_piece.data(), m_piece.size(), m_cancellable, &error);
    if (bytes >= 0)
        return static_cast<std::size_t>(bytes);
    // Servers on boards close TLS, and TCP, without a word.
    const bool ended =
        error && (error->domain == G_TLS_ERROR || g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CONNECTION_CLOSED));
    const Error problem = connectProblem(error, m_host);
    g_clear_error(&error);
    return ended ? Result<std::size_t>(std::size_t{0}) : problem;
}

Result<bool> HttpConnection::read(std::string &body)
{
    JETSCOPE_TRY_ASSIGN(const std::size_t bytes, receive());
    if (bytes == 0)
        return false;
    if (const Status fed = m_response->feed({m_piece.data(), bytes}, body); !fed.ok())
        return streamProblem(StreamLayer::Container, fed.error().text, "check the address");
    return true;
}

} // namespace jetscope
