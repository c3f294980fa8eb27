// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/sources/framesource.h"
#include "gpu/sources/http/httpconnection.h"
#include "gpu/sources/http/partreader.h"
#include "gpu/sources/ratemeter.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace jetscope {

/// A JPEG picture as a web server sent it.
struct JpegPicture {
    std::string bytes;
    std::uint64_t number = 0; ///< From 0.
    std::int64_t arrivalNs = 0;
    std::optional<SourceGap> gap; ///< Before it.
};

/// Receives the pictures of a web camera on a thread of its own and connects again when the connection is lost. Keeps
/// the newest two pictures. Any thread.
class MjpegReader {
public:
    explicit MjpegReader(std::string url);
    ~MjpegReader();
    MjpegReader(const MjpegReader &) = delete;
    MjpegReader &operator=(const MjpegReader &) = delete;

    /// The oldest picture that is kept; none at the time-out and after `cancel`.
    std::optional<JpegPicture> next(std::chrono::milliseconds timeout);
    /// Ends all waits.
    void cancel();
    bool cancelled() const;

    /// Why the first connection gave no picture; none while it may still give one.
    std::optional<Error> failure() const;
    std::string trouble() const;
    SourceFaults faults() const;
    double measuredFps() const;
    std::uint64_t arrived() const;
    /// "multipart/x-mixed-replace"; as the server says, or "no type".
    std::string type() const;

private:
    void run();
    Error receive(HttpConnection &connection);
    Error receivePictures(HttpConnection &connection, std::string body, PartReader &parts);
    Error endOf(const PartReader &parts, bool any) const;
    void deliver(std::string picture);
    void count(const PartReader::Counts &counts);
    void lost(const Error &why);
    bool pauseFor(std::chrono::milliseconds pause);

    const std::string m_url;
    mutable std::mutex m_mutex;
    std::condition_variable m_came;
    std::condition_variable m_wake;
    HttpConnection *m_connection = nullptr; ///< While there is one.
    bool m_cancelled = false;
    std::deque<JpegPicture> m_kept;
    std::uint64_t m_arrived = 0;
    std::int64_t m_lastArrivalNs = 0;
    std::string m_last; ///< The last picture, to see whether the next is the same.
    std::optional<SourceGap> m_gap;
    std::optional<Error> m_failure;
    std::string m_trouble;
    SourceFaults m_faults;
    PartReader::Counts m_counted; ///< Of the current connection, as far as they are in m_faults.
    RateMeter m_rate;
    std::string m_type;
    std::thread m_thread;
};

} // namespace jetscope
