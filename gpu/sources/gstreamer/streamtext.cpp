// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
// Converts URIs to pipelines.
#include "gpu/sources/gstreamer/streamtext.h"

#include <algorithm>
#include <glib.h>

namespace jetscope {

namespace {

constexpr auto kAsPeopleWrite = static_cast<GUriFlags>(G_URI_FLAGS_PARSE_RELAXED | G_URI_FLAGS_HAS_PASSWORD);

/// Quotes a value in a pipeline's text and escapes the quotes and backslashes in it.
std::string quoted(const std::string &value)
{
    std::string out = "\"";
    for (const char c : value) {
        if (c == '"' || c == '\\')
            out += '\\';
        out += c;
    }
    return out + "\"";
}

/// Parses the address as the connecting elements do. A host in brackets is an IP address, which may contain a network
/// interface after a %.
bool namesAHost(const std::string &url)
{
    GUri *parsed = g_uri_parse(url.c_str(), kAsPeopleWrite, nullptr);
    if (!parsed)
        return false;
    const std::string host = g_uri_get_host(parsed) ? g_uri_get_host(parsed) : "";
    const bool hasPort = g_uri_get_port(parsed) != 0;
    g_uri_unref(parsed);
    const bool isNumber = host.find(':') != std::string::npos;
    return hasPort && !host.empty()
        && host.find_first_of(isNumber ? "\"\\<>^`{|}" : "\"\\<>^`{|}%") == std::string::npos;
}

Status checkUrl(const SourceUri &uri)
{
    const std::string rest = uri.path.substr(0, 2) == "//" ? uri.path.substr(2) : std::string();
    const bool printable =
        std::none_of(rest.begin(), rest.end(), [](unsigned char c) { return c <= 0x20 || c == 0x7f; });
    if (rest.empty() || !printable || !namesAHost(uri.text))
        return Error{inQuotes(withoutPassword(uri.text)), 0,
                     "this is no address: write " + uri.scheme + "://HOST/PATH, with %20 for a space"};
    return {};
}

} // namespace

Result<std::string> needing(const SourceUri &uri, std::initializer_list<std::pair<const char *, const char *>> elements,
                            std::string text)
{
    for (const auto &[element, package] : elements)
        if (!hasElement(element))
            return Error{inQuotes(withoutPassword(uri.text)), 0,
                         std::string("GStreamer lacks its element ") + element + ": install " + package};
    return text;
}

Result<std::string> pipelineTextOf(const SourceUri &uri)
{
    if (uri.scheme == "gst") {
        if (uri.path.find_first_not_of(" \t") == std::string::npos)
            return Error{inQuotes(uri.text), 0, "no pipeline is given: write gst:PIPELINE, as in gst:videotestsrc"};
        return uri.path;
    }
    JETSCOPE_TRY(checkUrl(uri));
    if (uri.scheme == "rtsp")
        return needing(uri,
                       {{"uridecodebin", "gstreamer1.0-plugins-base"},
                        {"videoconvert", "gstreamer1.0-plugins-base"},
                        {"rtspsrc", "gstreamer1.0-plugins-good"}},
                       "uridecodebin name=jetscopesource uri=" + quoted(withoutLogin(uri.text)));
    return std::string();
}

StreamLogin loginOf(const std::string &url)
{
    StreamLogin login;
    GUri *parsed = g_uri_parse(url.c_str(), kAsPeopleWrite, nullptr);
    if (parsed && g_uri_get_user(parsed))
        login.name = g_uri_get_user(parsed);
    if (parsed && g_uri_get_password(parsed))
        login.password = g_uri_get_password(parsed);
    if (parsed)
        g_uri_unref(parsed);
    return login;
}

std::string withoutLogin(const std::string &url)
{
    const auto start = url.find("//");
    const auto host = start == std::string::npos ? start : url.find_first_of("/?#", start + 2);
    const auto at = url.rfind('@', host);
    return start == std::string::npos || at == std::string::npos || at < start
        ? url
        : url.substr(0, start + 2) + url.substr(at + 1);
}

int portOf(const std::string &url, int standard)
{
    GUri *parsed = g_uri_parse(url.c_str(), kAsPeopleWrite, nullptr);
    const int port = parsed ? g_uri_get_port(parsed) : -1;
    if (parsed)
        g_uri_unref(parsed);
    return port > 0 ? port : standard;
}

std::string withoutPassword(const std::string &url)
{
    const auto start = url.find("//");
    if (start == std::string::npos)
        return url;
    const auto host = url.find_first_of("/?#", start + 2);
    const auto at = url.rfind('@', host);
    const auto colon = url.find(':', start + 2);
    if (at == std::string::npos || at < start || colon == std::string::npos || colon > at)
        return url;
    return url.substr(0, colon + 1) + "…" + url.substr(at);
}

} // namespace jetscope
