// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/board/boardeventlist.h"

#include "ui/style/text.h"
#include "ui/style/theme.h"

#include <QHeaderView>

namespace jetscope {

BoardEventList::BoardEventList(QWidget *parent) : QTreeWidget(parent)
{
    setObjectName(QStringLiteral("boardEvents"));
    setAccessibleName(tr("Events of the board"));
    setColumnCount(Columns);
    setHeaderLabels({tr("at"), tr("for"), tr("what happened"), tr("seen by"), tr("how sure")});
    setRootIsDecorated(false);
    setUniformRowHeights(true);
    setFrameShape(QFrame::NoFrame);
    header()->setStretchLastSection(false);
    header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    header()->setSectionResizeMode(SeenBy, QHeaderView::Stretch);
    const auto choose = [this](QTreeWidgetItem *item) {
        if (item && item->data(At, Qt::UserRole).isValid())
            emit chosen(item->data(At, Qt::UserRole).toULongLong());
    };
    connect(this, &QTreeWidget::itemClicked, this, choose);
    connect(this, &QTreeWidget::itemActivated, this, choose);
}

void BoardEventList::show(const std::vector<BoardEvent> &events, const BoardTimes &times)
{
    constexpr std::size_t kMostRows = 500;
    clear();
    for (std::size_t i = 0; i < events.size() && i < kMostRows; ++i) {
        const BoardEvent &event = events[i];
        const bool isMoment = event.time.startNs == event.time.endNs;
        const QString length = isMoment ? QString()
            : event.lasts               ? tr("to the end")
                                        : toQString(lengthWords(event.time.endNs - event.time.startNs));
        auto *row = new QTreeWidgetItem(this,
                                        {times.text(event.time.startNs), length, toQString(event.what),
                                         toQString(event.seenBy), event.isMeasured ? tr("measured") : tr("probably")});
        row->setData(At, Qt::UserRole, QVariant::fromValue<qulonglong>(i));
        row->setToolTip(What, row->text(What));
        row->setToolTip(SeenBy, row->text(SeenBy));
        row->setForeground(SeenBy, theme().muted);
        row->setForeground(Sure, event.isMeasured ? theme().good : theme().warn);
    }
    if (events.empty()) {
        auto *row = new QTreeWidgetItem(this, {QString(), QString(), tr("Nothing happened that these values show.")});
        row->setForeground(What, theme().muted);
        row->setFlags(Qt::ItemIsEnabled);
    }
    if (events.size() > kMostRows)
        new QTreeWidgetItem(this, {QString(), QString(), tr("and %L1 more").arg(events.size() - kMostRows)});
}

void BoardEventList::select(std::size_t index)
{
    if (QTreeWidgetItem *row = topLevelItem(static_cast<int>(index)))
        setCurrentItem(row);
}

} // namespace jetscope
