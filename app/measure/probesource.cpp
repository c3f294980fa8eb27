// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/measure/probesource.h"

#include "gpu/sources/sourceuri.h"

#include <algorithm>

namespace jetscope {

namespace {

/// The camera of an address: without a path it is the first one that can be used.
const CameraInfo *cameraOf(const std::string &uri, const std::vector<CameraInfo> &cameras)
{
    const Result<SourceUri> parts = parseSourceUri(uri);
    const auto isIt = [&](const CameraInfo &each) {
        return parts.ok() && (parts.value().path.empty() ? each.usable.available : each.path == parts.value().path);
    };
    const auto camera = std::find_if(cameras.begin(), cameras.end(), isIt);
    return camera == cameras.end() ? nullptr : &*camera;
}

/// A camera that writes into memory that it is given does so by DMA, unless its driver has the CPU do it: that of USB
/// cameras takes the pictures out of USB packets, and the virtual camera has nothing else.
ProbeSource &sayByCamera(ProbeSource &of, const std::vector<CameraInfo> &cameras)
{
    const CameraInfo *const camera = cameraOf(of.uri, cameras);
    of.writer = FrameWriter::Cpu;
    if (camera && camera->driver == "uvcvideo")
        of.why = "the driver of a USB camera puts its packets together by the CPU";
    else if (camera && camera->driver == "vivid")
        of.why = "the driver of a virtual camera draws by the CPU";
    else {
        of.writer = FrameWriter::Dma;
        of.why = "the camera's driver takes the memory and has the device fill it";
    }
    return of;
}

} // namespace

ProbeSource describeSource(const FrameSource &source, const std::vector<CameraInfo> &cameras)
{
    const SourceInfo &info = source.info();
    ProbeSource of{
        info.uri, info.description, info.layout.width, info.layout.height, info.layout.bytes, FrameWriter::Cpu, {}};
    if (source.externalBuffers().ok()) {
        of.writer = FrameWriter::Dma;
        of.why = "the camera hands its own buffers in";
        return of;
    }
    if (source.buffersWanted() > 0 || source.dmabufsWanted() > 0)
        return sayByCamera(of, cameras);
    const std::vector<std::string> copies = source.state().copies;
    of.why = copies.empty() ? "the source makes its frames by the CPU" : "each frame is copied " + copies.back();
    return of;
}

Result<ProbeSource> probeSource(const std::string &uri)
{
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<FrameSource> source, openSource(uri, Pacing::Real));
    return describeSource(*source, listCameras());
}

std::vector<FrameUse> usesOf(const ProbeSource &source)
{
    std::vector<FrameUse> uses;
    for (const auto &[cpuPasses, gpuPasses] : {std::pair{0, 1}, {0, 4}, {1, 1}, {4, 1}})
        uses.push_back({source.width, source.height, cpuPasses, gpuPasses, source.writer, source.bytes});
    return uses;
}

std::vector<FrameUse> advisedUses(const ProbeTable &table, const std::optional<ProbeSource> &source)
{
    return source ? usesOf(*source) : usualUses(table.width, table.height);
}

} // namespace jetscope
