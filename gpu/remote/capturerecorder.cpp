// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/capturerecorder.h"

#include "core/remote/wire/buildid.h"
#include "core/text/utf8.h"

#include <unistd.h>
#include <utility>

namespace jetscope {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kLookEvery{250};
constexpr std::size_t kLongestBoardName = 100;
constexpr int kMostNames = 100;

/// What this machine is called, by the laptop or by itself.
std::string boardName(const std::string &said)
{
    if (!said.empty() && said.size() <= kLongestBoardName && isPlainLine(said))
        return said;
    char name[256] = {};
    return ::gethostname(name, sizeof name - 1) == 0 && isPlainLine(name) ? name : "the board";
}

TraceFileHeader headerOf(const PipelineStatus &status, const std::string &source, const std::string &board)
{
    TraceOrigin origin;
    // An inspected program's devices are not known.
    origin.device = status.facts.name.empty() ? board : status.facts.name + " on " + board;
    origin.source = status.source.uri.empty() ? source : status.source.uri;
    const std::string_view build = buildId();
    origin.program = "Jetscope " + std::string(build.substr(0, build.find('-')));
    origin.wallClockOffsetNs = status.wallClockOffsetNs;
    return status.inspected ? TraceFileHeader{std::move(origin), {{kAttachedFact, "yes"}}}
                            : traceFileHeader(std::move(origin), status.facts, status.config);
}

} // namespace

CaptureRecorder::CaptureRecorder(CaptureFolder &folder, std::uint64_t leastFree)
    : m_folder(folder), m_leastFree(leastFree), m_thread([this] { watch(); })
{
}

CaptureRecorder::~CaptureRecorder()
{
    {
        const std::lock_guard lock(m_mutex);
        m_ends = true;
    }
    m_wake.notify_all();
    m_thread.join();
    stop();
}

Status CaptureRecorder::start(const PipelineStatus &status, const std::string &source, const std::string &board)
{
    const std::lock_guard changing(m_changing);
    if (isOn())
        return sentence("the board records already");
    const std::string name = boardName(board);
    if (const Status made = m_folder.make(); !made.ok())
        return sentence(name + " cannot record: " + made.error().text);
    if (const auto free = m_folder.freeBytes(); free && *free < m_leastFree)
        return sentence(name + " has too little room to record (" + m_folder.roomText() + ", "
                        + std::to_string(m_leastFree / 1'000'000)
                        + " MB are kept for others): fetch captures and delete them there, or remove something else");
    const std::string whole = captureNameFor(source);
    const std::string stem = whole.substr(0, whole.rfind('.'));
    std::string file = whole;
    Result<std::unique_ptr<TraceFileWriter>> writer =
        TraceFileWriter::create(m_folder.pathOf(file), headerOf(status, source, name));
    // Another one may have begun in this second.
    for (int number = 2; !writer.ok() && number < kMostNames && ::access(m_folder.pathOf(file).c_str(), F_OK) == 0;
         ++number) {
        file = stem + "-" + std::to_string(number) + ".jscope";
        writer = TraceFileWriter::create(m_folder.pathOf(file), headerOf(status, source, name));
    }
    if (!writer.ok())
        return sentence(name + " cannot record: " + writer.error().text + " (" + m_folder.roomText() + ")");
    const std::uint64_t free = m_folder.freeBytes().value_or(0);
    const std::lock_guard lock(m_mutex);
    m_writer = std::move(writer).value();
    m_board = name;
    m_since = Clock::now();
    RecordingState state;
    state.number = m_state.number + 1;
    state.isOn = true;
    state.name = file;
    state.freeBytes = free;
    m_state = std::move(state);
    return {};
}

void CaptureRecorder::begin(const TraceHead &head)
{
    {
        const std::lock_guard lock(m_mutex);
        m_takes = m_writer != nullptr;
    }
    take(head.asUpdate());
}

std::shared_ptr<TraceFileWriter> CaptureRecorder::taker() const
{
    const std::lock_guard lock(m_mutex);
    return m_takes ? m_writer : nullptr;
}

void CaptureRecorder::take(const TraceUpdate &update)
{
    if (const std::shared_ptr<TraceFileWriter> writer = taker())
        writer->take(update);
}

void CaptureRecorder::take(const ClockMeeting &meeting)
{
    if (const std::shared_ptr<TraceFileWriter> writer = taker())
        writer->add(meeting);
}

void CaptureRecorder::end()
{
    const std::lock_guard lock(m_mutex);
    m_takes = false;
}

void CaptureRecorder::stop()
{
    const std::lock_guard changing(m_changing);
    std::shared_ptr<TraceFileWriter> writer;
    {
        const std::lock_guard lock(m_mutex);
        m_takes = false;
        writer = m_writer;
    }
    if (!writer)
        return;
    const Status done = writer->stop();
    const RecordingProgress progress = writer->progress();
    const std::string failure = done.ok() ? std::string() : failureText(done.error().text);
    const std::lock_guard lock(m_mutex);
    m_writer.reset();
    m_state.isOn = false;
    m_state.bytes = progress.fileBytes;
    m_state.lost = progress.lost;
    m_state.waiting.clear();
    if (m_state.failure.empty())
        m_state.failure = failure;
}

bool CaptureRecorder::isOn() const
{
    const std::lock_guard lock(m_mutex);
    return m_writer != nullptr;
}

std::string CaptureRecorder::growing() const
{
    const std::lock_guard lock(m_mutex);
    return m_writer ? m_state.name : std::string();
}

RecordingState CaptureRecorder::state() const
{
    const std::lock_guard lock(m_mutex);
    return m_state;
}

std::string CaptureRecorder::board() const
{
    const std::lock_guard lock(m_mutex);
    return m_board;
}

/// Waits for the disk, so without the lock.
std::string CaptureRecorder::failureText(const std::string &why) const
{
    return "the recording on " + board() + " ended early: " + why + " (" + m_folder.roomText()
        + "). What was recorded until then is kept: fetch captures and delete them there, or remove something else, "
          "then record again";
}

void CaptureRecorder::watch()
{
    std::unique_lock lock(m_mutex);
    while (!m_ends) {
        m_wake.wait_for(lock, kLookEvery, [this] { return m_ends; });
        lock.unlock();
        look();
        lock.lock();
    }
}

/// What the recording has become, and whether it may go on.
void CaptureRecorder::look()
{
    std::shared_ptr<TraceFileWriter> writer;
    {
        const std::lock_guard lock(m_mutex);
        writer = m_writer;
    }
    if (!writer)
        return;
    const RecordingProgress progress = writer->progress();
    const std::optional<std::uint64_t> free = m_folder.freeBytes();
    std::string failure;
    if (!progress.failure.empty())
        failure = failureText(progress.failure);
    else if (free && *free < m_leastFree)
        failure = failureText("the disk is nearly full");
    {
        const std::lock_guard lock(m_mutex);
        if (m_writer != writer)
            return;
        m_state.bytes = progress.fileBytes;
        m_state.lost = progress.lost;
        m_state.waiting = progress.waiting;
        m_state.freeBytes = free.value_or(0);
        m_state.elapsedNs = std::chrono::nanoseconds(Clock::now() - m_since).count();
        m_state.failure = failure;
    }
    if (!failure.empty())
        stop();
}

} // namespace jetscope
