// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/progress.h"
#include "core/trace/importaccount.h"
#include "core/trace/trace.h"

#include <string>

namespace jetscope {

/// Writes a whole trace into a new capture file, with the account of the file that it was made of. After an error the
/// file is removed.
Status saveTrace(const Trace &trace, const std::string &path, Progress &progress, const ImportAccount &account = {});

} // namespace jetscope
