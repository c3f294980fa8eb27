// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/measure/probedialog.h"

#include "core/measure/probe/probejson.h"
#include "ui/measure/measurement.h"
#include "ui/measure/probehtml.h"
#include "ui/style/readablesize.h"
#include "ui/style/text.h"

#include <QHBoxLayout>
#include <QJsonDocument>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace jetscope {

namespace {

QString probedWords(const ProbeTable &table)
{
    return ProbeDialog::tr("<p>Of %1, at %2. The figures are in Lab, on the page Probe.</p>")
               .arg(toQString(table.device.name).toHtmlEscaped(), toQString(table.date).toHtmlEscaped())
        + probeFindingsHtml(table);
}

} // namespace

ProbeDialog::ProbeDialog(QWidget *parent)
    : MeasuringDialog({tr("Progress of the probe"), tr("Probes the pipeline's device"),
                       tr("Ends the probe without a result"), tr("The probe failed: %1"),
                       tr("The probe was ended before it had a result.")},
                      parent),
      m_result(new QTextBrowser)
{
    setWindowTitle(tr("Probe"));
    setObjectName(QStringLiteral("probeDialog"));
    auto *about = new QLabel(tr("Measures how fast CPU and GPU read and write each memory kind, copies by size, "
                                "launches, waits, hand-overs and registrations. Takes a quarter of a minute on a GPU.")
                             + u' ' + Measurement::closesThePipeline());
    about->setWordWrap(true);
    m_result->setAccessibleName(tr("What was found"));
    auto *head = new QHBoxLayout;
    head->addWidget(bar(), 1);
    head->addWidget(startButton());
    auto *column = new QVBoxLayout(this);
    column->addWidget(about);
    column->addLayout(head);
    column->addWidget(m_result, 1);
    column->addLayout(makeEnds());
    new ReadableSize(*this);
    resize(40 * fontMetrics().height(), 26 * fontMetrics().height());
    showButtons();
}

void ProbeDialog::begin()
{
    m_result->clear();
    begun();
}

void ProbeDialog::take(const QJsonObject &line)
{
    if (line["event"].toString() == QStringLiteral("progress"))
        return showProgress(line, tr("%1 rounds measured").arg(line["rounds"].toInt()));
    const Result<ProbeTable> table = probeOf(QJsonDocument(line).toJson(QJsonDocument::Compact).toStdString());
    if (!table.ok())
        return;
    m_result->setHtml(probedWords(table.value()));
    showResult({});
    emit measured(table.value());
}

} // namespace jetscope
