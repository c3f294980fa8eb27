// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/progressjson.h"

#include "app/commandline/console.h"
#include "app/commandline/jsonvalues.h"

namespace jetscope {

namespace {

constexpr std::int64_t kTellEveryNs = 250'000'000;

} // namespace

void ProgressJson::show(const std::function<QJsonObject()> &make, std::int64_t nowNs)
{
    if (!m_wanted || (m_shown && nowNs - m_shownNs < kTellEveryNs))
        return;
    m_shown = true;
    m_shownNs = nowNs;
    tell("progress", make());
}

void ProgressJson::tell(const char *event, QJsonObject object) const
{
    if (!m_wanted)
        return;
    object["event"] = event;
    static_cast<void>(print(jsonLine(object)));
}

} // namespace jetscope
