// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/session/history.h"

namespace jetscope {

quint64 History::nextNumber()
{
    static quint64 last = 0;
    return ++last;
}

} // namespace jetscope
