// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/experimentspage.h"

#include "core/measure/probe/experiment.h"
#include "ui/style/layouts.h"
#include "ui/style/text.h"

#include <QListWidget>
#include <QPushButton>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace jetscope {

ExperimentsPage::ExperimentsPage(QWidget *parent)
    : QWidget(parent), m_list(new QListWidget), m_about(new QTextBrowser), m_run(new QPushButton(tr("Open…")))
{
    setObjectName(QStringLiteral("experimentsPage"));
    auto *column = makeInnerLayout<QVBoxLayout>(this, 8);
    m_list->setAccessibleName(tr("Experiments"));
    for (const ExperimentInfo &info : experimentTable()) {
        auto *item = new QListWidgetItem(toQString(info.question), m_list);
        item->setData(Qt::UserRole, toQString(info.name));
    }
    column->addWidget(m_list, 3);
    m_about->setAccessibleName(tr("About the experiment"));
    m_about->setFrameShape(QFrame::NoFrame);
    column->addWidget(m_about, 1);
    m_run->setToolTip(tr("Opens the experiment, which can then be run on the pipeline's device"));
    column->addWidget(m_run, 0, Qt::AlignLeft);
    connect(m_list, &QListWidget::currentRowChanged, this, &ExperimentsPage::describe);
    connect(m_list, &QListWidget::itemActivated, this, [this] { emit experimentWanted(name()); });
    connect(m_run, &QPushButton::clicked, this, [this] { emit experimentWanted(name()); });
    m_list->setCurrentRow(0);
}

QString ExperimentsPage::name() const
{
    return m_list->currentItem()->data(Qt::UserRole).toString();
}

void ExperimentsPage::describe()
{
    const ExperimentInfo &info = *experimentNamed(name().toStdString());
    m_about->setHtml(tr("<p><b>%1</b></p><p>What differs: %2.<br>Takes %3. On the command line: jetscope experiment "
                        "%4</p><p>%5</p>")
                         .arg(toQString(info.question).toHtmlEscaped(), toQString(info.varies).toHtmlEscaped(),
                              toQString(info.lasts).toHtmlEscaped(), toQString(info.name).toHtmlEscaped(),
                              toQString(info.teaches).toHtmlEscaped()));
}

} // namespace jetscope
