// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/core/remote/reach/fakeboard.h"

namespace jetscope::testing {

/// The board has this very program.
class InstalledBoard : public FakeBoard {
public:
    InstalledBoard() { QFile::link(JETSCOPE_PROGRAM, path("bin/jetscope")); }

    /// What commands left on the board.
    QStringList leftOvers() const { return QDir(path("tmp")).entryList(QDir::AllEntries | QDir::NoDotAndDotDot); }
};

} // namespace jetscope::testing
