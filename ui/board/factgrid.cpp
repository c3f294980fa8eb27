// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/board/factgrid.h"

#include "ui/style/style.h"
#include "ui/style/text.h"

#include <QClipboard>
#include <QGridLayout>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>

namespace jetscope {

namespace {

constexpr int kNameSpaces = 12; ///< Width of the names, in heights of a line.

QLabel *wrappedLabel(const QString &text)
{
    auto *label = new QLabel(text);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

const char *trendOf(FactRow::State state)
{
    switch (state) {
    case FactRow::State::Good:
        return "good";
    case FactRow::State::Bad:
        return "bad";
    case FactRow::State::Unknown:
        return "warn";
    case FactRow::State::Plain:
        break;
    }
    return "";
}

QWidget *commandLine(const QString &command)
{
    auto *line = new QWidget;
    auto *row = new QHBoxLayout(line);
    row->setContentsMargins(0, 0, 0, 0);
    QLabel *label = wrappedLabel(command);
    label->setProperty("command", true);
    auto *copy = new QPushButton(FactGrid::tr("Copy"));
    copy->setProperty("flat", true);
    copy->setAccessibleName(FactGrid::tr("Copy the command %1").arg(command));
    copy->setToolTip(FactGrid::tr("Copies the command; Jetscope does not run it"));
    QObject::connect(copy, &QPushButton::clicked, copy, [command] { QGuiApplication::clipboard()->setText(command); });
    row->addWidget(copy, 0, Qt::AlignTop);
    row->addWidget(label, 1);
    return line;
}

} // namespace

FactGrid::FactGrid(const FactSection &section, QWidget *parent) : QWidget(parent)
{
    auto *grid = new QGridLayout(this);
    grid->setContentsMargins(12, 6, 12, 8);
    grid->setHorizontalSpacing(16);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(1, 1);
    int line = 0;
    if (!section.note.empty()) {
        QLabel *note = wrappedLabel(toQString(section.note));
        note->setProperty("muted", true);
        grid->addWidget(note, line++, 0, 1, 2);
    }
    for (const FactRow &fact : section.rows) {
        QLabel *name = wrappedLabel(toQString(fact.name));
        name->setFixedWidth(kNameSpaces * fontMetrics().height());
        QLabel *value = wrappedLabel(toQString(fact.value));
        setStyleKind(value, "trend", trendOf(fact.state));
        value->setAccessibleName(toQString(fact.name + ": " + fact.value));
        grid->addWidget(name, line, 0, Qt::AlignTop);
        grid->addWidget(value, line++, 1, Qt::AlignTop);
        if (!fact.detail.empty()) {
            QLabel *detail = wrappedLabel(toQString(fact.detail));
            detail->setProperty("muted", true);
            if (!fact.source.empty())
                detail->setToolTip(tr("Source: %1").arg(toQString(fact.source)));
            grid->addWidget(detail, line++, 1, Qt::AlignTop);
        }
        if (!fact.command.empty())
            grid->addWidget(commandLine(toQString(fact.command)), line++, 1);
    }
    grid->setRowStretch(line, 1);
}

} // namespace jetscope
