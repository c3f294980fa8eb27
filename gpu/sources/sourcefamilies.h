// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/sources/framesource.h"
#include "gpu/sources/sourceuri.h"

#include <memory>

namespace jetscope {

/// The functions of a kind of source: `check` validates the URI without opening anything, `open` opens it.
struct SourceCalls {
    Status (*check)(const SourceUri &uri);
    Result<std::unique_ptr<FrameSource>> (*open)(const SourceUri &uri, Pacing pacing);
};

// What needs OpenCV or GStreamer; an error says why this build or installation has it not. The variant `_linked` calls
// the functions below directly (tests), `_loaded` loads the module that contains them (the program), `_absent` is for
// builds without these libraries.

Result<SourceCalls> fileCalls();
Result<SourceCalls> streamCalls();
Result<SourceCalls> csiCalls();

Status checkSynthetic(const SourceUri &uri);
Result<std::unique_ptr<FrameSource>> openSynthetic(const SourceUri &uri, Pacing pacing);

Status checkPattern(const SourceUri &uri);
Result<std::unique_ptr<FrameSource>> openPattern(const SourceUri &uri, Pacing pacing);

Status checkSeveral(const SourceUri &uri);
Result<std::unique_ptr<FrameSource>> openSeveral(const SourceUri &uri, Pacing pacing);

Status checkFile(const SourceUri &uri);
Result<std::unique_ptr<FrameSource>> openFile(const SourceUri &uri, Pacing pacing);

Status checkCamera(const SourceUri &uri);
Result<std::unique_ptr<FrameSource>> openSystemCamera(const SourceUri &uri, Pacing pacing);

Status checkCsi(const SourceUri &uri);
Result<std::unique_ptr<FrameSource>> openCsi(const SourceUri &uri, Pacing pacing);

Status checkStream(const SourceUri &uri);
Result<std::unique_ptr<FrameSource>> openStream(const SourceUri &uri, Pacing pacing);

} // namespace jetscope
