// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/http/httpresponse.h"

#include "core/text/parsenumber.h"
#include "core/text/shorttext.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <gio/gio.h>

namespace jetscope {

namespace {

constexpr const char *kHttpCall = "HTTP";
constexpr std::size_t kLongestHeader = 64 << 10;

std::string_view withoutSpace(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

/// "Name: value", as at the start of a header; a URL or JSON is none.
bool isField(std::string_view line)
{
    const std::size_t colon = line.find(':');
    return colon != std::string_view::npos && colon > 0
        && std::all_of(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(colon),
                       [](unsigned char c) { return std::isalnum(c) || c == '-' || c == '_'; });
}

bool isStatusLine(std::string_view line)
{
    return line.substr(0, 5) == "HTTP/" || line.substr(0, 4) == "ICY ";
}

} // namespace

/// zlib, by way of GLib.
class HttpResponse::Unpacker {
public:
    explicit Unpacker(GZlibCompressorFormat format) : m_zlib(G_CONVERTER(g_zlib_decompressor_new(format))) {}
    ~Unpacker() { g_object_unref(m_zlib); }
    Unpacker(const Unpacker &) = delete;
    Unpacker &operator=(const Unpacker &) = delete;

    Status unpack(std::string_view bytes, std::string &body)
    {
        while (!bytes.empty() && !m_ended) {
            gsize read = 0;
            gsize written = 0;
            GError *error = nullptr;
            const GConverterResult result =
                g_converter_convert(m_zlib, bytes.data(), bytes.size(), m_piece.data(), m_piece.size(),
                                    G_CONVERTER_NO_FLAGS, &read, &written, &error);
            const bool more = g_error_matches(error, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT);
            g_clear_error(&error);
            if (result == G_CONVERTER_ERROR && !more)
                return Error{kHttpCall, 0, "what the server calls gzip cannot be unpacked"};
            body.append(m_piece.data(), written);
            bytes.remove_prefix(read);
            m_ended = result == G_CONVERTER_FINISHED;
            if (more)
                break;
        }
        return {};
    }

private:
    GConverter *const m_zlib;
    std::array<char, 64 << 10> m_piece{};
    bool m_ended = false;
};

HttpResponse::HttpResponse() = default;
HttpResponse::~HttpResponse() = default;

Status HttpResponse::feed(std::string_view bytes, std::string &body)
{
    if (!m_headerDone)
        return readHeader(bytes, body);
    return m_chunked ? unchunk(bytes, body) : unpack(bytes, body);
}

Status HttpResponse::readHeader(std::string_view bytes, std::string &body)
{
    m_pending += bytes;
    m_headerBytes += bytes.size();
    std::size_t start = 0;
    for (std::size_t end = 0; (end = m_pending.find('\n', start)) != std::string::npos; start = end + 1) {
        const std::string_view line = withoutSpace(std::string_view(m_pending).substr(start, end - start));
        const bool first = m_status == 0;
        if (first && line.empty())
            continue;
        if (first && !isStatusLine(line)) {
            m_status = 200;
            m_headerDone = !isField(line); // No header at all.
        }
        if (line.empty()) {
            m_headerDone = true;
            start = end + 1;
        }
        if (m_headerDone)
            break;
        noteLine(line);
    }
    m_pending.erase(0, start);
    const bool picture = m_status == 0 && m_pending.substr(0, 2) == "\xff\xd8";
    if (picture)
        m_status = 200;
    if (m_headerDone || picture)
        return startBody(body);
    if (m_headerBytes > kLongestHeader)
        return Error{kHttpCall, 0, "the header of its response does not end"};
    return {};
}

void HttpResponse::noteLine(std::string_view line)
{
    if (m_status == 0) {
        m_hasStatusLine = true;
        const std::size_t space = line.find(' ');
        const std::string_view rest = withoutSpace(space == std::string_view::npos ? "" : line.substr(space));
        std::from_chars(rest.data(), rest.data() + rest.size(), m_status);
        m_status = m_status < 100 || m_status > 999 ? 200 : m_status;
        m_reason = rest.size() > 4 ? std::string(rest.substr(4)) : std::string();
        return;
    }
    const std::size_t colon = line.find(':');
    if (colon != std::string_view::npos)
        m_fields.emplace_back(lowerCase(withoutSpace(line.substr(0, colon))), withoutSpace(line.substr(colon + 1)));
}

Status HttpResponse::startBody(std::string &body)
{
    m_headerDone = true;
    m_chunked = lowerCase(field("transfer-encoding")).find("chunked") != std::string::npos;
    const std::string packed = lowerCase(field("content-encoding"));
    if (packed == "gzip" || packed == "x-gzip")
        m_unpacker = std::make_unique<Unpacker>(G_ZLIB_COMPRESSOR_FORMAT_GZIP);
    else if (packed == "deflate")
        m_unpacker = std::make_unique<Unpacker>(G_ZLIB_COMPRESSOR_FORMAT_ZLIB);
    const std::string rest = std::exchange(m_pending, {});
    return m_chunked ? unchunk(rest, body) : unpack(rest, body);
}

Status HttpResponse::unchunk(std::string_view bytes, std::string &body)
{
    constexpr std::size_t kLongestLength = 200; // With extensions, which nobody uses.
    m_pending += bytes;
    std::string_view left = m_pending;
    while (!left.empty()) {
        if (m_leftOfChunk > 0) {
            const std::string_view piece = left.substr(0, m_leftOfChunk);
            JETSCOPE_TRY(unpack(piece, body));
            m_leftOfChunk -= piece.size();
            left.remove_prefix(piece.size());
            continue;
        }
        const std::size_t end = left.find('\n');
        const std::string_view line = withoutSpace(left.substr(0, end));
        std::string_view behind = line;
        const std::size_t length = takeNumber<std::size_t>(behind, 16).value_or(0);
        const bool isLength =
            behind.size() < line.size() && (behind.empty() || behind.starts_with(';') || behind.starts_with(' '));
        if (end == std::string_view::npos && left.size() < kLongestLength && (line.empty() || isLength))
            break;
        if (!line.empty() && !isLength) { // It is not chunked.
            m_chunked = m_anyChunk;
            if (m_anyChunk)
                return Error{kHttpCall, 0, "the chunks of its response cannot be told apart"};
            const std::string all(left);
            m_pending.clear();
            return unpack(all, body);
        }
        m_anyChunk = m_anyChunk || isLength;
        m_leftOfChunk = isLength ? length : 0;
        left.remove_prefix(end == std::string_view::npos ? left.size() : end + 1);
    }
    m_pending = std::string(left);
    return {};
}

Status HttpResponse::unpack(std::string_view bytes, std::string &body)
{
    if (m_unpacker)
        return m_unpacker->unpack(bytes, body);
    body += bytes;
    return {};
}

std::string HttpResponse::field(std::string_view name) const
{
    const std::vector<std::string> all = fields(name);
    return all.empty() ? std::string() : all.front();
}

std::vector<std::string> HttpResponse::fields(std::string_view name) const
{
    std::vector<std::string> values;
    for (const auto &[key, value] : m_fields)
        if (key == name)
            values.push_back(value);
    return values;
}

std::string HttpResponse::type() const
{
    const std::string value = field("content-type");
    return lowerCase(withoutSpace(std::string_view(value).substr(0, value.find(';'))));
}

std::string HttpResponse::boundary() const
{
    for (const std::string &value : fields("content-type")) {
        const std::size_t at = lowerCase(value).find("boundary=");
        if (at == std::string::npos)
            continue;
        std::string_view name = std::string_view(value).substr(at + 9);
        if (!name.empty() && name.front() == '"')
            return std::string(name.substr(1, name.find('"', 1) - 1));
        return std::string(withoutSpace(name.substr(0, name.find(';'))));
    }
    return {};
}

} // namespace jetscope
