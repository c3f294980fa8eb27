// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/tracefile/tracefilewriter.h"

#include "core/trace/trace.h"
#include "core/tracefile/tracefileschema.h"
#include "core/tracefile/tracefiletables.h"

#include <algorithm>
#include <condition_variable>
#include <iterator>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

namespace jetscope {

namespace {

/// Values queued for writing into a capture. Bounded: `add` returns the number of rejected values, which is either all
/// of them or 0. Not thread-safe.
struct TraceFileBatch {
    /// Written in about a quarter of a second; pipelines take many seconds to record this much.
    static constexpr std::uint64_t kMaxBytes = 16 << 20;

    std::vector<LaneInfo> lanes; ///< New ones, and perhaps known ones again. The same applies to counters.
    std::vector<CounterInfo> counters;
    std::vector<Span> spans;
    std::vector<FrameFigures> figures;
    std::vector<FrameNumber> numbers;
    std::vector<PathPiece> path;
    std::vector<CounterSample> samples;
    std::vector<TraceMark> marks;
    std::vector<Thumbnail> thumbnails;
    std::vector<ClockMeeting> clocks;
    std::uint64_t bytes = 0; ///< Approximate size of the values.

    std::uint64_t add(std::vector<Span> more) { return addAll(spans, std::move(more)); }
    std::uint64_t add(std::vector<FrameFigures> more) { return addAll(figures, std::move(more)); }
    std::uint64_t add(std::vector<FrameNumber> more) { return addAll(numbers, std::move(more)); }
    std::uint64_t add(std::vector<PathPiece> more) { return addAll(path, std::move(more)); }
    std::uint64_t add(std::vector<CounterSample> more) { return addAll(samples, std::move(more)); }
    std::uint64_t add(TraceMark mark);
    std::uint64_t add(Thumbnail thumbnail);
    std::uint64_t add(ClockMeeting meeting);

private:
    bool take(std::uint64_t size)
    {
        if (bytes + size > kMaxBytes)
            return false;
        bytes += size;
        return true;
    }

    template <class T>
    std::uint64_t addAll(std::vector<T> &to, std::vector<T> more)
    {
        if (!take(more.size() * sizeof(T)))
            return more.size();
        if (to.empty())
            to = std::move(more);
        else
            to.insert(to.end(), more.begin(), more.end());
        return 0;
    }
};

std::uint64_t TraceFileBatch::add(TraceMark mark)
{
    std::size_t size = sizeof(mark) + mark.text.size() + mark.rule.size() + mark.fix.size() + mark.memory.size();
    for (const LostFrames &lost : mark.lost)
        size += sizeof(lost) + lost.evidence.size();
    if (!take(size))
        return 1;
    marks.push_back(std::move(mark));
    return 0;
}

std::uint64_t TraceFileBatch::add(Thumbnail thumbnail)
{
    if (!take(sizeof(thumbnail) + thumbnail.encoded.size()))
        return 1;
    thumbnails.push_back(std::move(thumbnail));
    return 0;
}

std::uint64_t TraceFileBatch::add(ClockMeeting meeting)
{
    if (!take(sizeof(meeting) + meeting.clock.size()))
        return 1;
    clocks.push_back(std::move(meeting));
    return 0;
}

using Clock = std::chrono::steady_clock;

// A killed program loses the values of this interval and of one commit.
constexpr std::chrono::milliseconds kCommitEvery{100};
// The clock is read once per this many values.
constexpr std::uint64_t kValuesAtOnce = 1024;
// Between attempts while another program holds the file locked, and how long the end of the recording waits for it.
constexpr std::chrono::milliseconds kLookAtLockEvery{20};
constexpr std::chrono::seconds kLongestWaitAtEnd{3};

} // namespace

struct TraceFileWriter::Parts {
    explicit Parts(TraceFileTables made) : tables(std::move(made)) {}

