// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/remote/pipelinehost.h"

#include <chrono>
#include <memory>
#include <string>

namespace jetscope {

/// Where the server of this user and build listens.
Result<std::string> serverSocketPath();

/// Serves at this path until nobody has been connected for `longestAlone`.
Status runServer(const std::string &path, std::shared_ptr<PipelineHost> host, std::chrono::seconds longestAlone);

} // namespace jetscope
