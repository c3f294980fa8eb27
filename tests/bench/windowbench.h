// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/style/theme.h"
#include "ui/window/openwindow.h"

#include <QApplication>

#include <cstdio>
#include <cstdlib>
#include <memory>

namespace jetscope::testing {

/// The application of a bench that opens the window. Where there can be no window, says why and ends the program.
inline std::unique_ptr<QApplication> windowApplication(int &argc, char **argv)
{
    if (const Status prepared = prepareForWindow(); !prepared.ok()) {
        std::fprintf(stderr, "%s\n", prepared.error().message().c_str());
        std::exit(EXIT_FAILURE);
    }
    auto application = std::make_unique<QApplication>(argc, argv);
    applyTheme(*application, darkTheme());
    return application;
}

} // namespace jetscope::testing
