// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/kernel/schedulertrace.h"

#include "core/text/parsenumber.h"
#include "core/text/shorttext.h"

#include <algorithm>
#include <utility>

namespace jetscope {

namespace {

constexpr std::size_t kMaxLineBytes = 1024;
constexpr std::size_t kMaxRefusalBytes = 200;
constexpr std::size_t kMaxBegun = 256;
constexpr std::string_view kError = "# error: ";
constexpr std::string_view kGroup = "# events: ";    ///< "# events: GROUP HAS OF"
constexpr std::string_view kThreads = "# threads: "; ///< "# threads: NAMESPACE"
constexpr std::size_t kMaxGroups = 16;
constexpr std::size_t kMaxGroupBytes = 32;
constexpr std::string_view kDone = "_done";

/// Flushes and invalidations have an end of their own.
bool hasEnd(std::string_view event)
{
    return event.starts_with("gk20a_mm_");
}

void replaceControls(std::string &text)
{
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
}

/// What stands behind `key`; the first one counts.
void takeReason(std::string_view text, std::string_view key, std::string &reason)
{
    if (!text.starts_with(key) || !reason.empty())
        return;
    reason = shortText(text.substr(key.size()), kMaxRefusalBytes);
    replaceControls(reason);
}

/// Takes " NUMBER" from the end.
bool takeLastNumber(std::string_view &text, std::uint32_t &number)
{
    const std::size_t blank = text.rfind(' ');
    if (blank == std::string_view::npos)
        return false;
    const std::string_view digits = text.substr(blank + 1);
    const std::optional<std::uint32_t> parsed = parseNumber<std::uint32_t>(digits);
    if (!parsed)
        return false;
    number = *parsed;
    text.remove_suffix(digits.size() + 1);
    return true;
}

} // namespace

void SchedulerTrace::setThreads(const std::vector<AttachThread> &threads)
{
    for (; m_threadsSet < threads.size(); ++m_threadsSet) {
        const AttachThread &info = threads[m_threadsSet];
        if (info.tid <= 0 || info.isElsewhere || m_countsElsewhere) // 0 is the idle thread of each CPU.
            continue;
        Thread &thread = m_threads[info.tid];
        if (thread.times.allNs() > 0)
            m_ended[thread.index] = thread.times;
        thread = {};
        thread.index = static_cast<std::uint32_t>(m_threadsSet);
        thread.name = info.name.empty() ? "thread " + std::to_string(info.tid) : info.name;
        replaceControls(thread.name);
        thread.detail = info.process + " " + std::to_string(info.pid) + " · thread " + std::to_string(info.tid);
        std::string &process = m_processes[info.pid];
        process = info.process;
        replaceControls(process);
    }
}

void SchedulerTrace::take(std::string_view bytes, std::vector<Span> &out)
{
    while (!bytes.empty()) {
        const std::size_t end = bytes.find('\n');
        const std::string_view part = bytes.substr(0, end);
        if (m_part.size() + part.size() > kMaxLineBytes) {
            m_skipping = true;
            m_part.clear();
        } else if (!m_skipping) {
            m_part += part;
        }
        if (end == std::string_view::npos)
            return;
        if (m_skipping)
            ++m_damaged;
        else
            takeLine(m_part, out);
        m_skipping = false;
        m_part.clear();
        bytes.remove_prefix(end + 1);
    }
}

void SchedulerTrace::takeLine(std::string_view text, std::vector<Span> &out)
{
    if (text.starts_with('#')) {
        takeComment(text);
        return;
    }
    const std::optional<TraceLine> line = parseTraceLine(text);
    if (!line) {
        ++m_damaged;
        return;
    }
    if (line->kind == TraceLine::Kind::Context) {
        takeContext(*line, out);
        return; // Later than the lines of the kernel around it.
    }
    if (m_turns.goTo(line->ns))
        forget();
    switch (line->kind) {
    case TraceLine::Kind::Other:
    case TraceLine::Kind::Context:
        return;
    case TraceLine::Kind::Lost: // Nothing is known of any thread until it is switched again.
        ++m_lost;
        forget();
        return;
    case TraceLine::Kind::Switch:
        enter(line->pid, line->isEnded ? State::Unknown : line->isReady ? State::Ready : State::Blocked, line->ns, out);
        if (line->isEnded)
            setEnded(line->pid);
        enter(line->next, State::OnCpu, line->ns, out);
        break;
    case TraceLine::Kind::Wake:
        if (const auto thread = m_threads.find(line->next);
            thread != m_threads.end() && thread->second.state != State::OnCpu) // It had not left the CPU yet.
            enter(line->next, State::Ready, line->ns, out);
        break;
    case TraceLine::Kind::Driver:
        takeDriver(*line, out);
        break;
    case TraceLine::Kind::Engine:
        takeEngine(*line, out);
        break;
    }
    ++m_lines;
    m_newestNs = std::max(m_newestNs, line->ns);
}

void SchedulerTrace::takeComment(std::string_view text)
{
    takeReason(text, kError, m_refusal);
    takeReason(text, JSA_CONTEXTS_REFUSED, m_contextsRefusal);
    if (text.starts_with(kThreads))
        takeNamespace(text.substr(kThreads.size()));
    if (!text.starts_with(kGroup) || m_groups.size() >= kMaxGroups)
        return;
    text.remove_prefix(kGroup.size());
    TracedGroup group;
    if (!takeLastNumber(text, group.of) || !takeLastNumber(text, group.has))
        return;
    group.name = shortText(text, kMaxGroupBytes);
    replaceControls(group.name);
    m_groups.push_back(std::move(group));
}

/// Said before the first event.
void SchedulerTrace::takeNamespace(std::string_view number)
{
    const std::optional<std::uint32_t> pidNamespace = parseNumber<std::uint32_t>(number);
    if (!pidNamespace || m_namespace == 0)
        return;
    m_countsElsewhere = *pidNamespace != m_namespace;
    if (m_countsElsewhere) {
        m_threads.clear();
        m_processes.clear();
    }
}

/// The number may belong to a thread of any other program from now on. Of a thread without times, the line may be one
/// of the thread that had the number before.
void SchedulerTrace::setEnded(std::int32_t tid)
{
    if (const auto thread = m_threads.find(tid); thread != m_threads.end())
        thread->second.hasEnded = thread->second.times.allNs() > 0;
}

void SchedulerTrace::forget()
{
    for (auto &[tid, thread] : m_threads)
        thread.state = State::Unknown;
    m_driverBegun.clear();
    m_engines.forget();
}

void SchedulerTrace::setRecording(bool on, std::int64_t ns)
{
    m_turns.add(on, ns);
    m_contextTurns.add(on, ns);
}

std::optional<LaneId> SchedulerTrace::laneOf(Thread &thread)
{
    if (!std::exchange(thread.hasLane, true))
        thread.lane = m_newLane(thread.name + ", scheduler", thread.detail);
    return thread.lane;
}

void SchedulerTrace::takeEngine(const TraceLine &line, std::vector<Span> &out)
{
    const std::optional<EngineEvent> event = parseEngineEvent(line.use, line.arguments);
    if (!event) {
        ++m_damaged;
        return;
    }
    if (!m_turns.isOn())
        return;
    EngineTrace::Submitter by;
    by.tid = line.pid;
    const bool isByThread = event->use != JSA_TRACED_VALUE && event->use != JSA_TRACED_COMPLETE;
    if (const auto thread = m_threads.find(line.pid); isByThread && thread != m_threads.end()) {
        by.name = thread->second.name;
        by.lane = laneOf(thread->second);
    }
    m_engines.take(*event, line.ns, by, out);
}

void SchedulerTrace::takeContext(const TraceLine &line, std::vector<Span> &out)
{
    const std::optional<ContextEvent> event = parseContextEvent(line.arguments);
    if (!event) {
        ++m_damaged;
        return;
    }
    if (m_contextTurns.goTo(line.ns))
        m_contexts.forget();
    const auto process = m_processes.find(line.pid);
    if (m_contextTurns.isOn())
        m_contexts.take(*event, line.ns, line.pid, process != m_processes.end() ? process->second : std::string(), out);
}

void SchedulerTrace::enter(std::int32_t tid, State state, std::int64_t ns, std::vector<Span> &out)
{
    static const NameId s_onCpu = internName("on a CPU", Category::Tool);
    static const NameId s_ready = internName("ready, no CPU is free", Category::Tool);
    static const NameId s_blocked = internName("blocked", Category::Tool);
    const auto found = m_threads.find(tid);
    if (found == m_threads.end() || !m_turns.isOn())
        return;
    Thread &thread = found->second;
    if (state == thread.state || thread.hasEnded)
        return;
    const std::int64_t forNs = ns - thread.sinceNs;
    if (thread.state != State::Unknown && forNs > 0) {
        const NameId name = thread.state == State::OnCpu ? s_onCpu : thread.state == State::Ready ? s_ready : s_blocked;
        if (const std::optional<LaneId> lane = laneOf(thread))
            add(*lane, name, thread.sinceNs, ns, out);
        (thread.state == State::OnCpu       ? thread.times.onCpuNs
             : thread.state == State::Ready ? thread.times.readyNs
                                            : thread.times.blockedNs) += forNs;
    }
    thread.state = state;
    thread.sinceNs = ns;
}

/// X and X_done of a thread are a span; all else is a moment.
void SchedulerTrace::takeDriver(const TraceLine &line, std::vector<Span> &out)
{
    if (!m_turns.isOn())
        return;
    const bool isEnd = line.name.ends_with(kDone);
    const std::string_view what = isEnd ? line.name.substr(0, line.name.size() - kDone.size()) : line.name;
    const auto begun = m_driverBegun.find({line.pid, what});
    const std::int64_t fromNs = isEnd && begun != m_driverBegun.end() ? begun->second : line.ns;
    if (isEnd && begun != m_driverBegun.end())
        m_driverBegun.erase(begun);
    else if (!isEnd && m_driverBegun.size() < kMaxBegun)
        m_driverBegun[{line.pid, what}] = line.ns;
    if (!isEnd && hasEnd(what))
        return;
    if (!std::exchange(m_hasDriverLane, true))
        m_driverLane = m_newLane("GPU driver", "the kernel's trace");
    if (m_driverLane)
        add(*m_driverLane, internName(what, Category::Tool), fromNs, std::max(fromNs, line.ns), out);
}

void SchedulerTrace::finish(std::vector<Span> &out)
{
    for (auto &[tid, thread] : m_threads)
        enter(tid, State::Unknown, m_newestNs, out);
}

void SchedulerTrace::add(LaneId lane, NameId name, std::int64_t fromNs, std::int64_t toNs, std::vector<Span> &out) const
{
    Span span;
    span.startNs = fromNs;
    span.durationNs = toNs - fromNs;
    span.frame = m_frameAt(fromNs);
    span.name = name;
    span.lane = lane;
    out.push_back(span);
}

std::optional<SchedulerTimes> SchedulerTrace::times(std::uint32_t thread) const
{
    if (const auto ended = m_ended.find(thread); ended != m_ended.end())
        return ended->second;
    for (const auto &[tid, known] : m_threads)
        if (known.index == thread && known.times.allNs() > 0)
            return known.times;
    return std::nullopt;
}

bool SchedulerTrace::hasTimes() const
{
    return !m_ended.empty() || std::any_of(m_threads.begin(), m_threads.end(), [](const auto &thread) {
        return thread.second.times.allNs() > 0;
    });
}

} // namespace jetscope
