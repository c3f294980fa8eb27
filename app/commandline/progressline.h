// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/json.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace jetscope {

/// "1:05" or "1:02:03".
std::string clockText(std::int64_t ns);

/// Progress of long work on standard error: on a terminal one line that is rewritten twice a second, elsewhere a line
/// each time that another tenth is done. Removes its line from the terminal at the end.
class ProgressLine {
public:
    ProgressLine();
    ~ProgressLine();
    ProgressLine(const ProgressLine &) = delete;
    ProgressLine &operator=(const ProgressLine &) = delete;

    /// `fraction` is 0..1. Cheap if nothing has to be shown.
    void show(double fraction, std::string_view text, std::int64_t nowNs);
    void clear();

private:
    const bool m_terminal;
    bool m_shown = false;
    std::int64_t m_shownNs = 0;
    int m_tenth = 0;
};

/// What `--progress` prints while a command measures: lines with one JSON object each on standard output, before the
/// result. Nothing unless wanted. A closed output is noticed when the result is printed.
class ProgressJson {
public:
    explicit ProgressJson(bool wanted) : m_wanted(wanted) {}

    /// At most four times a second; `make` is called only then.
    void show(const std::function<JsonObject()> &make, std::int64_t nowNs);
    /// At once.
    void tell(const char *event, JsonObject object) const;

private:
    const bool m_wanted;
    bool m_shown = false;
    std::int64_t m_shownNs = 0;
};

} // namespace jetscope
