// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtGlobal>

namespace jetscope {

/// Ends the process without destroying anything, because threads still run: recordings are finished, then the sentence
/// (without a full stop) is printed. Any thread; a second call waits for the first to end the process.
[[noreturn]] void leaveNow(const char *sentence, int code);

/// While one exists, an end of the process that is not Jetscope's own becomes leaveNow: libraries call exit when the
/// display goes away, which would destroy static objects under running threads. One at a time.
class ExitGuard {
public:
    ExitGuard();
    ~ExitGuard();
    ExitGuard(const ExitGuard &) = delete;
    ExitGuard &operator=(const ExitGuard &) = delete;
};

/// Leaves at once if the message says that the display is gone. Qt calls exit right after it.
void leaveIfDisplayIsGone(const QString &message);

} // namespace jetscope
