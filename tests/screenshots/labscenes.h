// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace jetscope {

class MainWindow;

/// Glass to glass, with the frames of a camera at 60 per second of which some were late.
void showLatency(MainWindow &window);

} // namespace jetscope
