// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/board/machinereport.h"

#include "app/window.h"
#include "core/measure/probe/keptprobes.h"
#include "gpu/cpustage/cpuanalysis.h"
#include "gpu/filters/filterchain.h"
#include "gpu/stages/nvrtclibrary.h"

#include <charconv>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace jetscope {

namespace {

std::vector<DeviceSetting> settingsOn(const DeviceFacts &facts)
{
    const Capability cpuStage = cpuStageCapability();
    const PipelineConfig usual = nearestLegal(PipelineConfig{}, facts);
    std::vector<DeviceSetting> settings;
    for (const SettingRow &row : settingTable()) {
        settings.push_back({&row, {}});
        for (SettingValue &value : row.values()) {
            PipelineConfig config = usual;
            static_cast<void>(row.set(config, value.name)); // A value of the table.
            Availability found = row.availability(config, facts);
            if (row.key == "cpu-stage" && config.cpuStage != CpuStagePlacement::Off && !cpuStage.available)
                found = {Availability::Level::Unavailable, cpuStage.reason};
            settings.back().values.push_back({std::move(value.name), std::move(found)});
        }
    }
    return settings;
}

DeviceReport examineDevice(const DeviceCandidate &candidate, const std::shared_ptr<EglDisplay> &display)
{
    DeviceReport report;
    report.candidate = candidate;
    report.display = display;
    if (!candidate.usable.available)
        return report;
    if (!display) {
        report.openError = "not opened, since there is no EGL display";
        return report;
    }
    const Result<std::unique_ptr<Device>> device = openDevice(candidate.id, display);
    if (!device.ok()) {
        report.openError = device.error().message();
        return report;
    }
    report.facts = device.value()->facts();
    if (const auto kept = keptProbe(*report.facts, userDataFolder()); !kept.ok())
        report.probed = kept.error().text;
    else if (kept.value())
        report.probed = "probed on " + kept.value()->date + " by " + kept.value()->madeBy;
    report.settings = settingsOn(*report.facts);
    return report;
}

/// Checking a URI opens nothing.
std::vector<SourceReport> examineSources()
{
    std::vector<SourceKind> kinds = sourceKinds();
    kinds.push_back({"csi via nvbuf", "csi:0?via=nvbuf"});
    kinds.push_back({"csi via eglstream", "csi:0?via=eglstream"});
    std::vector<SourceReport> sources;
    for (const auto &[kind, uri] : kinds) {
        const Status checked = checkSourceUri(uri);
        SourceReport report{kind, checked.ok() ? Capability::yes() : Capability::no(checked.error().text), {}};
        if (checked.ok() && kind.substr(0, 3) == "csi")
            report.remark = "not verified on hardware: tried against what is documented of a Jetson, not yet on one";
        sources.push_back(std::move(report));
    }
    return sources;
}

KernelCompilerReport examineKernelCompiler()
{
    KernelCompilerReport report;
    const Result<NvrtcFile> file = findNvrtc();
    if (!file.ok()) {
        report.usable = Capability::no(file.error().text);
        return report;
    }
    report.library = file.value().path;
    const Result<NvrtcLibrary> nvrtc = NvrtcLibrary::load(file.value());
    report.usable = nvrtc.ok() ? Capability::yes() : Capability::no(nvrtc.error().text);
    report.version = nvrtc.ok() ? nvrtc.value().version() : std::string();
    return report;
}

/// Cancels a source that is still read after a time, since any `read` may wait for ever. The source must outlive it.
class Deadline {
public:
    Deadline(FrameSource &source, std::chrono::seconds time)
        : m_thread([this, &source, time] {
              std::unique_lock lock(m_mutex);
              if (!m_end.wait_for(lock, time, [this] { return m_done; }))
                  source.cancel();
          })
    {
    }
    ~Deadline()
    {
        {
            const std::lock_guard lock(m_mutex);
            m_done = true;
        }
        m_end.notify_all();
        m_thread.join();
    }
    Deadline(const Deadline &) = delete;
    Deadline &operator=(const Deadline &) = delete;

private:
    std::mutex m_mutex;
    std::condition_variable m_end;
    bool m_done = false;
    std::thread m_thread; // Last: it uses the others.
};

} // namespace

