// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace jetscope {

class MainWindow;

/// Glass to glass, with the frames of a camera at 60 per second of which some were late.
void showLatency(MainWindow &window);
/// Four cameras, the third of which is exposed 8 ms after the others.
void showCameras(MainWindow &window);
/// The stamps of a camera that says less than the truth.
void showStamps(MainWindow &window);

/// One of these with the light theme in a window of 1024x600.
void showSmallAndLight(MainWindow &window, void (*show)(MainWindow &));

} // namespace jetscope
