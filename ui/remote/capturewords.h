// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/remote/capturestore.h"
#include "gpu/remote/messages.h"

#include <QString>

namespace jetscope {

/// "1:05", "1:02:03"
QString clockWords(std::int64_t ns);
/// "on orin-lab-3 0:12 · 214 MB · 31 GB free"
QString recordingWords(const RecordingState &state, const QString &board);
/// "Fetching a.jscope from orin-lab-3: 12 MB of 40 MB, 3.1 MB a second"
QString fetchWords(const FetchProgress &progress, const QString &name, const QString &board);

} // namespace jetscope
