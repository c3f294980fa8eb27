// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/http/mjpegreader.h"

#include "core/time/clock.h"
#include "gpu/sources/gstreamer/streamproblem.h"

#include <algorithm>
#include <array>
#include <utility>

namespace jetscope {

namespace {

using namespace std::chrono_literals;
using ReaderClock = std::chrono::steady_clock;

constexpr std::size_t kMaxKept = 2;
constexpr std::size_t kMaxWithoutPicture = 1 << 20; ///< Of a body, before it is given up.
constexpr auto kPicturesLost = 5s;
constexpr std::chrono::milliseconds kFirstRetry = 250ms;
constexpr std::chrono::milliseconds kLastRetry = 5s;
constexpr auto kSnapshotPeriod = 40ms; ///< A server of single pictures is not asked more often.
constexpr const char *kBrowserRemedy =
    "check the address: open it in a browser, and look there for that of the MJPEG stream";

/// Types that are surely no pictures, however they continue.
bool isSomethingElse(const std::string &type)
{
    constexpr std::array<std::string_view, 9> kOthers{"text/",
                                                      "audio/",
                                                      "video/mp4",
                                                      "video/mp2t",
                                                      "video/x-flv",
                                                      "video/webm",
                                                      "application/json",
                                                      "application/vnd.apple",
                                                      "application/x-mpegurl"};
    return std::any_of(kOthers.begin(), kOthers.end(),
                       [&](std::string_view start) { return type.compare(0, start.size(), start) == 0; });
}

bool isOtherPicture(const std::string &type)
{
    return type.compare(0, 6, "image/") == 0 && type.find("jp") == std::string::npos;
}

bool isSnapshot(const std::string &type)
{
    return type.compare(0, 6, "image/") == 0;
}

Error otherCodec(const std::string &type)
{
    return streamProblem(StreamLayer::Codec, "the server sends " + type + ", and only JPEG is decoded",
                         "check the address, and choose MJPEG in the camera's settings");
}

} // namespace

MjpegReader::MjpegReader(std::string url) : m_url(std::move(url)), m_thread([this] { run(); }) {}

MjpegReader::~MjpegReader()
{
    cancel();
    m_thread.join();
}

void MjpegReader::cancel()
{
    {
        const std::lock_guard lock(m_mutex);
        m_cancelled = true;
        if (m_connection)
            m_connection->cancel();
    }
    m_came.notify_all();
    m_wake.notify_all();
}

bool MjpegReader::cancelled() const
{
    const std::lock_guard lock(m_mutex);
    return m_cancelled;
}

std::optional<JpegPicture> MjpegReader::next(std::chrono::milliseconds timeout)
{
    std::unique_lock lock(m_mutex);
    m_came.wait_for(lock, timeout, [this] { return !m_kept.empty() || m_cancelled; });
    if (m_kept.empty() || m_cancelled)
        return std::nullopt;
    std::optional<JpegPicture> oldest = std::move(m_kept.front());
    m_kept.pop_front();
    return oldest;
}

void MjpegReader::run()
{
    std::chrono::milliseconds pause = kFirstRetry;
    while (!cancelled()) {
        const auto started = ReaderClock::now();
        const std::uint64_t before = arrived();
        HttpConnection connection;
        {
            const std::lock_guard lock(m_mutex);
            m_connection = &connection;
            m_counted = {};
            if (m_cancelled)
                connection.cancel();
        }
        const Error why = receive(connection);
        {
            const std::lock_guard lock(m_mutex);
            m_connection = nullptr;
        }
        const bool any = arrived() > before;
        if (why.text.empty()) { // A server of single pictures.
            pauseFor(std::chrono::duration_cast<std::chrono::milliseconds>(
                std::max(started + kSnapshotPeriod - ReaderClock::now(), ReaderClock::duration::zero())));
            continue;
        }
        lost(why);
        pause = any ? kFirstRetry : pause;
        pauseFor(pause);
        pause = std::min<std::chrono::milliseconds>(2 * pause, kLastRetry);
    }
}

/// Why the connection ended; without a text if the next one continues it.
Error MjpegReader::receive(HttpConnection &connection)
{
    std::string body;
    if (const Status opened = connection.open(m_url, body); !opened.ok())
        return opened.error();
    const std::string type = connection.response().type();
    {
        const std::lock_guard lock(m_mutex);
        m_type = type.empty() ? "no type" : type;
    }
    if (isSomethingElse(type))
        return streamProblem(StreamLayer::Container, "the server sends " + type + " and no pictures", kBrowserRemedy);
    if (isOtherPicture(type))
        return otherCodec(type);
    PartReader parts(connection.response().boundary());
    const Error why = receivePictures(connection, std::move(body), parts);
    count(parts.counts());
    return why;
}

Error MjpegReader::receivePictures(HttpConnection &connection, std::string body, PartReader &parts)
{
    const bool single = isSnapshot(connection.response().type());
    auto lastPicture = ReaderClock::now();
    bool any = false;
    for (;;) {
        parts.feed(body);
        body.clear();
        while (std::optional<std::string> picture = parts.next()) {
            deliver(std::move(*picture));
            any = true;
            lastPicture = ReaderClock::now();
            if (single)
                return {};
        }
        count(parts.counts());
        if (parts.overflowed())
            return streamProblem(StreamLayer::Container,
                                 "a frame of it is larger than " + std::to_string(PartReader::kMaxPictureBytes >> 20U)
                                     + " MiB",
                                 "check the address");
        if (parts.bytesWithoutPicture() > kMaxWithoutPicture && !any)
            return endOf(parts, any);
        if (ReaderClock::now() - lastPicture > kPicturesLost)
            return any ? sentence("no picture came for 5 seconds") : endOf(parts, any);
        const Result<bool> more = connection.read(body);
        if (!more.ok())
            return more.error();
        if (!more.value()) {
            parts.finish();
            return endOf(parts, any);
        }
    }
}

Error MjpegReader::endOf(const PartReader &parts, bool any) const
{
    if (any)
        return sentence("the server closed the connection");
    if (isOtherPicture(parts.otherType()) || parts.otherType().compare(0, 6, "video/") == 0)
        return otherCodec(parts.otherType());
    if (const PartReader::Counts &counts = parts.counts(); counts.damaged + counts.torn > 0)
        return streamProblem(StreamLayer::Codec,
                             "all " + std::to_string(counts.damaged + counts.torn) + " pictures that came are damaged",
                             "check the address and the camera");
    return streamProblem(StreamLayer::Container, "the server sends " + type() + ", and no JPEG picture is in it",
                         kBrowserRemedy);
}

void MjpegReader::deliver(std::string picture)
{
    const std::int64_t now = nowNs();
    {
        const std::lock_guard lock(m_mutex);
        m_faults.repeated += picture == m_last ? 1 : 0;
        m_last = picture;
        JpegPicture kept{std::move(picture), m_arrived++, now, std::exchange(m_gap, std::nullopt)};
        if (kept.gap) {
            kept.gap->untilNs = now;
            ++m_faults.gaps;
            m_rate.restart();
        }
        m_rate.add(now);
        m_lastArrivalNs = now;
        m_trouble.clear();
        m_failure.reset();
        m_kept.push_back(std::move(kept));
        if (m_kept.size() > kMaxKept) {
            std::optional<SourceGap> gap = std::move(m_kept.front().gap);
            m_kept.pop_front();
            if (gap && !m_kept.front().gap)
                m_kept.front().gap = std::move(gap);
        }
    }
    m_came.notify_all();
}

void MjpegReader::count(const PartReader::Counts &counts)
{
    const std::lock_guard lock(m_mutex);
    m_faults.damaged += counts.damaged - m_counted.damaged;
    m_faults.torn += counts.torn - m_counted.torn;
    m_counted = counts;
}

void MjpegReader::lost(const Error &why)
{
    const std::string what = "the stream was lost (" + why.text + ")";
    const std::lock_guard lock(m_mutex);
    if (m_arrived == 0)
        m_failure = why;
    else if (!m_gap)
        m_gap = SourceGap{m_lastArrivalNs, 0, what};
    m_trouble = what + "; connecting again";
}

/// False after `cancel`.
bool MjpegReader::pauseFor(std::chrono::milliseconds pause)
{
    std::unique_lock lock(m_mutex);
    return !m_wake.wait_for(lock, pause, [this] { return m_cancelled; });
}

std::optional<Error> MjpegReader::failure() const
{
    const std::lock_guard lock(m_mutex);
    return m_failure;
}

std::string MjpegReader::trouble() const
{
    const std::lock_guard lock(m_mutex);
    return m_trouble;
}

SourceFaults MjpegReader::faults() const
{
    const std::lock_guard lock(m_mutex);
    return m_faults;
}

double MjpegReader::measuredFps() const
{
    const std::lock_guard lock(m_mutex);
    return m_rate.fps();
}

std::uint64_t MjpegReader::arrived() const
{
    const std::lock_guard lock(m_mutex);
    return m_arrived;
}

std::string MjpegReader::type() const
{
    const std::lock_guard lock(m_mutex);
    return m_type;
}

} // namespace jetscope
