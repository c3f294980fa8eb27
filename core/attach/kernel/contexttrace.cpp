// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/kernel/contexttrace.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace jetscope {

namespace {

constexpr std::size_t kMaxNamedContexts = 64; ///< Names are never given back.
constexpr std::uint8_t kLeavingDepth = 1;

bool takeField(std::string_view &text, std::string_view key, std::uint32_t &number)
{
    if (!text.starts_with(key))
        return false;
    text.remove_prefix(key.size());
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return error == std::errc();
}

/// How a context left, as the span says it in which it still ran.
std::string_view wordsOf(std::uint8_t how)
{
    switch (how) {
    case JSA_CONTEXT_STOPPED_IDLE:
        return "must leave: until its work is complete";
    case JSA_CONTEXT_STOPPED_DRAW:
        return "must leave: stopped within graphics work";
    case JSA_CONTEXT_STOPPED_BLOCKS:
        return "must leave: stopped between thread blocks";
    case JSA_CONTEXT_STOPPED_KERNEL:
        return "must leave: stopped within a kernel";
    default:
        return "must leave";
    }
}

} // namespace

std::optional<ContextEvent> parseContextEvent(std::string_view text)
{
    ContextEvent event;
    std::uint32_t tag = 0;
    if (takeField(text, " lost=", event.lost))
        return text.empty() ? std::optional(event) : std::nullopt;
    if (!takeField(text, " context=", event.context) || !takeField(text, " tag=", tag) || !text.empty())
        return std::nullopt;
    event.tag = static_cast<std::uint8_t>(tag);
    return tag <= std::numeric_limits<std::uint8_t>::max() ? std::optional(event) : std::nullopt;
}

void ContextTrace::take(const ContextEvent &event, std::int64_t ns, std::int32_t pid, const std::string &process,
                        std::vector<Span> &out)
{
    if (event.lost > 0) {
        m_lost += event.lost;
        forget();
        return;
    }
    const Key key(pid, event.context);
    const bool isLoaded = m_loaded && m_loaded->key == key;
    switch (event.tag) {
    case JSA_CONTEXT_ASKED:
        if (isLoaded)
            m_loaded->askedNs = ns;
        break;
    case JSA_CONTEXT_STOPPED:
    case JSA_CONTEXT_STOPPED_IDLE:
    case JSA_CONTEXT_STOPPED_DRAW:
    case JSA_CONTEXT_STOPPED_BLOCKS:
    case JSA_CONTEXT_STOPPED_KERNEL:
    case JSA_CONTEXT_SAVED:
        if (isLoaded)
            leave(event.tag, ns, out);
        break;
    case JSA_CONTEXT_LOADS: // The next one: the one before has left, also where that was not told.
        if (m_loaded)
            leave(JSA_CONTEXT_STOPPED, ns, out);
        break;
    case JSA_CONTEXT_RUNS:
        load(key, process, ns, out);
        break;
    case JSA_CONTEXT_RESET:
        forget();
        break;
    default: // Moments without a use here.
        break;
    }
}

void ContextTrace::load(Key key, const std::string &process, std::int64_t ns, std::vector<Span> &out)
{
    static const NameId s_switch = internName("switches contexts", Category::Tool);
    if (m_loaded)
        leave(JSA_CONTEXT_STOPPED, ns, out);
    else if (m_leftNs) {
        m_switchingNs += std::max<std::int64_t>(ns - *m_leftNs, 0);
        add(s_switch, 0, *m_leftNs, ns, out);
    }
    m_leftNs.reset();
    m_loaded = Loaded{key, nameOf(key, process), ns, {}};
}

void ContextTrace::leave(std::uint8_t how, std::int64_t ns, std::vector<Span> &out)
{
    const Loaded was = *std::exchange(m_loaded, std::nullopt);
    m_leftNs = ns;
    add(was.name, 0, was.sinceNs, ns, out);
    if (was.askedNs)
        add(internName(wordsOf(how), Category::Tool), kLeavingDepth, *was.askedNs, ns, out);
    if (const auto known = m_contexts.find(was.key); known != m_contexts.end()) {
        ++known->second.times;
        known->second.loadedNs += std::max<std::int64_t>(ns - was.sinceNs, 0);
        known->second.leavingNs += was.askedNs ? std::max<std::int64_t>(ns - *was.askedNs, 0) : 0;
    }
}

NameId ContextTrace::nameOf(Key key, const std::string &process)
{
    static const NameId s_other = internName("another context", Category::Tool);
    const auto [pid, context] = key;
    if (!m_contexts.contains(key)) {
        if (m_contexts.size() >= kMaxNamedContexts)
            return s_other;
        m_contexts[key].pid = pid;
        m_contexts[key].context = context;
    }
    if (!process.empty()) // It may come to be known later.
        m_contexts[key].process = process;
    const std::string of = pid == 0 ? "" : " of " + (process.empty() ? "process" : process) + ' ' + std::to_string(pid);
    return internName("context " + std::to_string(context) + of, Category::Tool);
}

void ContextTrace::forget()
{
    m_loaded.reset();
    m_leftNs.reset();
}

std::vector<ContextTimes> ContextTrace::contexts() const
{
    std::vector<ContextTimes> all;
    for (const auto &[key, times] : m_contexts)
        if (times.times > 0)
            all.push_back(times);
    std::stable_sort(all.begin(), all.end(),
                     [](const ContextTimes &a, const ContextTimes &b) { return a.loadedNs > b.loadedNs; });
    return all;
}

void ContextTrace::add(NameId name, std::uint8_t depth, std::int64_t fromNs, std::int64_t toNs, std::vector<Span> &out)
{
    if (!std::exchange(m_hasLane, true))
        m_lane = m_newLane("GPU contexts", "nvgpu");
    if (!m_lane)
        return;
    Span span;
    span.startNs = fromNs;
    span.durationNs = std::max<std::int64_t>(toNs - fromNs, 0);
    span.frame = m_frameAt(fromNs);
    span.name = name;
    span.lane = *m_lane;
    span.depth = depth;
    out.push_back(span);
}

} // namespace jetscope
