// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/session/spanlimit.h"

#include "ui/style/text.h"

#include <QActionGroup>

#include <algorithm>
#include <vector>

namespace jetscope {

namespace {

constexpr std::uint64_t kMillion = 1'000'000;
constexpr std::uint64_t kEnoughToTell = 200'000;
constexpr double kUsualBytes = 28; ///< Including the figures of frames.

} // namespace

double bytesPerSpan(const Trace &trace)
{
    if (trace.spanCount() < kEnoughToTell)
        return kUsualBytes;
    const std::uint64_t bytes = trace.memoryBytes() - trace.thumbnails().memoryBytes();
    return static_cast<double>(bytes) / static_cast<double>(trace.spanCount());
}

SpanLimitMenu::SpanLimitMenu(const Trace &trace, QWidget *parent)
    : QMenu(tr("Length of the trace"), parent), m_trace(&trace), m_group(new QActionGroup(this))
{
    setToolTipsVisible(true);
    connect(this, &QMenu::aboutToShow, this, &SpanLimitMenu::fill);
    fill();
}

void SpanLimitMenu::fill()
{
    clear();
    std::vector<std::uint64_t> limits;
    for (const std::uint64_t millions : {2, 5, 10, 20, 50, 100})
        limits.push_back(millions * kMillion);
    if (std::find(limits.begin(), limits.end(), m_current) == limits.end())
        limits.insert(std::upper_bound(limits.begin(), limits.end(), m_current), m_current);
    const double bytes = bytesPerSpan(*m_trace);
    for (const std::uint64_t limit : limits) {
        const QString millions = QString::number(static_cast<double>(limit) / kMillion, 'g', 6);
        const QString memory = bytesText(bytes * static_cast<double>(limit));
        QAction *action = addAction(tr("Keep at most %1 million spans (≈ %2)").arg(millions, memory), this,
                                    [this, limit] { emit chosen(limit); });
        action->setToolTip(
            tr("Beyond the limit the oldest spans are discarded, a million at a time; for a trace from a file, the "
               "limit applies when it is opened again"));
        action->setCheckable(true);
        action->setChecked(limit == m_current);
        m_group->addAction(action);
    }
}

} // namespace jetscope
