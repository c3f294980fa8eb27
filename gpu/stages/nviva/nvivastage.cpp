// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/stages/nviva/nvivastage.h"

#include "core/recording/tracer.h"
#include "core/settings/filters.h"
#include "core/text/numbertext.h"
#include "core/time/clock.h"
#include "gpu/stages/kerneldriver.h"
#include "gpu/stages/stageoptions.h"
#include "gpu/stages/stagetrial.h"

#include <filesystem>
#include <utility>

namespace jetscope {

namespace {

constexpr std::uint64_t kFramesToJudge = 30; ///< Then what a library does in every frame is said.

/// The properties of nvivafilter that switch the functions of a library, and the letter of each in NvivaWords.
struct PartRow {
    const char *option;
    char part;
    const char *help;
};
constexpr PartRow kParts[] = {
    {"cuda-process", 'g', "1 calls the library's function for the GPU."},
    {"pre-process", 'b', "1 calls the library's function for the CPU before that for the GPU."},
    {"post-process", 'p', "1 calls the library's function for the CPU after that for the GPU."},
};

std::vector<FilterOption> partOptions()
{
    std::vector<FilterOption> options;
    for (const PartRow &row : kParts)
        options.push_back({row.option, row.help, 0, 1, 1, 1, 1, {}});
    return options;
}

/// What a library did in all frames so far that can be spared.
class NvivaWaste {
public:
    void add(const NvivaWork &work)
    {
        ++m_frames;
        m_framesThatRegister += work.registrations > 0 ? 1 : 0;
        m_registrationNs += static_cast<double>(work.registrationNs);
        m_waits += work.waits;
        for (std::uint32_t i = 0; i < std::min(work.waits, NvivaWork::kMaxWaits); ++i)
            m_waitedNs += static_cast<double>(work.waited[i].untilNs - work.waited[i].fromNs);
    }
    bool isDue() const { return m_frames == kFramesToJudge && m_framesThatRegister == m_frames; }
    std::string text(const std::string &name, bool byEglImage) const
    {
        const auto frames = static_cast<double>(m_frames);
        std::string said = "\"" + name + "\" registers its EGLImage in every frame";
        if (byEglImage)
            said += ", which takes " + fixedText(m_registrationNs / frames / 1e6, 2) + " ms of a frame";
        if (m_waits > 0)
            said += std::string(byEglImage ? "," : "") + " and waits for all work of the device, which takes "
                + fixedText(m_waitedNs / frames / 1e6, 2) + " ms of a frame";
        return byEglImage
            ? said
            : said + ". Stand-ins answer the registration here; a Jetson's driver takes its time for each.";
    }

private:
    std::uint64_t m_frames = 0;
    std::uint64_t m_framesThatRegister = 0;
    std::uint64_t m_waits = 0;
    double m_waitedNs = 0;
    double m_registrationNs = 0;
};

class NvivaInstance final : public StageInstance {
public:
    NvivaInstance(KernelDriver driver, std::unique_ptr<NvivaProcess> process, std::string name, int width, int height)
        : StageInstance(PixelFormat::Rgba8, PixelFormat::Rgba8),
          m_driver(driver),
          m_process(std::move(process)),
          m_name(std::move(name)),
          m_size(std::to_string(width) + "x" + std::to_string(height)),
          m_isPinned(m_driver.registerHost(m_process->frame(), m_process->frameBytes(), 0) == 0),
          m_whole(named("process of ")),
          m_pre(named("pre_process of ")),
          m_gpu(named("gpu_process of ")),
          m_wait(named("cuCtxSynchronize in ", Purpose::DeviceAll)),
          m_post(named("post_process of "))
    {
    }
    ~NvivaInstance() override
    {
        if (m_isPinned)
            static_cast<void>(m_driver.unregisterHost(m_process->frame()));
    }
    NvivaInstance(const NvivaInstance &) = delete;
    NvivaInstance &operator=(const NvivaInstance &) = delete;

    std::vector<StageNews> takeNews() override
    {
        const std::lock_guard lock(m_newsMutex);
        return std::exchange(m_news, {});
    }

protected:
    /// Returns when the library is done, as nvivafilter does.
    Status runFrame(const StageFrame &frame) override
    {
        const SpanScope span(m_whole);
        JETSCOPE_TRY(copy(frame, frame.input, CopyKind::DeviceToHost));
        JETSCOPE_TRY_ASSIGN(const NvivaWork *const work, m_process->run());
        record(*work);
        judge(*work);
        return copy(frame, frame.output, CopyKind::HostToDevice);
    }
    /// The library's work is that of another process.
    void announce(KernelObserver &) override {}

private:
    NameId named(const char *what, Purpose purpose = Purpose::DeviceFrame) const
    {
        return internName(what + m_name, Category::WaitSync, purpose);
    }

    /// From the device to the shared memory or back, complete when it returns.
    Status copy(const StageFrame &frame, const StageImage &image, CopyKind kind)
    {
        static const NameId kOut = internName("copy to the library's memory", Category::Copy);
        static const NameId kBack = internName("copy from the library's memory", Category::Copy);
        const bool toDevice = kind == CopyKind::HostToDevice;
        driver::Copy2d copy;
        driver::CopyEnd &device = toDevice ? copy.to : copy.from;
        driver::CopyEnd &host = toDevice ? copy.from : copy.to;
        copy.widthBytes = static_cast<std::size_t>(image.width) * 4;
        copy.height = static_cast<std::size_t>(image.height);
        device.device = reinterpret_cast<std::uintptr_t>(image.pixels);
        device.pitch = image.pitch;
        host.memory = driver::kHostMemory;
        host.host = m_process->frame();
        host.pitch = copy.widthBytes;
        if (frame.kernels)
            frame.kernels->copy(toDevice ? kBack : kOut, copy.widthBytes * copy.height);
        JETSCOPE_TRY(m_driver.check("cuMemcpy2DAsync", m_driver.copy2dAsync(&copy, frame.stream)));
        return m_driver.check("cuStreamSynchronize", m_driver.synchronizeStream(frame.stream));
    }

