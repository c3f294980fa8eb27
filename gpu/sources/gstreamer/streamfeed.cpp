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
    if (m_picture)
        m_pictureFacts = m_picture->facts();
}

Result<StreamFeed::Started> StreamFeed::startStream(const StreamRecipe &recipe, std::chrono::milliseconds timeout)
{
    const auto deadline = Clock::now() + timeout;
    JETSCOPE_TRY_ASSIGN(std::unique_ptr<StreamPipeline> pipeline, StreamPipeline::start(recipe));
    while (Clock::now() < deadline) {
        Result<std::optional<StreamPicture>> picture = pipeline->next(kSlice);
        if (!picture.ok())
            return pipeline->hasNoPictures() ? pipeline->silence() : picture.error();
        if (picture.value())
            return Started{std::move(pipeline), std::move(picture).value()};
    }
    const Error silence = pipeline->silence();
    if (!silence.text.empty())
        return silence;
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
    // Of a live stream, pictures count from the first reading on; the pipeline of a user is counted whole.
    if (!std::exchange(m_anyRead, true) && m_pipeline && m_setup.reconnects)
        m_index.startReading(m_pipeline->arrived());
    if (m_picture)
        return take(std::exchange(m_picture, std::nullopt));
    static const NameId kWait = internName("wait for the stream", Category::WaitInput, Purpose::Input);
    auto since = Clock::now();
    while (!cancelled()) {
        Result<std::optional<StreamPicture>> picture = [&] {
            const SpanScope span(kWait);
            return m_pipeline->next(kSlice);
        }();
        if (picture.ok() && picture.value())
            return take(std::move(picture).value());
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
            return take(std::exchange(m_picture, std::nullopt));
        since = Clock::now();
    }
    return std::optional<StreamPicture>();
}

/// Notes what must be known of a picture even if it is not delivered.
std::optional<StreamPicture> StreamFeed::take(std::optional<StreamPicture> picture)
{
    m_lastArrivalNs = picture->arrival().arrivalNs;
    if (const void *caps = picture->caps(); caps != m_lastCaps) {
        m_lastCaps = caps;
        const StreamFacts facts = picture->facts();
        const std::lock_guard lock(m_mutex);
        m_pictureFacts = facts;
    }
    return picture;
}

CapturedFrame StreamFeed::captured(const StreamPicture &picture)
{
    CapturedFrame captured{m_index.indexOf(picture.arrival().number),
                           m_stamps.captureNs(picture.captureNs(), true, nowNs())};
    captured.lost = m_index.lost(captured.captureNs);
    // GStreamer dates pictures by the monotonic clock; those of the network by their sender's clock and their arrival.
    const ToldClock clock = m_setup.recipe.origin == StreamOrigin::Network ? ToldClock::Sender : ToldClock::Monotonic;
    captured.stamp = {picture.captureNs() >= 0, picture.captureNs(), picture.arrival().arrivalNs, clock};
    const std::lock_guard lock(m_mutex);
    m_faults.oddStamps = m_stamps.replaced();
    m_faults.repeated += picture.arrival().repeated ? 1 : 0;
    if (m_gap) {
        m_gap->untilNs = picture.arrival().arrivalNs;
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
    setPipeline(nullptr);
    m_stamps.restart();
    m_index.restart();
    m_lastCaps = nullptr;
}

/// The pipeline before is closed.
void StreamFeed::setPipeline(std::shared_ptr<StreamPipeline> pipeline)
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_pipeline) {
            const SourceFaults faults = m_pipeline->faults();
            m_faults.missed += faults.missed;
            m_faults.damaged += faults.damaged;
        }
        m_pipeline.swap(pipeline);
    }
    pipeline.reset(); // Takes long, so without the lock.
}

Status StreamFeed::change(StreamRecipe recipe)
{
    m_setup.recipe = std::move(recipe);
    return reconnect({});
}

/// Blocks until the stream is back, or `cancel`.
Status StreamFeed::reconnect(const std::string &reason)
{
    static const NameId kLost = internName("stream lost", Category::WaitInput, Purpose::Input);
    static const NameId kChange = internName("start another pipeline", Category::WaitInput, Purpose::Input);
    const SpanScope span(reason.empty() ? kChange : kLost);
    giveUp();
    std::chrono::milliseconds pause = reason.empty() ? kLetGo : kShortestRetry;
    if (!reason.empty()) {
        const std::string what = "the stream was lost (" + reason + ")";
        if (!m_gap)
            m_gap = SourceGap{m_lastArrivalNs > 0 ? m_lastArrivalNs : nowNs(), 0, what};
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
            setPipeline(std::move(started.value().pipeline));
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
    SourceFaults faults = m_faults;
    if (m_pipeline) {
        const SourceFaults now = m_pipeline->faults();
        faults.missed += now.missed;
        faults.damaged += now.damaged;
    }
    return faults;
}

StreamFacts StreamFeed::facts() const
{
    const std::lock_guard lock(m_mutex);
    StreamFacts facts = m_pictureFacts;
    if (!m_pipeline)
        return facts;
    const StreamFacts decoded = m_pipeline->facts();
    facts.measuredFps = decoded.measuredFps;
    if (decoded.decoder.empty())
        return facts;
    facts.codec = decoded.codec;
    facts.width = decoded.width > 0 ? decoded.width : facts.width;
    facts.height = decoded.height > 0 ? decoded.height : facts.height;
    facts.claimedFps = decoded.claimedFps > 0 ? decoded.claimedFps : facts.claimedFps;
    facts.color.assumed = !m_pipeline->colorIsCoded();
    facts.decoder = decoded.decoder;
    facts.decoderKind = decoded.decoderKind;
    facts.decoderReason = decoded.decoderReason;
    return facts;
}

} // namespace jetscope
