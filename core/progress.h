// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <cerrno>

namespace jetscope {

/// Receives the progress of a long task and may cancel it. Called on the thread that does the work.
class Progress {
public:
    virtual ~Progress() = default;

    /// `fraction` is 0..1 and never decreases. Returning false cancels the task, which then returns a cancelledError.
    virtual bool advance(double fraction) = 0;
};

/// For tasks without a progress display.
class NoProgress : public Progress {
public:
    bool advance(double) override { return true; }
};

/// The error of a cancelled task. It is not a failure and is not shown to the user.
inline Error cancelledError()
{
    return Error{{}, ECANCELED, "cancelled"};
}

inline bool wasCancelled(const Error &error)
{
    return error.code == ECANCELED && error.call.empty();
}

} // namespace jetscope
