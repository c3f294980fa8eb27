// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/platform/platformfacts.h"
#include "gpu/board/machinereader.h"
#include "gpu/device/backends.h"
#include "gpu/pipeline/pipeline.h"
#include "gpu/remote/pipelinedisplay.h"
#include "gpu/remote/sessionrequest.h"
#include "gpu/sources/cameras.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace jetscope {

/// The machine that pipelines run on, this one or one at the other end of a wire: requests and lists are values.
/// Implementations are thread-safe; every call may block and is made off the UI thread, but for `devices`.
class PipelineHost {
public:
    virtual ~PipelineHost() = default;

    virtual Result<std::unique_ptr<PipelineControl>> open(const SessionRequest &request) = 0;
    virtual std::vector<DeviceCandidate> devices() = 0; ///< Cheap: starts no device.
    virtual std::vector<CameraInfo> cameras() = 0;
    virtual PlatformFacts platform() = 0; ///< Reads files; on a background thread.
    /// For one thread, which it blocks; null if its values cannot be read.
    virtual std::unique_ptr<MachineReader> machine() { return nullptr; }

protected:
    PipelineHost() = default;
    PipelineHost(const PipelineHost &) = delete;
    PipelineHost &operator=(const PipelineHost &) = delete;
};

/// Whether frames are published for a view, or drawn off-screen because nobody would take them.
enum class HostPictures : std::uint8_t { ForView, None };

/// This machine. Sources with a rate are read at that rate.
std::shared_ptr<PipelineHost> localHost(std::shared_ptr<PipelineDisplay> display,
                                        HostPictures pictures = HostPictures::ForView);

/// PipelineHost::open.
using PipelineOpener = std::function<Result<std::unique_ptr<PipelineControl>>(const SessionRequest &)>;

/// Creates the thread that reads pictures back for the view.
using ReadbackOpener = std::function<Result<std::unique_ptr<ReadbackView>>(FramePort &, ReadbackView::Sink)>;

SourceOpener sourceOpener();
ReadbackOpener readbackOpener(std::shared_ptr<PipelineDisplay> display);

} // namespace jetscope
