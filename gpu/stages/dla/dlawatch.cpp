// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/stages/dla/dlawatch.h"

#include "core/time/clock.h"

#include <array>
#include <cstdio>
#include <utility>

#include <unistd.h>

namespace jetscope {

namespace {

constexpr std::chrono::milliseconds kLookApart{1};
constexpr std::size_t kMostDoneKept = 256; ///< In a trial they are never taken.

const char *dlaName(int dla)
{
    static constexpr std::array kNames = {"DLA 0", "DLA 1", "DLA 2", "DLA 3"};
    return dla < static_cast<int>(kNames.size()) ? kNames[static_cast<std::size_t>(dla)] : "DLA";
}

} // namespace

DlaWatch::DlaWatch(const CudlaLibrary &library, const KernelDriver &driver, cudla::Device device, int dla,
                   std::string file, std::chrono::milliseconds timeout)
    : m_library(library), m_driver(driver), m_device(device), m_dla(dla), m_file(std::move(file)), m_timeout(timeout)
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

Status DlaWatch::submitted(std::uint64_t frame, NameId name, void *stream, std::int64_t startNs)
{
    const std::lock_guard lock(m_mutex);
    Pending pending;
    if (m_events.empty()) {
        JETSCOPE_TRY(m_driver.check("cuEventCreate", m_driver.createEvent(&pending.event, driver::kWithoutTiming)));
    } else {
        pending.event = m_events.back();
        m_events.pop_back();
    }
    pending.work.engine = dlaName(m_dla);
    pending.work.name = internName(spanName(name), Category::Kernel, Certainty::Bounded);
    pending.work.frame = frame;
    pending.work.startNs = startNs;
    if (const Status recorded = m_driver.check("cuEventRecord", m_driver.recordEvent(pending.event, stream));
        !recorded.ok()) {
        m_events.push_back(pending.event);
        return recorded;
    }
    m_pending.push_back(pending);
    m_changed.notify_all();
    return {};
}

void DlaWatch::drain()
{
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return m_pending.empty(); });
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
        const int result = m_driver.queryEvent(at->event);
        if (result != driver::kNotReady) {
            finish(*at, result);
            at = m_pending.erase(at);
            continue;
        }
        if (nowNs() - at->work.startNs > m_timeout.count() * 1'000'000)
            endProgram();
        ++at;
    }
    if (m_pending.empty())
        m_changed.notify_all();
}

void DlaWatch::finish(const Pending &pending, int result)
{
    m_events.push_back(pending.event);
    if (result == 0) {
        StageWork work = pending.work;
        work.endNs = nowNs();
        if (m_done.size() < kMostDoneKept)
            m_done.push_back(work);
        return;
    }
    if (result != cudla::kCudaExternalDevice || m_failure)
        return; // The pipeline says what is wrong with CUDA.
    const int status = m_library.functions().lastError(m_device);
    const Status failed = m_library.check("cudlaGetLastError", status);
    m_failure = failed.ok() ? Error{"cudlaGetLastError", 0, "CUDA says that the DLA failed, and cuDLA knows no error"}
                            : failed.error();
    m_news.push_back({false, m_file + " on " + dlaName(m_dla) + ": " + m_failure->message()});
}

void DlaWatch::endProgram() const
{
    std::fprintf(stderr,
                 "jetscope: %s has not ended its task of %s within %lld ms, and only the end of the program frees what "
                 "waits for it; start again, and restart the board if the DLA does not come back.\n",
                 dlaName(m_dla), m_file.c_str(), static_cast<long long>(m_timeout.count()));
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
