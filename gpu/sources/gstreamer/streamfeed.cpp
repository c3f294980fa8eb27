// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/gstreamer/streamfeed.h"

#include "core/recording/tracer.h"
#include "core/time/clock.h"
#include "gpu/sources/sourceuri.h"

#include <algorithm>
#include <utility>

namespace jetscope {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto kFirstConnection = 5s; ///< The time limit for the first picture of a first connection.
constexpr auto kStreamLost = 5s;      ///< After this time without a picture, the stream is considered lost.
constexpr auto kSlice = 100ms;        ///< Part of a wait, so that the wait can be cancelled.
constexpr std::chrono::milliseconds kShortestRetry = 250ms;
constexpr std::chrono::milliseconds kLongestRetry = 5s;
constexpr std::chrono::milliseconds kLetGo =
    50ms; ///< Time for the readers of a pipeline's buffers to notice that it is being closed.

} // namespace

StreamFeed::StreamFeed(Setup setup, Started started)
    : m_setup(std::move(setup)), m_pipeline(std::move(started.pipeline)), m_picture(std::move(started.picture))
{
}

Result<StreamFeed::Started> StreamFeed::startStream(const StreamRecipe &recipe, std::chrono::milliseconds timeout)
{
    const auto deadline = Clock::now() + timeout;
    JETSCOPE_TRY_ASSIGN(std::unique_ptr<StreamPipeline> pipeline,
                        StreamPipeline::start(recipe.text, recipe.memory, recipe.origin));
    while (Clock::now() < deadline) {
        JETSCOPE_TRY_ASSIGN(std::optional<StreamPicture> picture, pipeline->next(kSlice));
        if (picture)
            return Started{std::move(pipeline), std::move(picture)};
    }
    return Error{"GStreamer", 0, "no picture came within " + std::to_string(timeout.count() / 1000) + " seconds"};
}

Result<std::unique_ptr<StreamFeed>> StreamFeed::start(Setup setup)
{
    JETSCOPE_TRY_ASSIGN(Started started, startStream(setup.recipe, kFirstConnection - 500ms));
    return std::unique_ptr<StreamFeed>(new StreamFeed(std::move(setup), std::move(started)));
}

Result<std::optional<StreamPicture>> StreamFeed::next()
{
    if (!m_pipeline)
        JETSCOPE_TRY(reconnect({}));
    if (m_picture)
        return std::exchange(m_picture, std::nullopt);
    static const NameId kWait = internName("wait for the stream", Category::WaitInput);
    auto since = Clock::now();
    while (!cancelled()) {
        Result<std::optional<StreamPicture>> picture = [&] {
            const SpanScope span(kWait);
            return m_pipeline->next(kSlice);
        }();
        if (picture.ok() && picture.value())
            return picture;
        const bool ended = !picture.ok() && picture.error().code == StreamPipeline::kEnded;
        if (ended && !m_setup.reconnects)
            break;
        const bool stalled = picture.ok() && m_setup.reconnects && Clock::now() - since >= kStreamLost;
        if (picture.ok() && !stalled)
            continue;
        if (!m_setup.reconnects)
            return Error{inQuotes(m_setup.name), 0,
                         "the pipeline failed (" + picture.error().text + "): check its elements and what they read"};
        JETSCOPE_TRY(reconnect(stalled ? "no picture came for 5 seconds" : picture.error().text));
        if (m_picture)
            return std::exchange(m_picture, std::nullopt);
        since = Clock::now();
    }
    return std::optional<StreamPicture>();
}

CapturedFrame StreamFeed::captured(const StreamPicture &picture)
{
    CapturedFrame captured{m_next++, m_stamps.captureNs(picture.captureNs(), true, nowNs())};
    const std::lock_guard lock(m_mutex);
    m_faults.oddStamps = m_stamps.replaced();
    if (m_gap) {
        m_gap->untilNs = nowNs();
        captured.gaps.push_back(std::move(*m_gap));
        m_gap.reset();
        ++m_faults.gaps;
    }
    return captured;
}

void StreamFeed::giveUp()
{
    m_picture.reset();
    m_givenUp();
    m_pipeline.reset();
    m_stamps.restart();
}

Status StreamFeed::change(StreamRecipe recipe)
{
    m_setup.recipe = std::move(recipe);
    return reconnect({});
}

/// Blocks until the stream is back, or `cancel`.
Status StreamFeed::reconnect(const std::string &reason)
{
    static const NameId kLost = internName("stream lost", Category::WaitInput);
    static const NameId kChange = internName("start another pipeline", Category::WaitInput);
    const SpanScope span(reason.empty() ? kChange : kLost);
    giveUp();
    std::chrono::milliseconds pause = reason.empty() ? kLetGo : kShortestRetry;
    if (!reason.empty()) {
        const std::string what = "the stream was lost (" + reason + ")";
        if (!m_gap)
            m_gap = SourceGap{nowNs(), 0, what};
        setTrouble(what + "; connecting again");
    }
    while (!cancelled()) {
        {
            std::unique_lock lock(m_mutex);
            m_wake.wait_for(lock, pause, [this] { return m_cancelled; });
        }
        if (cancelled())
            break;
        Result<Started> started = startStream(m_setup.recipe, kFirstConnection);
        if (started.ok()) {
            m_pipeline = std::move(started.value().pipeline);
            m_picture = std::move(started.value().picture);
            setTrouble({});
            return {};
        }
        pause = std::clamp(2 * pause, kShortestRetry, kLongestRetry);
        setTrouble("the stream was lost (" + started.error().text + "); connecting again");
    }
    return {};
}

void StreamFeed::cancel()
{
    {
        const std::lock_guard lock(m_mutex);
        m_cancelled = true;
    }
    m_wake.notify_all();
}

bool StreamFeed::cancelled() const
{
    const std::lock_guard lock(m_mutex);
    return m_cancelled;
}

void StreamFeed::setTrouble(std::string trouble)
{
    const std::lock_guard lock(m_mutex);
    m_trouble = std::move(trouble);
}

std::string StreamFeed::trouble() const
{
    const std::lock_guard lock(m_mutex);
    return m_trouble;
}

SourceFaults StreamFeed::faults() const
{
    const std::lock_guard lock(m_mutex);
    return m_faults;
}

} // namespace jetscope
