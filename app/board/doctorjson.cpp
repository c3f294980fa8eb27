// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/board/machinereport.h"

#include "app/commandline/help.h"
#include "app/commandline/jsonvalues.h"
#include "core/enumtable.h"
#include "core/platform/memorytable.h"

#include <QJsonArray>

namespace jetscope {

namespace {

constexpr auto kStateNames = enumWords<FactRow::State>({"plain", "good", "bad", "unknown"});

QJsonObject capabilityJson(const Capability &capability)
{
    return {{"available", capability.available}, {"reason", jsonTextOrNull(capability.reason)}};
}

std::string_view stateName(FactRow::State state)
{
    return kStateNames[static_cast<std::size_t>(state)];
}

QJsonObject sectionJson(const FactSection &section)
{
    QJsonArray rows;
    for (const FactRow &row : section.rows) {
        const bool known = row.state != FactRow::State::Unknown;
        rows.append(QJsonObject{{"name", jsonText(row.name)},
                                {"value", known ? jsonText(row.value) : QJsonValue(QJsonValue::Null)},
                                {"state", jsonText(stateName(row.state))},
                                {"detail", jsonTextOrNull(row.detail)},
                                {"command", jsonTextOrNull(row.command)},
                                {"source", jsonTextOrNull(row.source)}});
    }
    return {{"note", jsonTextOrNull(section.note)}, {"rows", rows}};
}

void addSection(QJsonObject &object, const FactSection &section)
{
    object[jsonText(section.id).toString()] = sectionJson(section);
}

QJsonObject cellJson(const CacheCell &cell)
{
    return {{"caching", jsonText(nameOf(cell.caching))}, {"why", jsonText(cell.why)}};
}

QJsonArray memoryTableJson(const DeviceFacts &facts)
{
    QJsonArray rows;
    for (const MemoryTableRow &row : memoryTable(facts))
        rows.append(QJsonObject{{"kind", jsonText(row.kind)},
                                {"call", jsonText(row.call)},
                                {"cpu", cellJson(row.cpu)},
                                {"gpu", cellJson(row.gpu)},
                                {"source", jsonText(row.source)}});
    return rows;
}

QJsonObject attachJson(const DeviceFacts &facts)
{
    QJsonArray transitions;
    for (const AttachTransition &transition : attachTransitions()) {
        const QJsonValue to = transition.effect == AttachEffect::None ? QJsonValue(QJsonValue::Null)
            : transition.effect == AttachEffect::PrefetchesToCpu      ? QJsonValue("cpu")
                                                                      : QJsonValue("gpu");
        transitions.append(QJsonObject{
            {"from", jsonText(nameOf(transition.from))}, {"to", jsonText(nameOf(transition.to))}, {"prefetch", to}});
    }
    QJsonObject object = capabilityJson(attachmentsPrefetch(facts));
    object["transitions"] = transitions;
    object["source"] = jsonText(kAttachSource);
    return object;
}

QJsonArray wordsJson(const std::string &words)
{
    QJsonArray array;
    for (const QString &word : jsonText(words).toString().split(' ', Qt::SkipEmptyParts))
        array.append(word);
    return array;
}

QJsonObject eglJson(const MachineReport &report)
{
    if (!report.egl)
        return capabilityJson(Capability::no(report.eglError));
    QJsonObject egl = capabilityJson(Capability::yes());
    egl["vendor"] = jsonText(report.egl->vendor());
    egl["version"] = jsonText(report.egl->version());
    egl["renderer"] = jsonText(report.egl->renderer());
    egl["gl_version"] = jsonText(report.egl->glVersion());
    egl["software"] = report.egl->isSoftwareRasteriser();
    egl["extensions"] = wordsJson(report.egl->extensions());
    egl["gl_extensions"] = wordsJson(report.egl->glExtensions());
    return egl;
}

QJsonObject factsJson(const DeviceFacts &facts)
{
    return {
        {"software", facts.software},
        {"integrated", facts.integrated},
        {"compute_capability", jsonText(std::to_string(facts.computeMajor) + "." + std::to_string(facts.computeMinor))},
        {"concurrent_managed_access", facts.concurrentManagedAccess},
        {"pageable_memory_access", facts.pageableMemoryAccess},
        {"cpu_caches_pinned", facts.cpuCachesPinned()},
        {"gpu_caches_registered", facts.gpuCachesRegistered()},
    };
}

QJsonObject capabilitiesJson(const DeviceFacts &facts)
{
    return {
        {"map_host_memory", capabilityJson(facts.mapHostMemory)},
        {"managed_memory", capabilityJson(facts.managedMemory)},
        {"host_register", capabilityJson(facts.hostRegister)},
        {"egl_image", capabilityJson(facts.eglImage)},
        {"egl_sync", capabilityJson(facts.eglSync)},
        {"gl_interop", capabilityJson(facts.glInterop)},
        {"egl_stream", capabilityJson(facts.eglStream)},
        {"egl_stream_input", capabilityJson(facts.eglStreamInput)},
        {"nvbuf", capabilityJson(facts.nvBuf)},
    };
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

QJsonObject choicesJson(const std::vector<DeviceChoice> &rows)
{
    QJsonObject object;
    for (const DeviceChoice &row : rows)
        object[jsonText(row.name).toString()] = QJsonObject{{"level", jsonText(levelName(row.availability.level))},
                                                            {"reason", jsonTextOrNull(row.availability.reason)}};
    return object;
}

QJsonObject deviceJson(const DeviceReport &device, const PlatformFacts &platform)
{
    QJsonObject object = capabilityJson(device.candidate.usable);
    object["id"] = jsonText(device.candidate.id);
    object["name"] = jsonText(device.facts ? device.facts->name : device.candidate.name);
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
    QJsonObject choices;
    for (const DeviceSetting &setting : device.settings)
        choices[QString::fromStdString(setting.row->column())] = choicesJson(setting.values);
    object["choices"] = choices;
    return object;
}

QJsonArray formatsJson(const CameraInfo &camera)
{
    QJsonArray formats;
    for (const CameraFormat &format : camera.formats) {
        QJsonArray sizes;
        for (const CameraSize &size : format.sizes) {
            QJsonArray rates;
            for (const double rate : size.rates)
                rates.append(rate);
            sizes.append(QJsonObject{{"width", size.width}, {"height", size.height}, {"fps", rates}});
        }
        QJsonObject object = capabilityJson(format.readable);
        object["name"] = jsonText(format.name);
        object["sizes"] = sizes;
        formats.append(object);
    }
    return formats;
}

QJsonArray camerasJson(const std::vector<CameraInfo> &cameras)
{
    QJsonArray array;
    for (const CameraInfo &camera : cameras) {
        QJsonObject object = capabilityJson(camera.usable);
        object["source"] = jsonText(camera.uri);
        object["name"] = jsonText(camera.name);
        object["driver"] = jsonText(camera.driver);
        object["bus"] = jsonText(camera.bus);
        object["formats"] = formatsJson(camera);
        object["stream"] = streamFactsJson(camera.stream);
        array.append(object);
    }
    return array;
}

QJsonObject streamReportJson(const StreamReport &report)
{
    return {{"source", jsonText(report.uri)},
            {"description", jsonTextOrNull(report.description)},
            {"error", jsonTextOrNull(report.error)},
            {"remark", jsonTextOrNull(report.state.remark)},
            {"frames", static_cast<qint64>(report.frames)},
            {"stream", streamFactsJson(report.state.facts)},
            {"source_faults", sourceFaultsJson(report.state.faults)}};
}

QJsonObject gpuTimesJson(const GpuTimesReport &report)
{
    QJsonArray remarks;
    for (const std::string &remark : report.cupti.remarks)
        remarks.append(jsonText(remark));
    QJsonObject cupti = capabilityJson(report.cupti.usable);
    cupti["device"] = jsonTextOrNull(report.device);
    cupti["version"] = jsonTextOrNull(report.cupti.version);
    cupti["library"] = jsonTextOrNull(report.cupti.library);
    cupti["remarks"] = remarks;
    return {{"cupti", cupti}};
}

QJsonObject kernelCompilerJson(const KernelCompilerReport &report)
{
    QJsonObject object = capabilityJson(report.usable);
    object["version"] = jsonTextOrNull(report.version);
    object["library"] = jsonTextOrNull(report.library);
    return object;
}

QJsonObject dlaJson(const DlaModes &dla)
{
    return {{"version", jsonTextOrNull(dla.version)},
            {"engines", dla.engines},
            {"hybrid", capabilityJson(dla.hybrid)},
            {"standalone", capabilityJson(dla.standalone)},
            {"remark", "not verified on hardware"}};
}

} // namespace

QJsonObject doctorJson(const MachineReport &report)
{
    QJsonArray devices;
    for (const DeviceReport &device : report.devices)
        devices.append(deviceJson(device, report.platform));
    QJsonObject sources;
    for (const SourceReport &source : report.sources) {
        QJsonObject object = capabilityJson(source.capability);
        object["remark"] = jsonTextOrNull(source.remark);
        sources[jsonText(source.kind).toString()] = object;
    }
    QJsonArray hints;
    for (const std::string &hint : report.cameraHints)
        hints.append(jsonText(hint));
    QJsonObject object = {
        {"version", versionNumber()},
        {"usable", report.trouble().empty()},
        {"egl", eglJson(report)},
        {"window", capabilityJson(report.window)},
        {"cpu_stage", capabilityJson(report.cpuStage)},
        {"instruction_set", jsonText(report.instructionSet)},
        {"sources", sources},
        {"cameras", camerasJson(report.cameras)},
        {"camera_hints", hints},
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
