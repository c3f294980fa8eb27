// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/remote/wire/corefields.h"
#include "gpu/pipeline/pipelinecontrol.h"
#include "gpu/remote/pipelinehost.h"

namespace jetscope {

// The fields of a pipeline's types, each listed once for both ways. Parts of these types are listed in the source.

void fields(Wire &wire, PipelineCommand &command);
void fields(Wire &wire, PipelineUpdate &update);
void fields(Wire &wire, PipelineStatus &status);
void fields(Wire &wire, SessionRequest &request);
void fields(Wire &wire, DeviceCandidate &device);
void fields(Wire &wire, CameraInfo &camera);
void fields(Wire &wire, StreamCounts &counts);

} // namespace jetscope
