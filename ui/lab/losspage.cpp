// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/losspage.h"

#include "ui/session/session.h"
#include "ui/style/layouts.h"
#include "ui/style/text.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace jetscope {

namespace {

constexpr std::size_t kMostListed = 2000;
constexpr int kLossesEveryMs = 1000; ///< Rows that move more often are hard to click.
constexpr int kAllCauses = static_cast<int>(kLossCauses.size());

enum LossColumn { Numbers, At, Why, Evidence };

QString lossNumbers(const LostFrames &lost)
{
    const QString first = QStringLiteral("%L1").arg(lost.first);
    return lost.count == 1 ? first : QStringLiteral("%1 – %L2").arg(first).arg(lost.first + lost.count - 1);
}

} // namespace

LossPage::LossPage(Session &session, QWidget *parent)
    : QWidget(parent),
      m_session(session),
      m_causes(new QButtonGroup(this)),
      m_list(new QTreeWidget),
      m_sum(new QLabel),
      m_empty(new QLabel(tr("No frame is missing: each number that the source "
                            "gave has arrived. A frame that is lost "
                            "from now on is listed here with its cause.")))
{
    setObjectName(QStringLiteral("lossPage"));
    auto *column = makeInnerLayout<QVBoxLayout>(this, 8);
    auto *chips = new QHBoxLayout;
    column->addLayout(chips);
    for (int place = 0; place <= kAllCauses; ++place) {
        const int id = place == 0 ? kAllCauses : place - 1;
        auto *chip = new QPushButton;
        chip->setCheckable(true);
        chip->setChecked(id == kAllCauses);
        m_causes->addButton(chip, id);
        chips->addWidget(chip);
    }
    chips->addStretch(1);
    m_list->setAccessibleName(tr("Missing frames"));
    m_list->setHeaderLabels({tr("frames"), tr("at"), tr("cause"), tr("evidence")});
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->header()->setStretchLastSection(true);
    for (const auto &[section, width] : {std::pair(Numbers, 110), std::pair(At, 120), std::pair(Why, 190)})
        m_list->header()->resizeSection(section, scaledToFont(*m_list, width));
    m_due.setSingleShot(true);
    m_due.setInterval(kLossesEveryMs);
    connect(&m_due, &QTimer::timeout, this, &LossPage::show);
    m_list->setToolTip(tr("Double click or Enter shows on the timeline when a frame was lost"));
    column->addWidget(m_list, 1);
    m_empty->setWordWrap(true);
    column->addWidget(m_empty);
    m_sum->setWordWrap(true);
    column->addWidget(m_sum);
    connect(m_causes, &QButtonGroup::idClicked, this, &LossPage::show);
    connect(m_list, &QTreeWidget::itemActivated, this,
            [this](const QTreeWidgetItem *item) { emit timeWanted(item->data(At, Qt::UserRole).toLongLong()); });
    connect(&session, &Session::traceRestarted, this, &LossPage::restart);
    connect(&session, &Session::noticed, this, [this](const PipelineNotice &notice) {
        add(notice.lost);
        if (!notice.lost.empty() && !m_due.isActive())
            m_due.start();
    });
    restart();
}

void LossPage::restart()
{
    m_rows.clear();
    m_counts = {};
    for (const TraceMark &mark : m_session.trace().marks().all())
        add(mark.lost);
    show();
}

void LossPage::add(const std::vector<LostFrames> &lost)
{
    for (const LostFrames &each : lost) {
        m_counts.add(each);
        m_rows.push_back(each);
    }
    if (m_rows.size() > kMostListed)
        m_rows.erase(m_rows.begin(), m_rows.end() - static_cast<std::ptrdiff_t>(kMostListed));
}

QString LossPage::result() const
{
    return m_counts.sum() == 0 ? QString() : QStringLiteral("%L1").arg(m_counts.sum());
}

/// "14 + 11 + 7 = 32".
QString LossPage::sumText() const
{
    QStringList parts;
    for (const LossCauseRow &row : kLossCauses)
        if (m_counts[row.cause] > 0)
            parts += QStringLiteral("%L1").arg(m_counts[row.cause]);
    const QString all = QStringLiteral("%L1").arg(m_counts.sum());
    return tr("%1: every number from the first frame to the last is either shown "
              "or in this list.")
        .arg(parts.size() > 1 ? parts.join(QStringLiteral(" + ")) + QStringLiteral(" = ") + all : all);
}

void LossPage::show()
{
    const bool isAny = m_counts.sum() > 0;
    m_causes->button(kAllCauses)->setText(tr("All %L1").arg(m_counts.sum()));
    for (const LossCauseRow &row : kLossCauses) {
        QAbstractButton *chip = m_causes->button(static_cast<int>(row.cause));
        chip->setText(QStringLiteral("%1 %L2").arg(toQString(std::string(row.says))).arg(m_counts[row.cause]));
        chip->setVisible(m_counts[row.cause] > 0);
    }
    m_causes->button(kAllCauses)->setVisible(isAny);
    m_list->setVisible(isAny);
    m_empty->setVisible(!isAny);
    m_sum->setVisible(isAny);
    m_sum->setText(isAny ? sumText() : QString());
    m_list->clear();
    const int wanted = m_causes->checkedId();
    for (auto lost = m_rows.rbegin(); lost != m_rows.rend(); ++lost) // The newest first.
        if (wanted == kAllCauses || wanted == static_cast<int>(lost->cause))
            addRow(*lost);
    emit resultChanged();
}

void LossPage::addRow(const LostFrames &lost)
{
    const Trace &trace = m_session.trace();
    auto *item = new QTreeWidgetItem(m_list);
    item->setText(Numbers, lossNumbers(lost));
    item->setText(At, trace.empty() ? QString() : exactMillisText(lost.timeNs - trace.oldestNs()));
    item->setData(At, Qt::UserRole, qlonglong(lost.timeNs));
    item->setText(Why, toQString(std::string(rowOf(lost.cause).says)));
    item->setText(Evidence, toQString(lost.evidence));
    item->setToolTip(Evidence, item->text(Evidence));
}

} // namespace jetscope
