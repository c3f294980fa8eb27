// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/exchange/opentrace.h"

namespace jetscope::test {

/// Opens a file without showing how far it is.
class QuietProgress : public OpenProgress {
public:
    bool advance(double) override { return true; }
};

} // namespace jetscope::test
