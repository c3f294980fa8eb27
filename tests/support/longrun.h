// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtGlobal>

namespace jetscope::testing {

/// Whether the tests with the label `long` run (packaging/test --long), which have the time for every case.
inline bool isLongRun()
{
    return qEnvironmentVariableIsSet("JETSCOPE_LONG_TEST");
}

/// Skips a test function in a short run: it takes ten seconds or more, and others cover the same.
#define JETSCOPE_SKIP_UNLESS_LONG()                                                                                    \
    if (!jetscope::testing::isLongRun())                                                                               \
    QSKIP("it takes long: packaging/test --long")

/// Whether a row of a product of choices runs: in a long run all do, otherwise a third, always the same rows. The third
/// is scattered, so that no choice of the product is left out; with another `shift` it is another one of three thirds.
inline bool isTurnOf(int row, int shift = 0)
{
    const quint32 scattered = (static_cast<quint32>(row) * 2654435761u) >> 16;
    return isLongRun() || (scattered + static_cast<quint32>(shift)) % 3 == 0;
}

} // namespace jetscope::testing
