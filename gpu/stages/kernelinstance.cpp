// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/stages/kernelinstance.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include <unistd.h>

namespace jetscope {

namespace {

constexpr std::chrono::milliseconds kLookEvery{50};
constexpr const char *kFormerGoesOn = "; the former kernel goes on";

/// The device is busy for ever, so nothing that waits for it can be ended in order.
[[noreturn]] void endProgram(const std::string &file, std::chrono::milliseconds timeout)
{
    std::fprintf(stderr,
                 "jetscope: The kernel of %s has not ended within %lld ms, and only the end of the program frees the "
                 "GPU; correct the kernel and start again.\n",
                 file.c_str(), static_cast<long long>(timeout.count()));
    std::fflush(nullptr);
    _exit(1);
}

} // namespace

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
    instance->m_source = source;
    instance->m_watcher = std::thread([watched = instance.get()] { watched->watch(); });
    return std::unique_ptr<StageInstance>(std::move(instance));
}

KernelInstance::~KernelInstance()
{
    {
        const std::lock_guard lock(m_watchMutex);
        m_stop.request_stop();
    }
    m_watchCondition.notify_one();
    if (m_watcher.joinable())
        m_watcher.join();
    static_cast<void>(m_driver.setCurrentContext(m_context));
    for (const Generation &generation : m_generations)
        destroyEvents(generation);
}

void KernelInstance::destroyEvents(const Generation &generation)
{
    for (const auto &[stream, marks] : generation.marks)
        for (void *const event : {marks.oldest.before, marks.oldest.behind, marks.newest.before, marks.newest.behind})
            if (event)
                static_cast<void>(m_driver.destroyEvent(event));
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
    Mark &mark = marks.oldest.isPending ? marks.newest : marks.oldest;
    JETSCOPE_TRY(record(mark.before, frame.stream));
    JETSCOPE_TRY(present.module->launch(frame, name()));
    mark.mayBegin.reset();
    mark.isPending = true;
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
        m_news.push_back({StageNews::Kind::Refused, loaded.error().message() + kFormerGoesOn});
        return;
    }
    m_generations.push_back({std::move(loaded).value(), {}});
    m_news.push_back({StageNews::Kind::Changed, m_address.path + ": compiled anew"});
}

/// Only of runs that the watcher has seen complete: a wait for the device here would hold up the frames.
void KernelInstance::removeFormer()
{
    const auto isPending = [](const auto &entry) {
        return entry.second.oldest.isPending || entry.second.newest.isPending;
    };
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
    for (Generation &generation : m_generations)
        for (auto &[stream, marks] : generation.marks)
            checkMarks(marks);
}

void KernelInstance::checkMarks(Marks &marks)
{
    if (!marks.oldest.isPending)
        return;
    if (m_driver.queryEvent(marks.oldest.behind) != driver::kNotReady) {
        marks.oldest.isPending = false; // Complete, or the context is lost, which the pipeline says.
        std::swap(marks.oldest, marks.newest);
    } else if (isOverdue(marks.oldest)) {
        endProgram(m_address.path, kernelTools().timeout);
    }
}

/// Its time does not begin while it waits for other work of its stream.
bool KernelInstance::isOverdue(Mark &mark) const
{
    if (!mark.mayBegin) {
        if (m_driver.queryEvent(mark.before) != driver::kNotReady)
            mark.mayBegin = Clock::now();
        return false;
    }
    return Clock::now() - *mark.mayBegin > kernelTools().timeout;
}

void KernelInstance::watch()
{
    static_cast<void>(m_driver.setCurrentContext(m_context));
    std::unique_lock lock(m_watchMutex);
    while (!m_watchCondition.wait_for(lock, kLookEvery, [this] { return m_stop.stop_requested(); })) {
        lock.unlock();
        checkRuns();
        if (m_source.isOutdated())
            reload();
        lock.lock();
    }
}

void KernelInstance::reload()
{
    Result<KernelSource> source = KernelSource::read(m_address);
    if (!source.ok() || source.value().text().empty())
        return; // The editor is about to write it.
    m_source = std::move(source).value();
    Result<std::string> code = rebuilt();
    const std::lock_guard lock(m_newsMutex);
    if (code.ok())
        m_newCode = std::move(code).value();
    else
        m_news.push_back({StageNews::Kind::Refused, code.error().message() + kFormerGoesOn});
}

Result<std::string> KernelInstance::rebuilt()
{
    JETSCOPE_TRY_ASSIGN(std::string cubin, triedKernel(m_source, m_address, m_device, m_stop.get_token()));
    JETSCOPE_TRY_ASSIGN(const KernelForm *const form, kernelFormIn(cubin));
    if (form->format != reads())
        return sentence(m_address.path + ": a kernel cannot change between RGBA and grey while it runs");
    return cubin;
}

} // namespace jetscope