    /// The library's process has the same clock. Its work is shown below this thread's wait for it.
    void record(const NvivaWork &work) const
    {
        ThreadRecorder *const recorder = ThreadRecorder::current();
        if (!recorder || !recorder->isRecording())
            return;
        const auto add = [recorder](NameId name, const NvivaWork::Part &part, std::uint8_t deeper) {
            if (part.fromNs == 0)
                return;
            Span span;
            span.startNs = part.fromNs;
            span.durationNs = part.untilNs - part.fromNs;
            span.frame = recorder->frame();
            span.name = name;
            span.lane = recorder->lane();
            span.depth = static_cast<std::uint8_t>(recorder->depth() + deeper);
            recorder->record(span);
        };
        add(m_pre, work.pre, 0);
        for (std::uint32_t i = 0; i < std::min(work.waits, NvivaWork::kMaxWaits); ++i)
            add(m_wait, work.waited[i], 1);
        add(m_gpu, work.gpu, 0);
        add(m_post, work.post, 0);
    }

    void judge(const NvivaWork &work)
    {
        m_waste.add(work);
        if (!m_waste.isDue())
            return;
        Hazard hazard;
        hazard.rule = RuleId::C5;
        hazard.text = m_waste.text(m_name, m_process->isByEglImage());
        hazard.memory = "an EGLImage of " + m_size + " pixels";
        hazard.timeNs = nowNs();
        const std::lock_guard lock(m_newsMutex);
        m_news.push_back({StageNews::Kind::Told, {}, std::move(hazard)});
    }

    const KernelDriver m_driver;
    const std::unique_ptr<NvivaProcess> m_process;
    const std::string m_name;
    const std::string m_size;
    const bool m_isPinned; ///< Whether copies need no detour of the driver.
    const NameId m_whole;
    const NameId m_pre;
    const NameId m_gpu;
    const NameId m_wait;
    const NameId m_post;
    NvivaWaste m_waste;
    std::mutex m_newsMutex;
    std::vector<StageNews> m_news;
};

} // namespace

Result<std::unique_ptr<NvivaProcess>> NvivaStage::processFor(const StageDevice &device)
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_ready && m_readyOrdinal == device.ordinal)
            return std::move(m_ready);
    }
    JETSCOPE_TRY_ASSIGN(const std::string standIns, findNvivaStandIns());
    return NvivaProcess::start(
        {m_library, standIns, nvivaTools().driver, device.ordinal, nvivaTools().surfaces, m_parts});
}

Status NvivaStage::rehearse(const StageDevice &device)
{
    JETSCOPE_TRY_ASSIGN(std::unique_ptr<NvivaProcess> process, processFor(device));
    const std::lock_guard lock(m_mutex);
    m_ready = std::move(process);
    m_readyOrdinal = device.ordinal;
    return {};
}

Result<std::unique_ptr<StageInstance>> NvivaStage::setUp(const StageDevice &device, int width, int height)
{
    if (device.memory != StageDevice::Memory::Cuda)
        return sentence("an nvivafilter library needs a CUDA device");
    JETSCOPE_TRY_ASSIGN(const KernelDriver driver, KernelDriver::load(nvivaTools().driver));
    JETSCOPE_TRY_ASSIGN(std::unique_ptr<NvivaProcess> process, processFor(device));
    JETSCOPE_TRY(process->resize(width, height));
    JETSCOPE_TRY(process->run());
    return std::unique_ptr<StageInstance>(std::make_unique<NvivaInstance>(
        driver, std::move(process), std::filesystem::path(m_library).filename().string(), width, height));
}

LoadedStage loadNvivaStage(const StageAddress &address)
{
    const std::string file = std::filesystem::path(address.path).filename().string();
    const auto refuse = [&](const std::string &reason) {
        return unusableStage(file, "The library \"" + file + "\" is not used: " + reason + ".");
    };
    FilterRow row;
    row.label = file;
    row.options = partOptions();
    if (const Status set = setOptions(row.options, address, true); !set.ok())
        return refuse(set.error().text);
    const Result<std::string> standIns = findNvivaStandIns();
    if (!standIns.ok())
        return refuse(standIns.error().text);
    std::error_code unknown;
    const std::string library = std::filesystem::absolute(address.path, unknown).string();
    if (const Capability tried = tryStage(nvivaTrialPlan(library, standIns.value())); !tried.available)
        return refuse(tried.reason);
    std::string parts;
    for (std::size_t i = 0; i < row.options.size(); ++i)
        if (row.options[i].value != 0)
            parts += kParts[i].part;
    row.help = "A library for nvivafilter in a process of its own. Each frame is copied to it and back, and the thread "
               "of the pipeline waits for it.";
    row.onCpu = Capability::no("The library \"" + file
                               + "\" calls CUDA, and the software iGPU has none: its filters run on the CPU. Take a "
                                 "CUDA device.");
    return {std::move(row), std::make_unique<NvivaStage>(library, parts)};
}

} // namespace jetscope
