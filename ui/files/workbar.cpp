// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/files/workbar.h"

#include "ui/session/backgroundjob.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

namespace jetscope {

WorkBar::WorkBar(BackgroundJob &job, QWidget *parent)
    : QFrame(parent),
      m_text(new QLabel(this)),
      m_progress(new QProgressBar(this)),
      m_cancel(new QPushButton(tr("Cancel"), this))
{
    setObjectName(QStringLiteral("workBar"));
    setAttribute(Qt::WA_StyledBackground);
    m_text->setTextFormat(Qt::PlainText);
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_progress->setFixedHeight(6);
    m_progress->setAccessibleName(tr("Progress"));
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(12, 4, 12, 4);
    row->addWidget(m_text);
    row->addWidget(m_progress, 1);
    row->addWidget(m_cancel);
    hide();
    connect(&job, &BackgroundJob::started, this, [this, &job](const QString &what) {
        m_text->setText(what);
        m_progress->setValue(0);
        m_cancel->setEnabled(true);
        m_cancel->setToolTip(job.cancelHelp());
        show();
    });
    connect(&job, &BackgroundJob::told, m_text, &QLabel::setText);
    connect(&job, &BackgroundJob::progressed, this,
            [this](double fraction) { m_progress->setValue(static_cast<int>(fraction * 1000)); });
    connect(&job, &BackgroundJob::ended, this, &QWidget::hide);
    connect(m_cancel, &QPushButton::clicked, this, [this, &job] {
        m_cancel->setEnabled(false);
        job.cancel();
    });
}

} // namespace jetscope