std::string MachineReport::trouble() const
{
    if (!egl)
        return eglError;
    for (const DeviceReport &device : devices)
        if (device.facts)
            return {};
    return devices.empty()
        ? "this build has no device"
        : "no device can be used: " + devices.front().candidate.usable.reason + devices.front().openError;
}

GpuTimesReport examineGpuTimes(const std::vector<DeviceCandidate> &devices,
                               const std::function<CuptiOutcome(int)> &tryCupti)
{
    constexpr std::string_view kCuda = "cuda:";
    GpuTimesReport report;
    const std::string best = bestDeviceId(devices);
    int ordinal = 0;
    if (best.rfind(kCuda, 0) == 0
        && std::from_chars(best.data() + kCuda.size(), best.data() + best.size(), ordinal).ec == std::errc()) {
        report.device = best;
        report.cupti = tryCupti(ordinal);
        return report;
    }
    report.cupti.usable = Capability::no("there is no CUDA device to take the times of");
    for (const DeviceCandidate &device : devices)
        if (device.id.rfind(kCuda, 0) == 0 && !device.usable.available) {
            report.cupti.usable.reason = device.id + " cannot be used: " + device.usable.reason;
            break;
        }
    return report;
}

MachineReport examineMachine(const CameraSurvey &survey, const std::function<CuptiOutcome(int)> &tryCupti)
{
    MachineReport report;
    report.kernelCompiler = examineKernelCompiler();
    report.dla = examineDlaModes();
    report.bestDevice = bestDeviceId();
    const Result<std::shared_ptr<EglDisplay>> display = openHeadlessDisplay(report.bestDevice);
    if (display.ok())
        report.egl = display.value();
    else
        report.eglError = display.error().message();
    report.platform = readPlatform(survey.root);
    report.window = windowCapability();
    report.cpuStage = cpuStageCapability();
    report.instructionSet = ChainExecutor::instructionSet();
    const std::vector<DeviceCandidate> candidates = listDevices();
    for (const DeviceCandidate &candidate : candidates) {
        // Opened on a display of the device's own GPU, as `run` does.
        const Result<std::shared_ptr<EglDisplay>> own = openHeadlessDisplay(candidate.id);
        report.devices.push_back(examineDevice(candidate, own.ok() ? own.value() : nullptr));
    }
    report.gpuTimes = examineGpuTimes(candidates, tryCupti);
    report.sources = examineSources();
    report.cameras = survey.list();
    report.cameraHints = cameraHints(report.cameras, survey.root);
    return report;
}

StreamReport examineStream(const std::string &uri, const SourceOpener &open)
{
    constexpr std::chrono::seconds kLongest{4};
    constexpr std::uint64_t kMaxFrames = 30;
    StreamReport report;
    report.uri = uri;
    const Result<std::unique_ptr<FrameSource>> opened = open(uri);
    if (!opened.ok()) {
        report.error = opened.error().message();
        return report;
    }
    FrameSource &source = *opened.value();
    report.description = source.info().description;
    std::vector<std::byte> frame(source.info().layout.bytes);
    {
        const Deadline deadline(source, kLongest);
        while (report.frames < kMaxFrames) {
            const Result<std::optional<CapturedFrame>> read = source.read(frame.data());
            if (!read.ok())
                report.error = read.error().message();
            if (!read.ok() || !read.value())
                break;
            ++report.frames;
        }
    }
    report.state = source.state();
    if (report.frames == 0 && report.error.empty())
        report.error = report.state.trouble.empty() ? "no frame came within 4 s: see whether the source sends anything"
                                                    : report.state.trouble;
    return report;
}

} // namespace jetscope
