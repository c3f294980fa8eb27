// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/advice/boardadvice.h"
#include "core/measure/probe/probetable.h"
#include "core/result.h"
#include "gpu/sources/cameras.h"
#include "gpu/sources/framesource.h"

#include <optional>
#include <string>
#include <vector>

namespace jetscope {

/// A source as advice on memory kinds sees it.
struct ProbeSource {
    std::string uri;
    std::string description; ///< SourceInfo::description.
    int width = 0;
    int height = 0;
    std::size_t bytes = 0; ///< Of one frame.
    FrameWriter writer = FrameWriter::Cpu;
    std::string why; ///< A clause: "the driver of a USB camera puts its packets together by the CPU".
};

/// Opens the source and closes it again. Reads no frame.
Result<ProbeSource> probeSource(const std::string &uri);

/// Who writes the frames of an open source into the memory that the device reads, and why. `cameras`: those of this
/// machine.
ProbeSource describeSource(const FrameSource &source, const std::vector<CameraInfo> &cameras);

/// Light and heavy use of this source's frames by CPU and GPU.
std::vector<FrameUse> usesOf(const ProbeSource &source);

/// Uses for which `probe` predicts: of the source, or else the usual ones.
std::vector<FrameUse> advisedUses(const ProbeTable &table, const std::optional<ProbeSource> &source);

} // namespace jetscope
