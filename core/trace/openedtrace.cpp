// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/trace/openedtrace.h"

namespace jetscope {

std::vector<std::string> allNotes(const OpenedTrace &opened)
{
    std::vector<std::string> notes;
    if (opened.account.read() > 0)
        notes = accountText(opened.account);
    notes.insert(notes.end(), opened.notes.begin(), opened.notes.end());
    return notes;
}

} // namespace jetscope
