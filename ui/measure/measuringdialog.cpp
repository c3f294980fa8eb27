// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/measure/measuringdialog.h"

#include <QHBoxLayout>
#include <QJsonObject>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

#include <utility>

namespace jetscope {

MeasuringDialog::MeasuringDialog(Words words, QWidget *parent)
    : QDialog(parent),
      m_words(std::move(words)),
      m_start(new QPushButton),
      m_bar(new QProgressBar),
      m_status(new QLabel)
{
    m_start->setObjectName(QStringLiteral("startMeasuring"));
    m_bar->setRange(0, 1000);
    m_bar->setTextVisible(false);
    m_bar->setFixedHeight(6);
    m_bar->setAccessibleName(m_words.measures);
    m_status->setWordWrap(true);
    m_status->setTextFormat(Qt::PlainText);
    connect(m_start, &QPushButton::clicked, this, [this] {
        if (m_running)
            emit cancelled();
        else
            wantStart();
    });
}

QHBoxLayout *MeasuringDialog::makeEnds(QPushButton *further)
{
    auto *close = new QPushButton(tr("Close"));
    connect(close, &QPushButton::clicked, this, &QDialog::close);
    auto *ends = new QHBoxLayout;
    ends->addWidget(m_status, 1);
    for (QPushButton *button : {further, close}) {
        if (!button)
            continue;
        button->setAutoDefault(false);
        ends->addWidget(button);
    }
    return ends;
}

void MeasuringDialog::setPossible(bool possible, const QString &reason)
{
    m_possible = possible;
    m_reason = reason;
    showButtons();
}

void MeasuringDialog::showButtons()
{
    m_start->setText(m_running ? tr("Stop") : tr("Start"));
    m_start->setToolTip(m_running ? m_words.stops : m_possible ? m_words.starts : m_reason);
    m_start->setEnabled(m_running || m_possible);
}

void MeasuringDialog::begun()
{
    m_running = true;
    m_hasResult = false;
    m_bar->setValue(0);
    m_status->setText(tr("Starting…"));
    showButtons();
}

void MeasuringDialog::showProgress(const QJsonObject &line, const QString &status)
{
    m_bar->setValue(static_cast<int>(line["progress"].toDouble() * 1000));
    m_status->setText(status);
}

void MeasuringDialog::showResult(const QString &status)
{
    m_hasResult = true;
    m_bar->setValue(1000);
    m_status->setText(status);
}

/// Also a command that was ended early may have a result.
void MeasuringDialog::end(const ChildEnding &ending)
{
    m_running = false;
    if (!m_hasResult)
        m_status->setText(ending.kind == ChildEnding::Kind::Failed ? m_words.failed.arg(ending.text) : m_words.nothing);
    showButtons();
}

QString MeasuringDialog::status() const
{
    return m_status->text();
}

} // namespace jetscope
