// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/tracestart.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace jetscope {

TraceStart::TraceStart(QWidget *parent)
    : QWidget(parent),
      m_title(new QLabel(this)),
      m_text(new QLabel(this)),
      m_open(makeButton("openTrace", tr("Open…"), tr("Opens a capture, a trace or a log (Ctrl+O)"))),
      m_inspect(makeButton("inspectProgram", tr("Inspect a program…"),
                           tr("Starts another program, unchanged, and shows its calls live (Ctrl+I)"))),
      m_retry(makeButton("retryTrace", tr("Retry"), tr("Tries the same again (F5)"))),
      m_recent(new QListWidget(this))
{
    setObjectName(QStringLiteral("traceStart"));
    setAttribute(Qt::WA_StyledBackground);
    m_title->setProperty("title", true);
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setAlignment(Qt::AlignCenter);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto *buttons = new QHBoxLayout;
    buttons->addStretch();
    for (QPushButton *button : {m_retry, m_open, m_inspect})
        buttons->addWidget(button);
    buttons->addStretch();
    // With an alignment, a QLabel does not get the height that its wrapped lines need.
    auto *text = new QHBoxLayout;
    text->addStretch(1);
    text->addWidget(m_text, 3);
    text->addStretch(1);
    auto *column = new QVBoxLayout(this);
    column->addStretch();
    column->addWidget(m_title, 0, Qt::AlignHCenter);
    column->addLayout(text);
    column->addSpacing(8);
    column->addLayout(buttons);
    column->addSpacing(12);
    auto *recent = new QHBoxLayout;
    recent->addStretch(1);
    recent->addWidget(m_recent, 3);
    recent->addStretch(1);
    column->addLayout(recent);
    column->addStretch();
    m_recent->setObjectName(QStringLiteral("recentTraces"));
    m_recent->setAccessibleName(tr("Recent files"));
    m_recent->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_recent->hide();
    const auto openItem = [this](const QListWidgetItem *item) { emit recentWanted(item->toolTip()); };
    connect(m_recent, &QListWidget::itemActivated, this, openItem); // Enter.
    connect(m_recent, &QListWidget::itemClicked, this, openItem);
    connect(m_open, &QPushButton::clicked, this, &TraceStart::openWanted);
    connect(m_inspect, &QPushButton::clicked, this, &TraceStart::inspectWanted);
    connect(m_retry, &QPushButton::clicked, this, &TraceStart::retryWanted);
    showIdle();
}

QPushButton *TraceStart::makeButton(const char *objectName, const QString &text, const QString &help)
{
    auto *button = new QPushButton(text, this);
    button->setObjectName(QLatin1String(objectName));
    button->setToolTip(help);
    return button;
}

void TraceStart::showButtons(bool shown, bool retry)
{
    m_open->setVisible(shown);
    m_inspect->setVisible(shown);
    m_retry->setVisible(retry);
    m_recent->hide();
}

void TraceStart::showIdle()
{
    m_title->setText(tr("No trace is open"));
    m_text->setText(
        tr("What a capture, a Chrome trace, a profile of PyTorch, an export of Nsight Systems or an inspected "
           "program has recorded appears here; a log of tegrastats is shown in Board. A file can be "
           "dropped on the window, too."));
    showButtons(true, false);
}

void TraceStart::showRecent(const QList<RecentFiles::Entry> &entries)
{
    constexpr int kMaxRows = 6;
    m_recent->clear();
    for (const RecentFiles::Entry &entry : entries) {
        const QString name = QFileInfo(entry.path).fileName();
        auto *item =
            new QListWidgetItem(entry.words.isEmpty() ? name : name + QStringLiteral("  ·  ") + entry.words, m_recent);
        item->setToolTip(entry.path);
    }
    m_recent->setVisible(!entries.isEmpty());
    if (!entries.isEmpty())
        m_recent->setFixedHeight(std::min(kMaxRows, m_recent->count()) * m_recent->sizeHintForRow(0)
                                 + 2 * m_recent->frameWidth());
}

void TraceStart::showOpening(const QString &what)
{
    m_title->setText(tr("Opening"));
    m_text->setText(what);
    showButtons(false, false);
}

void TraceStart::showError(const QString &title, const QString &text)
{
    m_title->setText(title);
    m_text->setText(text);
    setAccessibleDescription(text);
    showButtons(true, true);
}

} // namespace jetscope
