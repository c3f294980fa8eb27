// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/connectsteps.h"

#include "ui/style/layouts.h"
#include "ui/style/style.h"
#include "ui/style/text.h"

#include <QGridLayout>
#include <QLabel>
#include <QProgressBar>

namespace jetscope {

namespace {

constexpr int kStepBarWidth = 110;
constexpr int kStepBarHeight = 8;
constexpr int kStepBarSteps = 1000;

} // namespace

QString ConnectSteps::nameOf(ConnectStep step)
{
    switch (step) {
    case ConnectStep::Reach:
        return tr("Log in with ssh");
    case ConnectStep::Copy:
        return tr("Copy the matching Jetscope");
    case ConnectStep::Start:
        return tr("Start it and compare versions");
    case ConnectStep::Clocks:
        return tr("Bring the clocks together");
    }
    return {};
}

ConnectSteps::ConnectSteps(QWidget *parent) : QWidget(parent)
{
    setAccessibleName(tr("Steps of the connection"));
    auto *grid = makeInnerLayout<QGridLayout>(this, 6);
    grid->setColumnStretch(1, 1);
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        Row &row = m_rows[i];
        row.mark = new QLabel;
        row.text = new QLabel;
        row.text->setWordWrap(true);
        row.text->setTextFormat(Qt::PlainText);
        row.bar = new QProgressBar;
        row.bar->setTextVisible(false);
        row.bar->setRange(0, kStepBarSteps);
        row.bar->setFixedSize(scaledToFont(*this, kStepBarWidth), scaledToFont(*this, kStepBarHeight));
        row.bar->setAccessibleName(tr("Copied"));
        row.time = new QLabel;
        row.time->setAlignment(Qt::AlignRight | Qt::AlignTop);
        setStyleKind(row.time, "muted", "true");
        const int line = static_cast<int>(i);
        grid->addWidget(row.mark, line, 0, Qt::AlignTop);
        grid->addWidget(row.text, line, 1);
        grid->addWidget(row.bar, line, 2, Qt::AlignVCenter);
        grid->addWidget(row.time, line, 3);
    }
    begin();
}

void ConnectSteps::begin()
{
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        Row &row = m_rows[i];
        row.text->setText(nameOf(static_cast<ConnectStep>(i)));
        row.time->clear();
        row.bar->hide();
        set(row, State::ToCome);
    }
}

void ConnectSteps::set(Row &row, State state)
{
    row.state = state;
    static constexpr const char *kMarks[] = {"○", "…", "✓", "✕"};
    static constexpr const char *kTrends[] = {"", "", "good", "bad"};
    row.mark->setText(QString::fromUtf8(kMarks[static_cast<int>(state)]));
    setStyleKind(row.mark, "trend", kTrends[static_cast<int>(state)]);
    setStyleKind(row.text, "muted", state == State::ToCome ? "true" : "false");
    if (state == State::Done || state == State::Stopped)
        row.bar->hide();
}

void ConnectSteps::show(const ConnectNews &news)
{
    Row &row = m_rows[static_cast<std::size_t>(news.step)];
    if (row.state == State::ToCome)
        set(row, State::Running);
    if (news.fraction >= 0 && !news.isDone) {
        row.bar->show();
        row.bar->setValue(static_cast<int>(kStepBarSteps * news.fraction));
        row.time->setText(percentText(news.fraction));
    }
    if (!news.isDone)
        return;
    if (!news.found.empty())
        row.text->setText(nameOf(news.step) + QStringLiteral(": ") + toQString(news.found));
    set(row, State::Done);
    if (news.tookMs > 0)
        row.time->setText(millisText(news.tookMs));
}

void ConnectSteps::stop()
{
    for (Row &row : m_rows)
        if (row.state == State::Running)
            set(row, State::Stopped);
}

} // namespace jetscope
