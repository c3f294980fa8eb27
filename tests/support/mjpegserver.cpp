// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/mjpegserver.h"

#include <arpa/inet.h>
#include <cstdlib>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <turbojpeg.h>
#include <unistd.h>
#include <utility>

namespace jetscope::testing {

bool MjpegClient::send(const std::string &bytes)
{
    std::size_t sent = 0;
    while (sent < bytes.size() && !m_stopping) {
        const ssize_t done = ::send(m_socket, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
        if (done <= 0)
            return false;
        sent += static_cast<std::size_t>(done);
    }
    return !m_stopping;
}

bool MjpegClient::picture(const std::string &jpeg)
{
    return send("--edge\r\nContent-Type: image/jpeg\r\nContent-Length: " + std::to_string(jpeg.size()) + "\r\n\r\n"
                + jpeg + "\r\n");
}

void MjpegClient::hang()
{
    char byte = 0;
    while (!m_stopping) {
        pollfd file{m_socket, POLLIN, 0};
        if (::poll(&file, 1, 20) > 0 && ::recv(m_socket, &byte, 1, 0) <= 0)
            return;
    }
}

MjpegServer::MjpegServer(Behaviour behaviour) : m_behaviour(std::move(behaviour))
{
    m_socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (::bind(m_socket, reinterpret_cast<sockaddr *>(&address), size) != 0 || ::listen(m_socket, 8) != 0
        || ::getsockname(m_socket, reinterpret_cast<sockaddr *>(&address), &size) != 0)
        std::abort();
    m_port = ntohs(address.sin_port);
    m_acceptor = std::thread([this] { accept(); });
}

MjpegServer::~MjpegServer()
{
    m_stopping = true;
    m_acceptor.join();
    for (std::thread &worker : m_workers)
        worker.join();
    ::close(m_socket);
}

void MjpegServer::accept()
{
    while (!m_stopping) {
        pollfd file{m_socket, POLLIN, 0};
        if (::poll(&file, 1, 20) <= 0)
            continue;
        const int client = ::accept4(m_socket, nullptr, nullptr, SOCK_CLOEXEC);
        if (client >= 0)
            m_workers.emplace_back([this, client, number = m_clients++] { serve(client, number); });
    }
}

void MjpegServer::serve(int socket, int number)
{
    std::string request;
    char byte = 0;
    while (request.find("\r\n\r\n") == std::string::npos && ::recv(socket, &byte, 1, 0) == 1)
        request += byte;
    MjpegClient client(socket, m_stopping, std::move(request));
    m_behaviour(client, number);
    ::shutdown(socket, SHUT_RDWR);
    ::close(socket);
}

std::string jpegPicture(int width, int height, unsigned char grey)
{
    const std::string rgb(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3,
                          static_cast<char>(grey));
    tjhandle handle = tjInitCompress();
    unsigned char *out = nullptr;
    unsigned long size = 0;
    if (tjCompress2(handle, reinterpret_cast<const unsigned char *>(rgb.data()), width, 0, height, TJPF_RGB, &out,
                    &size, TJSAMP_422, 90, 0)
        != 0)
        std::abort();
    std::string jpeg(reinterpret_cast<char *>(out), size);
    tjFree(out);
    tjDestroy(handle);
    return jpeg;
}

} // namespace jetscope::testing