    void work();
    void write(const TraceFileBatch &batch);
    template <class Values, class Write>
    void each(const Values &values, Write write);
    void nameOf(NameId id);
    void takeHead(const TraceUpdate &update);
    void commit();
    bool waitForLock();

    // Shared between threads; protected by the mutex.
    mutable std::mutex mutex;
    std::condition_variable wake;
    TraceFileBatch queue;
    RecordingProgress reported;
    std::uint64_t refused = 0; ///< Values that did not fit into the queue.
    std::uint64_t lostBefore = 0;
    std::map<std::string, std::string> facts; ///< Not written yet.
    std::vector<SpanName> names;              ///< By NameId, not taken over yet: from namesSet on.
    std::size_t namesSet = 0;
    FrameNumbers numbersSeen; ///< The last change.
    bool stopping = false;
    bool finished = false; ///< The file is complete.
    std::condition_variable finish;
    std::optional<Clock::time_point> waitsUntil; ///< Once stopping.

    // Only used by the writer thread.
    TraceFileTables tables;
    std::vector<SpanName> processNames; ///< By NameId.
    std::vector<bool> knownNames;
    std::uint64_t valuesPending = 0; ///< Since the last commit.
    std::uint64_t spansPending = 0;
    std::uint64_t valuesLost = 0; ///< Because of a failure.
    std::uint64_t lostWritten = 0;
    Clock::time_point committed = Clock::now();

    std::thread thread; ///< Last member: the thread uses all of the above.
};

/// All recordings of this process. Never destroyed, because a program may end after its static objects were.
struct TraceFileWriter::Recordings {
    std::mutex mutex;
    std::vector<std::weak_ptr<Parts>> parts;

