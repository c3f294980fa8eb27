// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/pipeline/pipeline.h"
#include "ui/session/glshare.h"
#include "ui/session/sessionrequest.h"

#include <functional>
#include <memory>

namespace jetscope {

/// Opens the pipeline of a request. Called off the UI thread; may block.
using PipelineFactory = std::function<Result<std::unique_ptr<PipelineControl>>(const SessionRequest &)>;

/// Creates the thread that reads pictures back for the view.
using ReadbackOpener = std::function<Result<std::unique_ptr<ReadbackView>>(FramePort &, ReadbackView::Sink)>;

/// Production implementation. Sources with a rate are read at that rate.
PipelineFactory pipelineFactory(std::shared_ptr<PipelineDisplay> display);
SourceOpener sourceOpener();
ReadbackOpener readbackOpener(std::shared_ptr<PipelineDisplay> display);

} // namespace jetscope
