// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QJsonObject>

#include <cstdint>
#include <functional>

namespace jetscope {

/// What `--progress` prints while a command measures: lines with one JSON object each on standard output, before the
/// result. Nothing unless wanted. A closed output is noticed when the result is printed.
class ProgressJson {
public:
    explicit ProgressJson(bool wanted) : m_wanted(wanted) {}

    /// At most four times a second; `make` is called only then.
    void show(const std::function<QJsonObject()> &make, std::int64_t nowNs);
    /// At once.
    void tell(const char *event, QJsonObject object) const;

private:
    const bool m_wanted;
    bool m_shown = false;
    std::int64_t m_shownNs = 0;
};

} // namespace jetscope
