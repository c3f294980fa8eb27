// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/sources/framesource.h"
#include "gpu/sources/sourceuri.h"

#include <memory>

namespace jetscope {

// One pair per kind of source: `check` validates the URI without opening anything, `open` opens it.

Status checkSynthetic(const SourceUri &uri);
Result<std::unique_ptr<FrameSource>> openSynthetic(const SourceUri &uri, Pacing pacing);

Status checkFile(const SourceUri &uri);
Result<std::unique_ptr<FrameSource>> openFile(const SourceUri &uri, Pacing pacing);

Status checkCamera(const SourceUri &uri);
Result<std::unique_ptr<FrameSource>> openSystemCamera(const SourceUri &uri, Pacing pacing);

Status checkCsi(const SourceUri &uri);
Result<std::unique_ptr<FrameSource>> openCsi(const SourceUri &uri, Pacing pacing);

Status checkStream(const SourceUri &uri);
Result<std::unique_ptr<FrameSource>> openStream(const SourceUri &uri, Pacing pacing);

} // namespace jetscope
