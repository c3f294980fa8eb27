// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTest>

/// Takes a step that verifies something itself, in a lambda or another function. Those only leave that function where
/// they fail; this leaves the test.
#define JETSCOPE_STEP(call)                                                                                            \
    do {                                                                                                               \
        call;                                                                                                          \
        if (QTest::currentTestFailed())                                                                                \
            return;                                                                                                    \
    } while (false)
