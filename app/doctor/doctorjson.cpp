// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/doctor/doctorjson.h"

#include "app/help.h"
#include "app/jsonvalues.h"

#include <QJsonArray>

namespace jetscope {

namespace {

QJsonObject capabilityJson(const Capability &capability)
{
    return {{"available", capability.available}, {"reason", jsonTextOrNull(capability.reason)}};
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
        {"gpu_caches_pinned", facts.gpuCachesPinned()},
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

QJsonObject choicesJson(const std::vector<ChoiceRow> &rows)
{
    QJsonObject object;
    for (const ChoiceRow &row : rows)
        object[jsonText(row.name).toString()] = QJsonObject{{"level", jsonText(levelName(row.availability.level))},
                                                            {"reason", jsonTextOrNull(row.availability.reason)}};
    return object;
}

QJsonObject deviceJson(const DeviceReport &device)
{
    QJsonObject object = capabilityJson(device.candidate.usable);
    object["id"] = jsonText(device.candidate.id);
    object["name"] = jsonText(device.facts ? device.facts->name : device.candidate.name);
    object["open_error"] = jsonTextOrNull(device.openError);
    if (!device.facts)
        return object;
    object["facts"] = factsJson(*device.facts);
    object["capabilities"] = capabilitiesJson(*device.facts);
    object["hazard_rules"] = coverageJson(coverageOf(*device.facts));
    object["probed"] = jsonTextOrNull(device.probed);
    object["choices"] = QJsonObject{{"memory", choicesJson(device.memory)},
                                    {"output", choicesJson(device.output)},
                                    {"sync", choicesJson(device.sync)},
                                    {"cpu_stage", choicesJson(device.cpuStage)}};
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
        array.append(object);
    }
    return array;
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

} // namespace

QJsonObject doctorJson(const MachineReport &report)
{
    QJsonArray devices;
    for (const DeviceReport &device : report.devices)
        devices.append(deviceJson(device));
    QJsonObject sources;
    for (const SourceReport &source : report.sources) {
        QJsonObject object = capabilityJson(source.capability);
        object["remark"] = jsonTextOrNull(source.remark);
        sources[jsonText(source.kind).toString()] = object;
    }
    QJsonArray hints;
    for (const std::string &hint : report.cameraHints)
        hints.append(jsonText(hint));
    return {
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
        {"best_device", jsonTextOrNull(report.bestDevice)},
        {"devices", devices},
    };
}

} // namespace jetscope
