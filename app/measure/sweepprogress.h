// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/options.h"
#include "app/commandline/progressline.h"
#include "gpu/measure/sweeprun.h"

namespace jetscope {

/// Progress of a sweep on standard error, as JSON lines if wanted, and a sentence if --time is too short.
class SweepProgress {
public:
    /// `options` must outlive it.
    explicit SweepProgress(const SweepOptions &options) : m_options(options), m_lines(options.progress) {}

    /// Cheap if nothing has to be shown.
    void show(const Sweep &sweep, std::int64_t nowNs);

private:
    void checkTime(const Sweep &sweep);

    const SweepOptions &m_options;
    ProgressLine m_line;
    ProgressJson m_lines;
    bool m_saidTime = false;
};

} // namespace jetscope
