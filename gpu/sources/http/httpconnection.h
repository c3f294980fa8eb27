// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/sources/http/httpresponse.h"

#include <memory>
#include <string>
#include <vector>

typedef struct _GCancellable GCancellable;

namespace jetscope {

/// A request to a web server and the bytes of its answer. Follows redirections and logs in with the name and password
/// of the address. One thread, except for `cancel`.
class HttpConnection {
public:
    HttpConnection();
    ~HttpConnection();
    HttpConnection(const HttpConnection &) = delete;
    HttpConnection &operator=(const HttpConnection &) = delete;

    /// Any thread: ends a wait of the other calls, and makes later ones fail.
    void cancel();

    /// Connects, sends the request and reads the header of the answer; an error says which layer failed. The first
    /// bytes of the body are appended to `body`.
    Status open(const std::string &url, std::string &body);
    const HttpResponse &response() const { return *m_response; }

    /// Appends more of the body, as soon as there is some; false at its end.
    Result<bool> read(std::string &body);

private:
    struct Socket;
    struct Target;
    Status connect(const Target &target);
    Status request(const Target &target, const std::string &authorization);
    Status readHeader(std::string &body);
    Result<std::size_t> receive();

    GCancellable *const m_cancellable;
    std::unique_ptr<Socket> m_socket;
    std::unique_ptr<HttpResponse> m_response;
    std::vector<char> m_piece;
    std::string m_host; ///< For messages.
};

/// The value of the Authorization header that answers a server's challenges; empty if none of them is understood.
std::string httpAuthorization(const std::vector<std::string> &challenges, const std::string &name,
                              const std::string &password, const std::string &path);

} // namespace jetscope
