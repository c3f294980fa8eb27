// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jetscope {

/// Reads the response of a web server, as leniently as browsers do: the status line may be missing, lines may end in LF
/// alone, and a transfer that is called chunked need not be so. One thread at a time.
class HttpResponse {
public:
    HttpResponse();
    ~HttpResponse();
    HttpResponse(const HttpResponse &) = delete;
    HttpResponse &operator=(const HttpResponse &) = delete;

    /// Appends what these bytes contain of the body, unpacked, to `body`; an error if they cannot be a response.
    Status feed(std::string_view bytes, std::string &body);

    bool headerDone() const { return m_headerDone; }
    /// 200 if the server sends no status line.
    int status() const { return m_status; }
    const std::string &reason() const { return m_reason; }
    /// The first value of this name (lower case); empty if there is none.
    std::string field(std::string_view name) const;
    std::vector<std::string> fields(std::string_view name) const;

    /// What the body is: "multipart/x-mixed-replace", lower case without parameters; empty if the server does not say.
    std::string type() const;
    /// Between the parts, without quotes; empty if the server does not say.
    std::string boundary() const;

private:
    class Unpacker;
    Status readHeader(std::string_view bytes, std::string &body);
    void noteLine(std::string_view line);
    Status startBody(std::string &body);
    Status unchunk(std::string_view bytes, std::string &body);
    Status unpack(std::string_view bytes, std::string &body);

    std::string m_pending; ///< Bytes of the header or of a chunk's length that are not complete.
    std::size_t m_headerBytes = 0;
    bool m_headerDone = false;
    bool m_hasStatusLine = false;
    int m_status = 0;
    std::string m_reason;
    std::vector<std::pair<std::string, std::string>> m_fields;
    bool m_chunked = false;
    bool m_anyChunk = false;
    std::size_t m_leftOfChunk = 0;
    std::unique_ptr<Unpacker> m_unpacker; ///< Null if the body is not compressed.
};

} // namespace jetscope
