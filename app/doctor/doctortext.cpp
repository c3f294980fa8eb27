// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/doctor/doctortext.h"

#include "app/help.h"
#include "app/textlayout.h"
#include "core/hazards/rules.h"

namespace jetscope {

namespace {

constexpr std::size_t kCapabilityWidth = 20;
constexpr std::size_t kDoctorWidth = 110;

std::string doctorRow(std::string_view label, std::string_view text)
{
    return hangingParagraph(label, text, kCapabilityWidth, kDoctorWidth);
}

std::string capabilityRow(std::string_view label, const Capability &capability)
{
    return doctorRow(label, capability.available ? "yes" : "no: " + capability.reason);
}

std::string eglText(const MachineReport &report)
{
    if (!report.egl)
        return doctorRow("EGL", "no: " + report.eglError);
    const EglDisplay &egl = *report.egl;
    return doctorRow("EGL", egl.version() + " by " + egl.vendor() + ", no window needed")
        + doctorRow("OpenGL ES",
                    egl.glVersion() + " on " + egl.renderer() + (egl.isSoftwareRasteriser() ? ", on the CPU" : ""));
}

std::string sourcesText(const std::vector<SourceReport> &sources)
{
    std::string usable;
    std::string others;
    for (const SourceReport &source : sources) {
        if (source.capability.available)
            usable += (usable.empty() ? "" : ", ") + std::string(source.kind);
        else
            others += doctorRow("  " + std::string(source.kind), "no: " + source.capability.reason);
        if (!source.remark.empty())
            others += doctorRow("  " + std::string(source.kind), source.remark);
    }
    return doctorRow("Sources", usable) + others;
}

/// For example "640x480 up to 30 fps, 1280x720 up to 10 fps".
std::string sizesText(const std::vector<CameraSize> &sizes)
{
    std::string text;
    for (const CameraSize &size : sizes) {
        text += (text.empty() ? "" : ", ") + std::to_string(size.width) + "x" + std::to_string(size.height);
        if (!size.rates.empty())
            text += " up to " + fixed(size.rates.front(), 0) + " fps";
    }
    return text;
}

std::string camerasText(const MachineReport &report)
{
    std::string text;
    for (const CameraInfo &camera : report.cameras) {
        text += doctorRow("Camera", camera.uri + " " + camera.name + (camera.bus.empty() ? "" : " at " + camera.bus));
        if (!camera.usable.available)
            text += doctorRow("  ", "no: " + camera.usable.reason);
        std::string unread;
        for (const CameraFormat &format : camera.formats) {
            if (format.readable.available)
                text += doctorRow("  " + format.name, sizesText(format.sizes));
            else
                unread += (unread.empty() ? "" : " ") + format.name;
        }
        if (!unread.empty())
            text += doctorRow("  not read", unread);
    }
    for (const std::string &hint : report.cameraHints)
        text += doctorRow("Cameras", hint);
    return text;
}

std::string gpuTimesText(const GpuTimesReport &report)
{
    const CuptiOutcome &cupti = report.cupti;
    if (!cupti.usable.available)
        return doctorRow("GPU times", "CUPTI: unavailable: " + cupti.usable.reason);
    std::string text = doctorRow("GPU times", "CUPTI: available, version " + cupti.version + ", " + cupti.library);
    for (const std::string &remark : cupti.remarks)
        text += doctorRow("", remark);
    return text;
}

std::string factsText(const DeviceFacts &facts)
{
    std::string text =
        "compute capability " + std::to_string(facts.computeMajor) + "." + std::to_string(facts.computeMinor);
    text += facts.integrated ? ", integrated" : ", discrete";
    text += facts.concurrentManagedAccess ? ", CPU and GPU may use managed memory at the same time"
                                          : ", the CPU may not touch managed memory while a kernel runs";
    const std::string cachedBy = facts.cpuCachesPinned() ? (facts.gpuCachesPinned() ? "CPU and GPU" : "the CPU only")
                                                         : (facts.gpuCachesPinned() ? "the GPU only" : "neither");
    return text + ", pinned memory is cached by " + cachedBy;
}

/// The legal names in one line, each other name with its reason in a line of its own.
std::string choicesText(std::string_view label, const std::vector<ChoiceRow> &rows)
{
    std::string legal;
    std::string others;
    for (const ChoiceRow &choice : rows) {
        const Availability &found = choice.availability;
        if (found.legal())
            legal += (legal.empty() ? "" : " ") + std::string(choice.name);
        else
            others += doctorRow("    " + std::string(choice.name),
                                (found.unavailable() ? "no: " : "unsafe: ") + found.reason);
    }
    return doctorRow("  " + std::string(label), legal) + others;
}

std::string deviceText(const DeviceReport &device, bool best)
{
    const DeviceCandidate &candidate = device.candidate;
    std::string text = "\n"
        + doctorRow(candidate.id,
                    (device.facts ? device.facts->name : candidate.name) + (best ? " (the default)" : ""));
    if (!candidate.usable.available)
        return text + doctorRow("", "no: " + candidate.usable.reason);
    if (!device.facts)
        return text + doctorRow("", device.openError);
    text += doctorRow("  facts", factsText(*device.facts));
    const CoverageCounts rules = coverageOf(*device.facts);
    text += doctorRow("  hazards",
                      std::to_string(rules.checked) + " rules checked, " + std::to_string(rules.cannotCheck)
                          + " cannot be checked; \"jetscope rules --device " + device.candidate.id + "\" says why");
    text += doctorRow("  probe",
                      device.probed.empty() ? "not yet; \"jetscope probe --device " + device.candidate.id
                              + "\" measures its memory, copies and hand-overs"
                                            : device.probed);
    return text + choicesText("memory", device.memory) + choicesText("output", device.output)
        + choicesText("sync", device.sync) + choicesText("cpu-stage", device.cpuStage);
}

} // namespace

std::string doctorText(const MachineReport &report)
{
    std::string text = doctorRow("Jetscope", versionNumber()) + eglText(report) + capabilityRow("Window", report.window)
        + capabilityRow("CPU stage", report.cpuStage) + doctorRow("Filters on the CPU", report.instructionSet)
        + gpuTimesText(report.gpuTimes) + sourcesText(report.sources) + camerasText(report);
    for (const DeviceReport &device : report.devices)
        text += deviceText(device, device.candidate.id == report.bestDevice);
    return text;
}

} // namespace jetscope