    static Recordings &all()
    {
        static auto *const recordings = new Recordings;
        return *recordings;
    }
    void add(const std::shared_ptr<Parts> &recording)
    {
        const std::lock_guard lock(mutex);
        std::erase_if(parts, [](const std::weak_ptr<Parts> &other) { return other.expired(); });
        parts.push_back(recording);
    }
    std::vector<std::shared_ptr<Parts>> live()
    {
        const std::lock_guard lock(mutex);
        std::vector<std::shared_ptr<Parts>> out;
        for (const std::weak_ptr<Parts> &recording : parts)
            if (std::shared_ptr<Parts> one = recording.lock())
                out.push_back(std::move(one));
        return out;
    }
};

/// Continues after a failure until it is stopped, so that later values are counted as lost.
void TraceFileWriter::Parts::work()
{
    for (bool stop = false; !stop;) {
        TraceFileBatch batch;
        std::uint64_t lost = 0;
        std::map<std::string, std::string> newFacts;
        {
            std::unique_lock lock(mutex);
            wake.wait_for(lock, kCommitEvery, [this] { return stopping; });
            stop = stopping;
            std::swap(batch, queue);
            std::swap(newFacts, facts);
            std::move(names.begin(), names.end(), std::back_inserter(processNames));
            names.clear();
            lost = lostBefore + refused;
        }
        write(batch);
        for (const auto &[name, value] : newFacts)
            tables.setFact(name, value);
        if (lost != std::exchange(lostWritten, lost))
            tables.setFact(kLostRow, std::to_string(lost));
        commit();
    }
    tables.finish();
    const std::lock_guard lock(mutex);
    if (!tables.status().ok())
        reported.failure = tables.status().error().text;
    finished = true;
    finish.notify_all();
}

template <class Values, class Write>
void TraceFileWriter::Parts::each(const Values &values, Write write)
{
    for (const auto &value : values) {
        write(value);
        if (++valuesPending % kValuesAtOnce == 0 && Clock::now() - committed >= kCommitEvery)
            commit();
    }
}

void TraceFileWriter::Parts::nameOf(NameId id)
{
    if (id >= knownNames.size())
        knownNames.resize(id + std::size_t{1});
    if (knownNames[id])
        return;
    knownNames[id] = true;
    tables.setName(id, id < processNames.size() ? processNames[id] : internedName(id));
}

void TraceFileWriter::Parts::write(const TraceFileBatch &batch)
{
    for (const LaneInfo &lane : batch.lanes)
        tables.setLane(lane);
    for (const CounterInfo &counter : batch.counters)
        tables.setCounter(counter);
    each(batch.marks, [this](const TraceMark &mark) { tables.addMark(mark); });
    each(batch.figures, [this](const FrameFigures &figures) { tables.addFrame(figures); });
    each(batch.numbers, [this](const FrameNumber &number) { tables.addFrameNumber(number); });
    each(batch.path, [this](const PathPiece &piece) {
        if (piece.name != kNoPathName)
            nameOf(static_cast<NameId>(piece.name));
        tables.addPathPiece(piece);
    });
    each(batch.samples, [this](const CounterSample &sample) { tables.addSample(sample); });
    each(batch.thumbnails, [this](const Thumbnail &thumbnail) { tables.addThumbnail(thumbnail); });
    each(batch.clocks, [this](const ClockMeeting &meeting) { tables.addClock(meeting); });
    each(batch.spans, [this](const Span &span) {
        nameOf(span.name);
        tables.addSpan(span.lane, span.depth, {span.startNs, span.durationNs, span.bytes, span.frame, span.name});
        ++spansPending;
    });
}

/// Writer thread, within SQLite: whether to try again to get the lock that another program holds.
bool TraceFileWriter::Parts::waitForLock()
{
    std::unique_lock lock(mutex);
    if (stopping && !waitsUntil)
        waitsUntil = Clock::now() + kLongestWaitAtEnd;
    if (waitsUntil && Clock::now() >= *waitsUntil)
        return false;
    reported.hasWaited = true;
    reported.waiting = tables.name()
        + " is held locked by another program: what is recorded is kept in memory until it lets go, as far as it fits; "
          "end what it does there";
    wake.wait_for(lock, kLookAtLockEvery); // Also woken by `stop`.
    return true;
}

void TraceFileWriter::Parts::commit()
{
    tables.commit();
    const bool good = tables.status().ok();
    const std::uint64_t size = good ? tables.fileBytes() : 0;
    {
        const std::lock_guard lock(mutex);
        reported.waiting.clear();
        if (good) {
            reported.spans += spansPending;
            reported.fileBytes = size;
        } else {
            valuesLost += valuesPending;
            reported.failure = tables.status().error().text;
        }
        reported.lost = refused + lostBefore + valuesLost;
    }
    valuesPending = spansPending = 0;
    committed = Clock::now();
}

TraceFileWriter::TraceFileWriter(std::shared_ptr<Parts> parts) : m_parts(std::move(parts))
{
    Recordings::all().add(m_parts);
    m_parts->tables.setWait([working = m_parts.get()] { return working->waitForLock(); });
    m_parts->thread = std::thread([working = m_parts.get()] { working->work(); });
}

Result<std::unique_ptr<TraceFileWriter>> TraceFileWriter::create(const std::string &path, const TraceFileHeader &banner)
{
    JETSCOPE_TRY_ASSIGN(TraceFileTables tables, TraceFileTables::create(path));
    tables.setOrigin(banner.origin);
    for (const auto &[name, value] : banner.facts)
        tables.setFact(name, value);
    tables.commit();
    if (!tables.status().ok())
        return tables.status().error();
    return std::unique_ptr<TraceFileWriter>(new TraceFileWriter(std::make_shared<Parts>(std::move(tables))));
}

TraceFileWriter::~TraceFileWriter()
{
    (void)stop().ok();
}

void TraceFileWriter::Parts::takeHead(const TraceUpdate &update)
{
    const std::lock_guard lock(mutex);
    for (std::size_t i = namesSet - std::min<std::size_t>(namesSet, update.firstName); i < update.names.size(); ++i) {
        names.push_back(update.names[i]);
        ++namesSet;
    }
    queue.lanes.insert(queue.lanes.end(), update.lanes.begin(), update.lanes.end());
    queue.counters.insert(queue.counters.end(), update.counters.begin(), update.counters.end());
    for (const auto &[name, value] : update.facts)
        facts[name] = value;
    lostBefore += update.spansLost;
}

void TraceFileWriter::take(const TraceUpdate &update)
{
    m_parts->takeHead(update);
    add(update.spans);
    add(update.figures);
    add(update.numbers);
    add(update.path);
    add(update.samples);
    for (const TraceMark &mark : update.marks)
        add(mark);
}

void TraceFileWriter::add(std::vector<Span> spans)
{
    const std::lock_guard lock(m_parts->mutex);
    m_parts->refused += m_parts->queue.add(std::move(spans));
}

void TraceFileWriter::add(std::vector<FrameFigures> figures)
{
    std::erase_if(figures, [](const FrameFigures &frame) { return !frame.traced; });
    const std::lock_guard lock(m_parts->mutex);
    m_parts->refused += m_parts->queue.add(std::move(figures));
}

void TraceFileWriter::add(std::vector<FrameNumber> numbers)
{
    const std::lock_guard lock(m_parts->mutex);
    // What a TraceHead told is told again; only changes are written.
    std::erase_if(numbers, [this](const FrameNumber &number) { return !m_parts->numbersSeen.add(number); });
    m_parts->numbersSeen.dropBefore(std::numeric_limits<std::uint32_t>::max());
    m_parts->refused += m_parts->queue.add(std::move(numbers));
}

void TraceFileWriter::add(std::vector<PathPiece> path)
{
    const std::lock_guard lock(m_parts->mutex);
    m_parts->refused += m_parts->queue.add(std::move(path));
}

void TraceFileWriter::add(std::vector<CounterSample> samples)
{
    const std::lock_guard lock(m_parts->mutex);
    m_parts->refused += m_parts->queue.add(std::move(samples));
}

void TraceFileWriter::add(TraceMark mark)
{
    const std::lock_guard lock(m_parts->mutex);
    m_parts->refused += m_parts->queue.add(std::move(mark));
}

void TraceFileWriter::add(Thumbnail thumbnail)
{
    const std::lock_guard lock(m_parts->mutex);
    m_parts->refused += m_parts->queue.add(std::move(thumbnail));
}

void TraceFileWriter::add(ClockMeeting meeting)
{
    const std::lock_guard lock(m_parts->mutex);
    m_parts->refused += m_parts->queue.add(std::move(meeting));
}

RecordingProgress TraceFileWriter::progress() const
{
    const std::lock_guard lock(m_parts->mutex);
    return m_parts->reported;
}

Status TraceFileWriter::stop()
{
    {
        const std::lock_guard lock(m_parts->mutex);
        m_parts->stopping = true;
    }
    m_parts->wake.notify_one();
    if (m_parts->thread.joinable())
        m_parts->thread.join();
    if (m_parts->reported.failure.empty())
        return {};
    return Error{{}, 0, m_parts->reported.failure};
}

bool TraceFileWriter::finishAll(std::chrono::milliseconds atMost)
{
    const std::vector<std::shared_ptr<Parts>> recordings = Recordings::all().live();
    for (const std::shared_ptr<Parts> &recording : recordings) {
        const std::lock_guard lock(recording->mutex);
        recording->stopping = true;
        recording->wake.notify_one();
    }
    bool all = true;
    const Clock::time_point giveUp = Clock::now() + atMost;
    for (const std::shared_ptr<Parts> &recording : recordings) {
        std::unique_lock lock(recording->mutex);
        all &= recording->finish.wait_until(lock, giveUp, [&] { return recording->finished; });
    }
    return all;
}

} // namespace jetscope
