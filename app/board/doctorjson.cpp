// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/board/machinereport.h"

#include "app/commandline/help.h"
#include "app/commandline/jsonvalues.h"
#include "core/enumtable.h"
#include "core/platform/memorytable.h"
#include "core/settings/capabilitytable.h"

#include <iterator>
#include <sstream>

namespace jetscope {

namespace {

constexpr auto kStateNames = enumWords<FactRow::State>({"plain", "good", "bad", "unknown"});

JsonObject capabilityJson(const Capability &capability)
{
    return {{"available", capability.available}, {"reason", jsonTextOrNull(capability.reason)}};
}

std::string_view stateName(FactRow::State state)
{
    return kStateNames[static_cast<std::size_t>(state)];
}

JsonObject sectionJson(const FactSection &section)
{
    JsonArray rows;
    for (const FactRow &row : section.rows) {
        const bool known = row.state != FactRow::State::Unknown;
        rows.push_back(JsonObject{{"name", row.name},
                                  {"value", known ? row.value : JsonValue()},
                                  {"state", stateName(row.state)},
                                  {"detail", jsonTextOrNull(row.detail)},
                                  {"command", jsonTextOrNull(row.command)},
                                  {"source", jsonTextOrNull(row.source)}});
    }
    return {{"note", jsonTextOrNull(section.note)}, {"rows", rows}};
}

void addSection(JsonObject &object, const FactSection &section)
{
    object[std::string(section.id)] = sectionJson(section);
}

JsonObject cellJson(const CacheCell &cell)
{
    return {{"caching", nameOf(cell.caching)}, {"why", cell.why}};
}

JsonArray memoryTableJson(const DeviceFacts &facts)
{
    JsonArray rows;
    for (const MemoryTableRow &row : memoryTable(facts))
        rows.push_back(JsonObject{{"kind", row.kind},
                                  {"call", row.call},
                                  {"cpu", cellJson(row.cpu)},
                                  {"gpu", cellJson(row.gpu)},
                                  {"source", row.source}});
    return rows;
}

JsonObject attachJson(const DeviceFacts &facts)
{
    JsonArray transitions;
    for (const AttachTransition &transition : attachTransitions()) {
        const JsonValue to = transition.effect == AttachEffect::None ? JsonValue()
            : transition.effect == AttachEffect::PrefetchesToCpu     ? JsonValue("cpu")
                                                                     : JsonValue("gpu");
        transitions.push_back(
            JsonObject{{"from", nameOf(transition.from)}, {"to", nameOf(transition.to)}, {"prefetch", to}});
    }
    JsonObject object = capabilityJson(attachmentsPrefetch(facts));
    object["transitions"] = transitions;
    object["source"] = kAttachSource;
    return object;
}

JsonArray wordsJson(const std::string &words)
{
    std::istringstream stream(words);
    return JsonArray(std::istream_iterator<std::string>(stream), {});
}

JsonObject eglJson(const MachineReport &report)
{
    if (!report.egl)
        return capabilityJson(Capability::no(report.eglError));
    JsonObject egl = capabilityJson(Capability::yes());
    egl["vendor"] = report.egl->vendor();
    egl["version"] = report.egl->version();
    egl["renderer"] = report.egl->renderer();
    egl["gl_version"] = report.egl->glVersion();
    egl["software"] = report.egl->isSoftwareRasteriser();
    egl["extensions"] = wordsJson(report.egl->extensions());
    egl["gl_extensions"] = wordsJson(report.egl->glExtensions());
    return egl;
}

JsonObject factsJson(const DeviceFacts &facts)
{
    return {
        {"software", facts.software},
        {"integrated", facts.integrated},
        {"compute_capability", std::to_string(facts.computeMajor) + "." + std::to_string(facts.computeMinor)},
        {"concurrent_managed_access", facts.concurrentManagedAccess},
        {"pageable_memory_access", facts.pageableMemoryAccess},
        {"cpu_caches_pinned", facts.cpuCachesPinned()},
        {"gpu_caches_registered", facts.gpuCachesRegistered()},
    };
}

JsonObject capabilitiesJson(const DeviceFacts &facts)
{
    JsonObject object;
    for (const CapabilityRow &row : capabilityTable())
        object[std::string(row.key)] = capabilityJson(facts.*row.value);
    return object;
}

std::string_view levelName(Availability::Level level)
{
    switch (level) {
    case Availability::Level::Legal:
        return "legal";
    case Availability::Level::Unsafe:
        return "unsafe";
    case Availability::Level::Unavailable:
        return "unavailable";
    }
    return "";
}

JsonObject choicesJson(const std::vector<DeviceChoice> &rows)
{
    JsonObject object;
    for (const DeviceChoice &row : rows)
        object[std::string(row.name)] = JsonObject{{"level", levelName(row.availability.level)},
                                                   {"reason", jsonTextOrNull(row.availability.reason)}};
    return object;
}

JsonObject deviceJson(const DeviceReport &device, const PlatformFacts &platform)
{
    JsonObject object = capabilityJson(device.candidate.usable);
    object["id"] = device.candidate.id;
    object["name"] = device.facts ? device.facts->name : device.candidate.name;
    object["open_error"] = jsonTextOrNull(device.openError);
    if (!device.facts)
        return object;
    object["facts"] = factsJson(*device.facts);
    object["capabilities"] = capabilitiesJson(*device.facts);
    object["memory_table"] = memoryTableJson(*device.facts);
    object["attach"] = attachJson(*device.facts);
    addSection(object, attributeSection(*device.facts));
    addSection(object, limitSection(*device.facts, platform));
    addSection(object, featureSection(*device.facts));
    object["hazard_rules"] = coverageJson(coverageOf(*device.facts));
    object["probed"] = jsonTextOrNull(device.probed);
    JsonObject choices;
    for (const DeviceSetting &setting : device.settings)
        choices[setting.row->column()] = choicesJson(setting.values);
    object["choices"] = choices;
    return object;
}

JsonArray formatsJson(const CameraInfo &camera)
{
    JsonArray formats;
    for (const CameraFormat &format : camera.formats) {
        JsonArray sizes;
        for (const CameraSize &size : format.sizes) {
            sizes.push_back(JsonObject{{"width", size.width}, {"height", size.height}, {"fps", size.rates}});
        }
        JsonObject object = capabilityJson(format.readable);
        object["name"] = format.name;
        object["sizes"] = sizes;
        formats.push_back(object);
    }
    return formats;
}

JsonArray camerasJson(const std::vector<CameraInfo> &cameras)
{
    JsonArray array;
    for (const CameraInfo &camera : cameras) {
        JsonObject object = capabilityJson(camera.usable);
        object["source"] = camera.uri;
        object["name"] = camera.name;
        object["driver"] = camera.driver;
        object["bus"] = camera.bus;
        object["formats"] = formatsJson(camera);
        object["stream"] = streamFactsJson(camera.stream);
        array.push_back(object);
    }
    return array;
}

JsonObject streamReportJson(const StreamReport &report)
{
    return {{"source", report.uri},
            {"description", jsonTextOrNull(report.description)},
            {"error", jsonTextOrNull(report.error)},
            {"remark", jsonTextOrNull(report.state.remark)},
            {"frames", report.frames},
            {"stream", streamFactsJson(report.state.facts)},
            {"source_faults", sourceFaultsJson(report.state.faults)}};
}

JsonObject gpuTimesJson(const GpuTimesReport &report)
{
    JsonObject cupti = capabilityJson(report.cupti.usable);
    cupti["device"] = jsonTextOrNull(report.device);
    cupti["version"] = jsonTextOrNull(report.cupti.version);
    cupti["library"] = jsonTextOrNull(report.cupti.library);
    cupti["remarks"] = report.cupti.remarks;
    return {{"cupti", cupti}};
}

JsonObject kernelCompilerJson(const KernelCompilerReport &report)
{
    JsonObject object = capabilityJson(report.usable);
    object["version"] = jsonTextOrNull(report.version);
    object["library"] = jsonTextOrNull(report.library);
    return object;
}

JsonObject dlaJson(const DlaModes &dla)
{
    return {{"version", jsonTextOrNull(dla.version)},
            {"engines", dla.engines},
            {"hybrid", capabilityJson(dla.hybrid)},
            {"standalone", capabilityJson(dla.standalone)},
            {"remark", "not verified on hardware"}};
}

} // namespace

JsonObject doctorJson(const MachineReport &report)
{
    JsonArray devices;
    for (const DeviceReport &device : report.devices)
        devices.push_back(deviceJson(device, report.platform));
    JsonObject sources;
    for (const SourceReport &source : report.sources) {
        JsonObject object = capabilityJson(source.capability);
        object["remark"] = jsonTextOrNull(source.remark);
        sources[std::string(source.kind)] = object;
    }
    JsonObject object = {
        {"version", versionNumber()},
        {"usable", report.trouble().empty()},
        {"egl", eglJson(report)},
        {"window", capabilityJson(report.window)},
        {"cpu_stage", capabilityJson(report.cpuStage)},
        {"instruction_set", report.instructionSet},
        {"sources", sources},
        {"cameras", camerasJson(report.cameras)},
        {"camera_hints", report.cameraHints},
        {"gpu_times", gpuTimesJson(report.gpuTimes)},
        {"kernel_compiler", kernelCompilerJson(report.kernelCompiler)},
        {"dla", dlaJson(report.dla)},
        {"best_device", jsonTextOrNull(report.bestDevice)},
        {"devices", devices},
    };
    if (report.stream)
        object["source"] = streamReportJson(*report.stream);
    const std::string extensions = report.egl ? report.egl->extensions() : std::string();
    for (const FactSection &section :
         {identitySection(report.platform.board), permissionSection(report.platform), profilingSection(report.platform),
          librarySection(report.platform), sharingSection(report.platform, extensions)})
        addSection(object, section);
    return object;
}

} // namespace jetscope
