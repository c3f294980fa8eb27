// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace jetscope {

class MainWindow;

/// The workspace of the board with the machine, some of whose values move.
void showBoard(MainWindow &window);
/// And with a log of tegrastats: load, heat and another power mode.
void showBoardLog(MainWindow &window);

} // namespace jetscope
