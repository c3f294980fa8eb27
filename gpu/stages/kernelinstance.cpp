// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/stages/kernelinstance.h"

#include <cstdio>

#include <unistd.h>

namespace jetscope {

namespace {

constexpr std::chrono::milliseconds kLookEvery{50};

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
    JETSCOPE_TRY_ASSIGN(instance->m_module, KernelModule::load(instance->m_driver, cubin));
    instance->m_source = source;
    instance->m_watcher = std::thread([watched = instance.get()] { watched->watch(); });
    return std::unique_ptr<StageInstance>(std::move(instance));
}

KernelInstance::~KernelInstance()
{
    {
        const std::lock_guard lock(m_watchMutex);
        m_isStopping = true;
    }
    m_watchCondition.notify_one();
    if (m_watcher.joinable())
        m_watcher.join();
    static_cast<void>(m_driver.setCurrentContext(m_context));
    for (const auto &[stream, marks] : m_marks)
        for (const Mark *mark : {&marks.oldest, &marks.newest})
            if (mark->event)
                static_cast<void>(m_driver.destroyEvent(mark->event));
}

std::vector<StageNews> KernelInstance::takeNews()
{
    const std::lock_guard lock(m_newsMutex);
    return std::exchange(m_news, {});
}

Status KernelInstance::runFrame(const StageFrame &frame)
{
    const std::lock_guard lock(m_moduleMutex);
    JETSCOPE_TRY(m_module->launch(frame));
    Marks &marks = m_marks[frame.stream];
    return setMark(marks.oldest.isPending ? marks.newest : marks.oldest, frame.stream);
}

Status KernelInstance::setMark(Mark &mark, void *stream)
{
    if (!mark.event)
        JETSCOPE_TRY(m_driver.check("cuEventCreate", m_driver.createEvent(&mark.event, driver::kWithoutTiming)));
    mark.submitted = Clock::now();
    mark.isPending = true;
    return m_driver.check("cuEventRecord", m_driver.recordEvent(mark.event, stream));
}

void KernelInstance::checkRuns()
{
    const std::lock_guard lock(m_moduleMutex);
    for (auto &[stream, marks] : m_marks) {
        if (!marks.oldest.isPending)
            continue;
        if (m_driver.queryEvent(marks.oldest.event) != driver::kNotReady) {
            marks.oldest.isPending = false; // Complete, or the context is lost, which the pipeline says.
            std::swap(marks.oldest, marks.newest);
        } else if (Clock::now() - marks.oldest.submitted > kernelTools().timeout) {
            endProgram(m_address.path, kernelTools().timeout);
        }
    }
}

void KernelInstance::watch()
{
    static_cast<void>(m_driver.setCurrentContext(m_context));
    std::unique_lock lock(m_watchMutex);
    while (!m_watchCondition.wait_for(lock, kLookEvery, [this] { return m_isStopping; })) {
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
    Result<std::unique_ptr<KernelModule>> made = rebuilt();
    if (made.ok()) {
        {
            const std::lock_guard lock(m_moduleMutex);
            std::swap(m_module, made.value());
        }
        // The former kernel may still run; nothing submits it any more.
        static_cast<void>(m_driver.synchronizeContext());
        static_cast<void>(std::move(made).value().reset());
    }
    const std::lock_guard lock(m_newsMutex);
    if (made.ok())
        m_news.push_back({true, m_address.path + ": compiled anew"});
    else
        m_news.push_back({false, made.error().message() + "; the former kernel goes on"});
}

Result<std::unique_ptr<KernelModule>> KernelInstance::rebuilt()
{
    JETSCOPE_TRY_ASSIGN(const std::string cubin, triedKernel(m_source, m_address, m_device));
    JETSCOPE_TRY_ASSIGN(const KernelForm *const form, kernelFormIn(cubin));
    if (form->format != reads())
        return sentence(m_address.path + ": a kernel cannot change between RGBA and grey while it runs");
    return KernelModule::load(m_driver, cubin);
}

} // namespace jetscope
