// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace.h"

#include <string>

namespace jetscope {

/// Which frames of a capture are missing, and why: for its reports.
std::string lossHtml(const Trace &trace);
std::string lossMarkdown(const Trace &trace);

} // namespace jetscope
