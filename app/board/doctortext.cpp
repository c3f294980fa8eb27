// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/board/machinereport.h"

#include "app/commandline/help.h"
#include "app/commandline/textlayout.h"
#include "core/hazards/rules.h"
#include "core/platform/memorytable.h"

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

/// Names of facts are longer than those of capabilities.
std::string wideRow(std::string_view label, std::string_view text)
{
    constexpr std::size_t kWidth = 32;
    return hangingParagraph(label, text, kWidth, kDoctorWidth);
}

std::string factRow(std::string_view indent, const FactRow &row)
{
    std::string text = row.value + (row.detail.empty() ? "" : ": " + row.detail);
    if (!row.command.empty())
        text += "; " + row.command;
    return wideRow(std::string(indent) + row.name, text);
}

std::string sectionText(const FactSection &section)
{
    std::string text = "\n" + std::string(section.title) + "\n";
    for (const FactRow &row : section.rows)
        text += factRow("  ", row);
    return section.note.empty() ? text : text + wideRow("  ", section.note);
}

/// "integrated = 1, concurrentManagedAccess = 0"; each unknown attribute in a line of its own.
std::string attributesText(const DeviceFacts &facts)
{
    std::string known;
    std::string unknown;
    for (const FactRow &row : attributeSection(facts).rows)
        if (row.state != FactRow::State::Unknown)
            known += (known.empty() ? "" : ", ") + row.name + " = " + row.value;
        else if (!facts.software)
            unknown += factRow("  ", row);
    return wideRow("  attributes", known) + unknown;
}

std::string memoryText(const DeviceFacts &facts)
{
    const auto cell = [](const CacheCell &of) {
        return std::string(nameOf(of.caching)) + " (" + std::string(of.why) + ")";
    };
    std::string text;
    for (const MemoryTableRow &row : memoryTable(facts)) {
        const bool alike = row.cpu.caching == row.gpu.caching && row.cpu.why == row.gpu.why;
        text += wideRow("  " + std::string(row.kind),
                        alike ? cell(row.cpu) : "CPU " + cell(row.cpu) + ", GPU " + cell(row.gpu));
    }
    const Capability prefetch = attachmentsPrefetch(facts);
    return text + wideRow("  attachments", prefetch.available ? attachTableText() : prefetch.reason);
}

/// Of the software iGPU, only what its rules decide; --json has the rest.
std::string tablesText(const DeviceReport &device, const PlatformFacts &platform)
{
    const DeviceFacts &facts = *device.facts;
    std::string text = attributesText(facts) + memoryText(facts);
    if (facts.software)
        return text;
    for (const FactSection &section : {limitSection(facts, platform), featureSection(facts)})
        for (const FactRow &row : section.rows)
            text += factRow("  ", row);
    return text;
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
            text += " up to " + fixedText(size.rates.front(), 0) + " fps";
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
        if (const std::string now = streamFactsText(camera.stream); !now.empty())
            text += doctorRow("  is set to", now);
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

/// A row for each fact of the stream of --source.
std::string streamText(const StreamReport &report)
{
    std::string text = doctorRow("Source", report.uri + (report.description.empty() ? "" : ": " + report.description));
    if (!report.error.empty())
        text += doctorRow("  ", "no: " + report.error);
    for (const StreamFactRow &row : streamFactRows(report.state.facts))
        text += doctorRow("  " + row.label, row.text);
    if (!report.state.remark.empty())
        text += doctorRow("  ", report.state.remark);
    if (const std::string faults = sourceFaultsText(report.state.faults); !faults.empty())
        text += doctorRow("  Faults", faults + " (of " + std::to_string(report.frames) + " read)");
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

std::string kernelCompilerText(const KernelCompilerReport &report)
{
    if (!report.usable.available)
        return doctorRow("Own kernels", "NVRTC: unavailable: " + report.usable.reason);
    return doctorRow("Own kernels", "NVRTC: available, version " + report.version + ", " + report.library);
}

std::string dlaText(const DlaModes &dla)
{
    if (!dla.hybrid.available)
        return doctorRow("DLA", "cuDLA: unavailable: " + dla.hybrid.reason);
    return doctorRow("DLA", "cuDLA " + dla.version + ", DLAs: " + std::to_string(dla.engines))
        + doctorRow("", "hybrid mode: its library is there; not tried, and not verified on hardware")
        + doctorRow("",
                    dla.standalone.available
                        ? "standalone mode: its libraries are there; not tried, and not verified on hardware"
                        : "standalone mode: unavailable: " + dla.standalone.reason);
}

std::string factsText(const DeviceFacts &facts)
{
    std::string text =
        "compute capability " + std::to_string(facts.computeMajor) + "." + std::to_string(facts.computeMinor);
    text += facts.integrated ? ", integrated" : ", discrete";
    text += facts.concurrentManagedAccess ? ", CPU and GPU may use managed memory at the same time"
                                          : ", the CPU may not touch managed memory while a kernel runs";
    text += facts.cpuCachesPinned() ? ", pinned memory is cached by the CPU only" : ", pinned memory is not cached";
    return text + (facts.gpuCachesRegistered() ? ", registered memory by CPU and GPU" : "");
}

/// The legal names in one line, each other name with its reason in a line of its own.
std::string choicesText(std::string_view label, const std::vector<DeviceChoice> &rows)
{
    std::string legal;
    std::string others;
    for (const DeviceChoice &choice : rows) {
        const Availability &found = choice.availability;
        if (found.legal())
            legal += (legal.empty() ? "" : " ") + std::string(choice.name);
        else
            others += doctorRow("    " + std::string(choice.name),
                                (found.unavailable() ? "no: " : "unsafe: ") + found.reason);
    }
    return doctorRow("  " + std::string(label), legal) + others;
}

std::string deviceText(const DeviceReport &device, const PlatformFacts &platform, bool best)
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
    for (const DeviceSetting &setting : device.settings)
        if (setting.row->judge && setting.row->kind == SettingRow::Kind::Name && !setting.row->isOfMeasurement)
            text += choicesText(setting.row->key, setting.values);
    return text + tablesText(device, platform);
}

} // namespace

std::string doctorText(const MachineReport &report)
{
    std::string text = doctorRow("Jetscope", versionNumber()) + eglText(report) + capabilityRow("Window", report.window)
        + capabilityRow("CPU stage", report.cpuStage) + doctorRow("Filters on the CPU", report.instructionSet)
        + gpuTimesText(report.gpuTimes) + sourcesText(report.sources)
        + (report.stream ? streamText(*report.stream) : "") + camerasText(report);
    text += kernelCompilerText(report.kernelCompiler);
    text += dlaText(report.dla);
    const std::string extensions = report.egl ? report.egl->extensions() : std::string();
    for (const FactSection &section :
         {identitySection(report.platform.board), permissionSection(report.platform), profilingSection(report.platform),
          librarySection(report.platform), sharingSection(report.platform, extensions)})
        text += sectionText(section);
    for (const DeviceReport &device : report.devices)
        text += deviceText(device, report.platform, device.candidate.id == report.bestDevice);
    return text;
}

} // namespace jetscope
