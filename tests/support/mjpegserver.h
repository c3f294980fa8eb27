// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace jetscope::testing {

/// One client connection of an MjpegServer, on a thread of its own. `send` returns false once the client disconnected
/// or the server stops.
class MjpegClient {
public:
    MjpegClient(int socket, const std::atomic<bool> &stopping, std::string request)
        : m_socket(socket), m_stopping(stopping), m_request(std::move(request))
    {
    }

    /// What the client asked: "GET /stream HTTP/1.1" and its header.
    const std::string &request() const { return m_request; }
    bool send(const std::string &bytes);
    /// Sends the HTTP header that starts a stream of pictures.
    bool begin() { return send("HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=edge\r\n\r\n"); }
    bool picture(const std::string &jpeg);
    /// Waits until the client disconnects or the server stops.
    void hang();

private:
    const int m_socket;
    const std::atomic<bool> &m_stopping;
    const std::string m_request;
};

/// A web server on the loopback interface that runs a test's function for each client; the first client is number 0.
class MjpegServer {
public:
    using Behaviour = std::function<void(MjpegClient &client, int number)>;

    explicit MjpegServer(Behaviour behaviour);
    ~MjpegServer();

    /// `login` is "NAME:PASSWORD@".
    std::string url(const std::string &login = {}) const
    {
        return "http://" + login + "127.0.0.1:" + std::to_string(m_port) + "/stream?quality=5";
    }
    int port() const { return m_port; }
    int clients() const { return m_clients; }

private:
    void accept();
    void serve(int socket, int number);

    const Behaviour m_behaviour;
    int m_socket = -1;
    int m_port = 0;
    std::atomic<bool> m_stopping{false};
    std::atomic<int> m_clients{0};
    std::vector<std::thread> m_workers;
    std::thread m_acceptor;
};

/// A picture of one grey value as JPEG.
std::string jpegPicture(int width, int height, unsigned char grey);

} // namespace jetscope::testing
