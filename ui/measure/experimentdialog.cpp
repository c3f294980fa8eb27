// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/measure/experimentdialog.h"

#include "core/measure/probe/experiment.h"
#include "ui/measure/measurement.h"
#include "ui/style/readablesize.h"
#include "ui/style/text.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTextBrowser>
#include <QVBoxLayout>

#include <algorithm>

namespace jetscope {

namespace {

QString escaped(const QJsonValue &text)
{
    return text.toString().toHtmlEscaped();
}

/// "12.3 us ±4 %": a median, and how far its 99 % interval reaches to the farther side.
QString figureWords(const QJsonObject &figure)
{
    if (figure.contains(QStringLiteral("unavailable")))
        return ExperimentDialog::tr("not measured");
    const double value = figure["value"].toDouble();
    QString text =
        QStringLiteral("%1 %2").arg(QString::number(value, 'g', 4), figure["unit"].toString().toHtmlEscaped());
    if (figure["at_least"].isDouble() && figure["at_most"].isDouble() && value > 0) {
        const double half = std::max(value - figure["at_least"].toDouble(), figure["at_most"].toDouble() - value);
        text += QStringLiteral(" ±%1 %").arg(QString::number(100 * half / value, 'f', 0));
    }
    return text;
}

QString variantsTable(const QJsonArray &variants)
{
    QString rows;
    for (const QJsonValue &variant : variants) {
        const QJsonArray figures = variant["figures"].toArray();
        if (rows.isEmpty()) {
            rows = QStringLiteral("<tr><th align=left>%1</th>").arg(ExperimentDialog::tr("Variant"));
            for (const QJsonValue &figure : figures)
                rows += QStringLiteral("<th align=right>%1</th>").arg(escaped(figure["column"]));
            rows += QStringLiteral("</tr>");
        }
        rows += QStringLiteral("<tr><td>%1</td>").arg(escaped(variant["name"]));
        QString why;
        for (const QJsonValue &figure : figures) {
            rows += QStringLiteral("<td align=right>%1</td>").arg(figureWords(figure.toObject()));
            why = escaped(figure["unavailable"]);
        }
        rows += QStringLiteral("</tr>");
        if (!why.isEmpty())
            rows += QStringLiteral("<tr><td colspan=%1><i>%2</i></td></tr>").arg(figures.size() + 1).arg(why);
    }
    return QStringLiteral("<table cellspacing=0 cellpadding=4 width=\"100%\">%1</table>").arg(rows);
}

QString resultPage(const QJsonObject &result)
{
    if (result.contains(QStringLiteral("unavailable")))
        return ExperimentDialog::tr("<p>This device cannot do it: %1</p>").arg(escaped(result["unavailable"]));
    QString page = ExperimentDialog::tr("<p>On %1, %2 rounds; medians with their 99 % interval.</p>")
                       .arg(escaped(result["device"]))
                       .arg(result["rounds"].toInt())
        + variantsTable(result["variants"].toArray());
    QString sentences;
    if (!result["answer"].toString().isEmpty())
        sentences += QStringLiteral("<li>%1</li>").arg(escaped(result["answer"]));
    for (const QJsonValue &conclusion : result["conclusions"].toArray())
        sentences += QStringLiteral("<li>%1</li>").arg(escaped(conclusion["text"]));
    page += ExperimentDialog::tr("<p><b>Conclusion</b></p><ul>%1</ul>")
                .arg(sentences.isEmpty() ? ExperimentDialog::tr("<li>There is nothing to compare.</li>") : sentences);
    return page + QStringLiteral("<p>%1</p>").arg(escaped(result["teaches"]));
}

} // namespace

ExperimentDialog::ExperimentDialog(QWidget *parent)
    : MeasuringDialog({tr("Progress of the experiment"), tr("Runs the experiment on the pipeline's device"),
                       tr("Ends the experiment without a result"), tr("The experiment failed: %1"),
                       tr("The experiment was ended before it had a result.")},
                      parent),
      m_names(new QComboBox),
      m_about(new QLabel),
      m_result(new QTextBrowser)
{
    setWindowTitle(tr("Experiments"));
    setObjectName(QStringLiteral("experimentDialog"));
    for (const ExperimentInfo &info : experimentTable())
        m_names->addItem(toQString(info.question), toQString(info.name));
    m_names->setAccessibleName(tr("Experiment"));
    m_about->setWordWrap(true);
    m_about->setTextFormat(Qt::PlainText);
    m_result->setAccessibleName(tr("Figures and conclusion"));
    m_result->setObjectName(QStringLiteral("experimentResult"));
    auto *choice = new QHBoxLayout;
    choice->addWidget(m_names, 1);
    choice->addWidget(startButton());
    auto *head = new QVBoxLayout;
    head->addLayout(choice);
    head->addWidget(bar());
    auto *column = new QVBoxLayout(this);
    column->addLayout(head);
    column->addWidget(m_about);
    column->addWidget(m_result, 1);
    column->addLayout(makeEnds());
    new ReadableSize(*this);
    resize(46 * fontMetrics().height(), 32 * fontMetrics().height());
    connect(m_names, &QComboBox::currentIndexChanged, this, &ExperimentDialog::describe);
    describe();
    showButtons();
}

void ExperimentDialog::wantStart()
{
    emit started(m_names->currentData().toString());
}

void ExperimentDialog::describe()
{
    const ExperimentInfo &info = experimentTable()[static_cast<std::size_t>(std::max(0, m_names->currentIndex()))];
    m_about->setText(tr("Varied: %1. Takes %2.").arg(toQString(info.varies), toQString(info.lasts)) + u' '
                     + Measurement::closesThePipeline());
    m_names->setToolTip(toQString(info.teaches));
}

void ExperimentDialog::showButtons()
{
    MeasuringDialog::showButtons();
    m_names->setEnabled(!isRunning());
}

void ExperimentDialog::begin()
{
    m_result->clear();
    begun();
}

void ExperimentDialog::take(const QJsonObject &line)
{
    if (line["event"].toString() == QStringLiteral("progress")) {
        showProgress(line, tr("%1 rounds measured").arg(line["rounds"].toInt()));
    } else if (line.contains(QStringLiteral("experiment"))) {
        m_result->setHtml(resultPage(line));
        showResult({});
    }
}

} // namespace jetscope
