// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

namespace jetscope {

/// Hears how far long work is and may end it. Called on the thread that does the work.
class Progress {
public:
    virtual ~Progress() = default;

    /// `fraction` is 0..1 and never falls. False cancels: the work gives up and returns a cancelledError.
    virtual bool advance(double fraction) = 0;
};

/// For work that nobody watches.
class NoProgress : public Progress {
public:
    bool advance(double) override { return true; }
};

/// What cancelled work returns: no fault, and nothing to show.
Error cancelledError();
bool wasCancelled(const Error &error);

} // namespace jetscope
