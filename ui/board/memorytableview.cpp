// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/board/memorytableview.h"

#include "core/platform/memorytable.h"
#include "ui/style/style.h"
#include "ui/style/text.h"

#include <QGridLayout>
#include <QLabel>

namespace jetscope {

namespace {

QLabel *tableLabel(const QString &text, bool muted)
{
    auto *label = new QLabel(text);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setProperty("muted", muted);
    return label;
}

const char *badgeOf(Caching caching)
{
    switch (caching) {
    case Caching::Cached:
        return "good";
    case Caching::Uncached:
    case Caching::DriverDecides:
        return "warn";
    case Caching::NotAccessible:
    case Caching::NotSupported:
        break;
    }
    return "bad";
}

QWidget *cellOf(const QString &what, const CacheCell &cell)
{
    auto *widget = new QWidget;
    auto *column = new QVBoxLayout(widget);
    column->setContentsMargins(0, 2, 0, 2);
    column->setSpacing(1);
    auto *badge = new QLabel(toQString(nameOf(cell.caching)));
    setStyleKind(badge, "badge", badgeOf(cell.caching));
    badge->setAccessibleName(what + QStringLiteral(": ") + badge->text());
    column->addWidget(badge, 0, Qt::AlignLeft);
    column->addWidget(tableLabel(toQString(cell.why), true));
    column->addStretch();
    return widget;
}

} // namespace

MemoryTableView::MemoryTableView(const DeviceFacts &facts, QWidget *parent) : QWidget(parent)
{
    setAccessibleName(tr("What is cached where"));
    auto *grid = new QGridLayout(this);
    grid->setContentsMargins(12, 6, 12, 8);
    grid->setHorizontalSpacing(16);
    grid->setVerticalSpacing(2);
    int column = 0;
    for (const QString &title : {tr("Memory"), tr("CPU"), tr("GPU")}) {
        auto *head = new QLabel(title);
        setStyleKind(head, "table", "title");
        grid->setColumnStretch(column, 1);
        grid->addWidget(head, 0, column++);
    }
    int line = 1;
    for (const MemoryTableRow &row : memoryTable(facts)) {
        const QString kind = toQString(row.kind);
        auto *name = new QWidget;
        auto *names = new QVBoxLayout(name);
        names->setContentsMargins(0, 2, 0, 2);
        names->setSpacing(1);
        names->addWidget(tableLabel(kind, false));
        names->addWidget(tableLabel(toQString(row.call), true));
        names->addStretch();
        name->setToolTip(tr("Source: %1").arg(toQString(row.source)));
        grid->addWidget(name, line, 0);
        grid->addWidget(cellOf(tr("%1, CPU").arg(kind), row.cpu), line, 1);
        grid->addWidget(cellOf(tr("%1, GPU").arg(kind), row.gpu), line++, 2);
    }
    const QString origin = facts.software
        ? tr("After the CUDA for Tegra note, for the attributes that the software iGPU takes from the named board.")
        : tr("After the CUDA for Tegra note, for the attributes of this device; not measured.");
    grid->addWidget(tableLabel(origin, true), line++, 0, 1, 3);
    grid->setRowStretch(line, 1);
}

} // namespace jetscope
