// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/stages/dla/dlawatch.h"

#include "core/time/clock.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include <unistd.h>

namespace jetscope {

namespace {

constexpr std::chrono::milliseconds kLookApart{1};
constexpr std::size_t kMaxDoneKept = 256; ///< In a trial they are never taken.

const char *dlaName(int dla)
{
    static constexpr std::array kNames = {"DLA 0", "DLA 1", "DLA 2", "DLA 3"};
    return dla < static_cast<int>(kNames.size()) ? kNames[static_cast<std::size_t>(dla)] : "DLA";
}

} // namespace

DlaWatch::DlaWatch(const CudlaLibrary &library, const KernelDriver &driver, DlaWatched watched)
    : m_library(library), m_driver(driver), m_watched(std::move(watched))
{
    static_cast<void>(m_driver.getCurrentContext(&m_context));
    m_thread = std::thread([this] { watch(); });
}

DlaWatch::~DlaWatch()
{
    {
        const std::lock_guard lock(m_mutex);
        m_isStopping = true;
    }
    m_changed.notify_all();
    m_thread.join();
    for (void *const event : m_events)
        static_cast<void>(m_driver.destroyEvent(event));
}

/// The lock is held.
Result<void *> DlaWatch::mark(void *stream)
{
    void *event = nullptr;
    if (m_events.empty()) {
        JETSCOPE_TRY(m_driver.check("cuEventCreate", m_driver.createEvent(&event, driver::kWithoutTiming)));
    } else {
        event = m_events.back();
        m_events.pop_back();
    }
    if (const Status recorded = m_driver.check("cuEventRecord", m_driver.recordEvent(event, stream)); !recorded.ok()) {
        m_events.push_back(event);
        return recorded.error();
    }
    return event;
}

Status DlaWatch::begin(void *stream)
{
    const std::lock_guard lock(m_mutex);
    m_next = {};
    JETSCOPE_TRY_ASSIGN(m_next.before, mark(stream));
    m_next.work.startNs = nowNs();
    return {};
}

Status DlaWatch::submitted(std::uint64_t frame, NameId name, void *stream)
{
    const std::lock_guard lock(m_mutex);
    const Result<void *> behind = mark(stream);
    if (!behind.ok()) {
        m_events.push_back(m_next.before);
        return behind.error();
    }
    m_next.behind = behind.value();
    m_next.work.engine = dlaName(m_watched.dla);
    m_next.work.name = boundedName(name);
    m_next.work.frame = frame;
    m_pending.push_back(m_next);
    m_changed.notify_all();
    return {};
}

void DlaWatch::cancel()
{
    const std::lock_guard lock(m_mutex);
    m_events.push_back(m_next.before);
}

bool DlaWatch::drain()
{
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return m_pending.empty(); });
    return m_areEndsKnown;
}

void DlaWatch::refuse(const Error &error)
{
    const std::lock_guard lock(m_mutex);
    if (!m_failure)
        m_failure = error;
}

void DlaWatch::watch()
{
    static_cast<void>(m_driver.setCurrentContext(m_context));
    std::unique_lock lock(m_mutex);
    while (!m_isStopping) {
        if (m_pending.empty())
            m_changed.wait(lock, [this] { return m_isStopping || !m_pending.empty(); });
        else
            m_changed.wait_for(lock, kLookApart, [this] { return m_isStopping; });
        look();
    }
}

/// The lock is held.
void DlaWatch::look()
{
    for (auto at = m_pending.begin(); at != m_pending.end();) {
        const int result = m_driver.queryEvent(at->behind);
        if (result != driver::kNotReady) {
            finish(*at, result);
            at = m_pending.erase(at);
            continue;
        }
        if (isOverdue(*at))
            endProgram();
        ++at;
    }
    if (m_pending.empty())
        m_changed.notify_all();
}

/// Tasks run one after another, so each end begins the time of the next task.
bool DlaWatch::isOverdue(Pending &pending)
{
    const std::int64_t now = nowNs();
    if (pending.mayBeginNs == 0) {
        if (m_driver.queryEvent(pending.before) == driver::kNotReady)
            pending.work.startNs = now; // It cannot have begun yet.
        else
            pending.mayBeginNs = now;
        return false;
    }
    return now - std::max(pending.mayBeginNs, m_lastEndNs) > m_watched.timeout.count() * 1'000'000;
}

void DlaWatch::finish(const Pending &pending, int result)
{
    m_events.insert(m_events.end(), {pending.before, pending.behind});
    m_lastEndNs = nowNs();
    // A CUDA context that has failed says so of everything, whether it has ended or not.
    if (result != 0 && (result != cudla::kCudaExternalDevice || m_pending.size() > 1))
        m_areEndsKnown = false;
    if (result != 0 && result != cudla::kCudaExternalDevice)
        return; // The pipeline says what is wrong with CUDA.
    // In standalone mode, CUDA learns nothing of a failure.
    const int status =
        result != 0 || m_watched.mode == DlaMode::Standalone ? m_library.functions().lastError(m_watched.device) : 0;
    if (result == 0 && status == 0) {
        StageWork work = pending.work;
        work.endNs = m_lastEndNs;
        if (m_done.size() < kMaxDoneKept)
            m_done.push_back(work);
        return;
    }
    if (m_failure)
        return;
    const Status failed = m_library.check("cudlaGetLastError", status);
    m_failure = failed.ok() ? Error{"cudlaGetLastError", 0, "CUDA says that the DLA failed, and cuDLA knows no error"}
                            : failed.error();
    m_news.push_back(
        {StageNews::Kind::Told, m_watched.file + " on " + dlaName(m_watched.dla) + ": " + m_failure->message()});
}

void DlaWatch::endProgram() const
{
    std::fprintf(stderr,
                 "jetscope: %s has not ended its task of %s within %lld ms, and only the end of the program frees what "
                 "waits for it; start again, and restart the board if the DLA does not come back.\n",
                 dlaName(m_watched.dla), m_watched.file.c_str(), static_cast<long long>(m_watched.timeout.count()));
    std::fflush(nullptr);
    _exit(1);
}

std::vector<StageWork> DlaWatch::takeWork()
{
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_done, {});
}

std::vector<StageNews> DlaWatch::takeNews()
{
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_news, {});
}

Status DlaWatch::state()
{
    const std::lock_guard lock(m_mutex);
    if (m_failure)
        return *m_failure;
    return {};
}

} // namespace jetscope
