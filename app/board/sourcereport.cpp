// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/board/sourcereport.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace jetscope {

namespace {

/// Cancels a source that is still read after a time, since any `read` may wait for ever. The source must outlive it.
class Deadline {
public:
    Deadline(FrameSource &source, std::chrono::seconds time)
        : m_thread([this, &source, time] {
              std::unique_lock lock(m_mutex);
              if (!m_end.wait_for(lock, time, [this] { return m_done; }))
                  source.cancel();
          })
    {
    }
    ~Deadline()
    {
        {
            const std::lock_guard lock(m_mutex);
            m_done = true;
        }
        m_end.notify_all();
        m_thread.join();
    }
    Deadline(const Deadline &) = delete;
    Deadline &operator=(const Deadline &) = delete;

private:
    std::mutex m_mutex;
    std::condition_variable m_end;
    bool m_done = false;
    std::thread m_thread; // Last: it uses the others.
};

} // namespace

StreamReport examineStream(const std::string &uri, const SourceOpener &open)
{
    constexpr std::chrono::seconds kLongest{4};
    constexpr std::uint64_t kMostFrames = 30;
    StreamReport report;
    report.uri = uri;
    const Result<std::unique_ptr<FrameSource>> opened = open(uri);
    if (!opened.ok()) {
        report.error = opened.error().message();
        return report;
    }
    FrameSource &source = *opened.value();
    report.description = source.info().description;
    std::vector<std::byte> frame(source.info().layout.bytes);
    {
        const Deadline deadline(source, kLongest);
        while (report.frames < kMostFrames) {
            const Result<std::optional<CapturedFrame>> read = source.read(frame.data());
            if (!read.ok())
                report.error = read.error().message();
            if (!read.ok() || !read.value())
                break;
            ++report.frames;
        }
    }
    report.state = source.state();
    if (report.frames == 0 && report.error.empty())
        report.error = report.state.trouble.empty() ? "no frame came within 4 s: see whether the source sends anything"
                                                    : report.state.trouble;
    return report;
}

} // namespace jetscope
