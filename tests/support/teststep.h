// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTest>

/// Calls a lambda or function that contains verifications. These only return from that function on failure; this macro
/// also returns from the test.
#define JETSCOPE_STEP(call)                                                                                            \
    do {                                                                                                               \
        call;                                                                                                          \
        if (QTest::currentTestFailed())                                                                                \
            return;                                                                                                    \
    } while (false)
