// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/stages/kernelinstance.h"

#include "gpu/stages/sanitizerhint.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <utility>

#include <unistd.h>

namespace jetscope {

namespace {

constexpr std::chrono::milliseconds kLookEvery{50};

/// When the last run was seen to have ended, of all own kernels: on a GPU that is full, each end begins the time of the
/// next run.
std::atomic<std::chrono::steady_clock::duration> g_lastEnd{};

/// An editor may replace a file in steps.
bool isBeingWritten(const std::string &file)
{
    std::error_code error;
    const std::uintmax_t bytes = std::filesystem::file_size(file, error);
    return error || bytes == 0;
}

StageNews refusal(const Error &error)
{
    return {StageNews::Kind::Refused, beforeSanitizerHint(error.message(), "; the former kernel goes on")};
}

constexpr std::chrono::seconds kTimeToLeave{5};

struct {
    std::mutex mutex;
    std::function<void(const EndlessKernel &)> told;
    std::optional<std::chrono::steady_clock::time_point> since;
} g_endless;

/// The device is busy for ever, so nothing that waits for it can be ended in order.
[[noreturn]] void endProgram(const std::string &text)
{
    std::fprintf(stderr, "jetscope: %s\n", text.c_str());
    std::fflush(nullptr);
    _exit(1);
}

/// Again and again while it does not end.
void tellOrEnd(const std::string &file)
{
    const std::string text = "The kernel of " + file + " has not ended within "
        + std::to_string(kernelTools().timeout.count())
        + " ms, and only the end of the program frees the GPU; correct the kernel and start again.";
    const std::lock_guard lock(g_endless.mutex);
    const auto now = std::chrono::steady_clock::now();
    if (!g_endless.told || (g_endless.since && now - *g_endless.since > kTimeToLeave))
        endProgram(text);
    if (!g_endless.since) {
        g_endless.since = now;
        g_endless.told({file, text});
    }
}

} // namespace

void onEndlessKernel(std::function<void(const EndlessKernel &)> told)
{
    const std::lock_guard lock(g_endless.mutex);
    g_endless.told = std::move(told);
}

KernelInstance::KernelInstance(PixelFormat format, StageAddress address, const StageDevice &device, KernelDriver driver,
                               void *context)
    : StageInstance(format, format),
      m_address(std::move(address)),
      m_device(device),
      m_driver(driver),
      m_context(context)
{
}

Result<std::unique_ptr<StageInstance>> KernelInstance::create(const StageAddress &address, const StageDevice &device)
{
    JETSCOPE_TRY_ASSIGN(const KernelSource source, KernelSource::read(address));
    JETSCOPE_TRY_ASSIGN(const std::string cubin, triedKernel(source, address, device));
    JETSCOPE_TRY_ASSIGN(const KernelForm *const form, kernelFormIn(cubin));
    JETSCOPE_TRY_ASSIGN(const KernelDriver driver, KernelDriver::load(kernelTools().driver));
    void *context = nullptr;
    JETSCOPE_TRY(driver.check("cuCtxGetCurrent", driver.getCurrentContext(&context)));
    std::unique_ptr<KernelInstance> instance(new KernelInstance(form->format, address, device, driver, context));
    Generation first;
    JETSCOPE_TRY_ASSIGN(first.module, KernelModule::load(instance->m_driver, cubin));
    instance->m_generations.push_back(std::move(first));
    instance->m_looked = source.stamp();
    instance->m_watcher = std::thread([watched = instance.get()] { watched->watchRuns(); });
    instance->m_follower = std::thread([follows = instance.get()] { follows->followFiles(); });
    return std::unique_ptr<StageInstance>(std::move(instance));
}

KernelInstance::~KernelInstance()
{
    {
        const std::lock_guard lock(m_watchMutex);
        m_stop.request_stop();
    }
    m_watchCondition.notify_all();
    for (std::thread *const thread : {&m_watcher, &m_follower})
        if (thread->joinable())
            thread->join();
    static_cast<void>(m_driver.setCurrentContext(m_context));
    for (const Generation &generation : m_generations)
        destroyEvents(generation);
    destroyEvents({m_spare.begin(), m_spare.end()});
}

void KernelInstance::destroyEvents(const Marks &marks)
{
    for (const Mark &mark : marks)
        for (void *const event : {mark.before, mark.behind})
            if (event)
                static_cast<void>(m_driver.destroyEvent(event));
}

void KernelInstance::destroyEvents(const Generation &generation)
{
    for (const auto &[stream, marks] : generation.marks)
        destroyEvents(marks);
}

void KernelInstance::forgetStream(void *stream)
{
    const std::lock_guard lock(m_generationsMutex);
    for (Generation &generation : m_generations) {
        generation.module->forgetStream(stream);
        const auto found = generation.marks.find(stream);
        if (found == generation.marks.end())
            continue;
        destroyEvents(found->second);
        generation.marks.erase(found);
    }
}

std::vector<StageNews> KernelInstance::takeNews()
{
    const std::lock_guard lock(m_newsMutex);
    return std::exchange(m_news, {});
}

Status KernelInstance::runFrame(const StageFrame &frame)
{
    const std::lock_guard lock(m_generationsMutex);
    takeNewCode();
    removeFormer();
    Generation &present = m_generations.back();
    Marks &marks = present.marks[frame.stream];
    noteEnds(marks); // So there are no more of them than frames in flight.
    if (m_spare.empty())
        m_spare.emplace_back();
    Mark &mark = marks.emplace_back(m_spare.back());
    m_spare.pop_back();
    JETSCOPE_TRY(record(mark.before, frame.stream));
    JETSCOPE_TRY(present.module->launch(frame, name()));
    return record(mark.behind, frame.stream);
}

void KernelInstance::takeNewCode()
{
    std::optional<std::string> code;
    {
        const std::lock_guard lock(m_newsMutex);
        code = std::exchange(m_newCode, std::nullopt);
    }
    if (!code)
        return;
    Result<std::unique_ptr<KernelModule>> loaded = KernelModule::load(m_driver, *code);
    const std::lock_guard lock(m_newsMutex);
    if (!loaded.ok()) {
        m_news.push_back(refusal(loaded.error()));
        return;
    }
    m_generations.push_back({std::move(loaded).value(), {}});
    m_news.push_back({StageNews::Kind::Changed, m_address.path + ": compiled anew"});
}

/// Only of runs that the watcher has seen complete: a wait for the device here would hold up the frames.
void KernelInstance::removeFormer()
{
    const auto isPending = [](const auto &entry) { return !entry.second.empty(); };
    while (m_generations.size() > 1
           && std::none_of(m_generations.front().marks.begin(), m_generations.front().marks.end(), isPending)) {
        destroyEvents(m_generations.front());
        m_generations.erase(m_generations.begin());
    }
}

Status KernelInstance::record(void *&event, void *stream)
{
    if (!event)
        JETSCOPE_TRY(m_driver.check("cuEventCreate", m_driver.createEvent(&event, driver::kWithoutTiming)));
    return m_driver.check("cuEventRecord", m_driver.recordEvent(event, stream));
}

void KernelInstance::checkRuns()
{
    const std::lock_guard lock(m_generationsMutex);
    noteEnds();
    if (!isAnyOverdue())
        return;
    // The process may have been stopped since, while the GPU went on.
    noteEnds();
    if (isAnyOverdue())
        tellOrEnd(m_address.path);
}

void KernelInstance::noteEnds()
{
    for (Generation &generation : m_generations)
        for (auto &[stream, marks] : generation.marks)
            noteEnds(marks);
}

/// Complete, or the context is lost, which the pipeline says.
void KernelInstance::noteEnds(Marks &marks)
{
    const auto isPending = [this](const Mark &mark) {
        return mark.behind && m_driver.queryEvent(mark.behind) == driver::kNotReady;
    };
    for (; !marks.empty() && !isPending(marks.front()); marks.pop_front()) {
        m_spare.push_back({marks.front().before, marks.front().behind, std::nullopt});
        g_lastEnd = Clock::now().time_since_epoch();
    }
}

bool KernelInstance::isAnyOverdue()
{
    bool isAny = false;
    for (Generation &generation : m_generations)
        for (auto &[stream, marks] : generation.marks)
            isAny = (!marks.empty() && isOverdue(marks.front())) || isAny;
    return isAny;
}

/// Its time does not begin while it waits for other work of its stream, or while runs in other streams end.
bool KernelInstance::isOverdue(Mark &mark) const
{
    if (!mark.mayBegin) {
        if (m_driver.queryEvent(mark.before) != driver::kNotReady)
            mark.mayBegin = Clock::now();
        return false;
    }
    const Clock::duration since = std::max(mark.mayBegin->time_since_epoch(), g_lastEnd.load());
    return Clock::now().time_since_epoch() - since > kernelTools().timeout;
}

/// False when the instance goes.
bool KernelInstance::restsUntilNextLook()
{
    std::unique_lock lock(m_watchMutex);
    return !m_watchCondition.wait_for(lock, kLookEvery, [this] { return m_stop.stop_requested(); });
}

void KernelInstance::watchRuns()
{
    static_cast<void>(m_driver.setCurrentContext(m_context));
    while (restsUntilNextLook())
        checkRuns();
}

void KernelInstance::followFiles()
{
    while (restsUntilNextLook())
        if (m_looked.isOutdated())
            reload();
}

void KernelInstance::reload()
{
    const Result<KernelSource> source = KernelSource::read(m_address, &m_looked);
    if (source.ok() ? source.value().text().empty() : isBeingWritten(m_address.path))
        return;
    Result<std::string> code =
        source.ok() ? built(source.value()) : sentence(m_address.path + ": " + source.error().text);
    const std::lock_guard lock(m_newsMutex);
    if (code.ok())
        m_newCode = std::move(code).value();
    else
        m_news.push_back(refusal(code.error()));
}

Result<std::string> KernelInstance::built(const KernelSource &source)
{
    JETSCOPE_TRY_ASSIGN(std::string cubin, triedKernel(source, m_address, m_device, m_stop.get_token()));
    JETSCOPE_TRY_ASSIGN(const KernelForm *const form, kernelFormIn(cubin));
    if (form->format != reads())
        return sentence(m_address.path + ": a kernel cannot change between RGBA and grey while it runs");
    return cubin;
}

} // namespace jetscope
