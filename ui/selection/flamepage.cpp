// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/selection/flamepage.h"

#include "ui/selection/sharebar.h"
#include "ui/style/shortenedlabel.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include <utility>

namespace jetscope {

FlamePage::FlamePage(QWidget *parent)
    : QWidget(parent),
      m_gpu(new QPushButton(tr("GPU"))),
      m_reverse(new QPushButton(tr("Callers below"))),
      m_view(new FlameView),
      m_text(new ShortenedLabel)
{
    for (QPushButton *button : {m_gpu, m_reverse}) {
        button->setCheckable(true);
        button->setProperty("segment", true);
    }
    m_gpu->setToolTip(tr("Work of the GPU in place of that of the threads"));
    m_reverse->setToolTip(tr("Begins with the names in which the time was spent; below each are its callers"));
    m_text->setTextFormat(Qt::PlainText);
    auto *row = new QHBoxLayout;
    row->setSpacing(4);
    row->addWidget(m_gpu);
    row->addWidget(m_reverse);
    row->addStretch(1);
    setMinimumWidth(kLeastPanelWidth);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(10, 6, 10, 6);
    column->setSpacing(5);
    column->addLayout(row);
    column->addWidget(m_text);
    column->addWidget(m_view, 1);
    connect(m_gpu, &QPushButton::clicked, this, &FlamePage::lanesChosen);
    connect(m_reverse, &QPushButton::clicked, this, &FlamePage::showTree);
    connect(m_view, &FlameView::described, this, [this](const QString &text) {
        m_text->setText(text);
        m_text->setToolTip(text);
    });
}

FlameLanes FlamePage::lanes() const
{
    return m_gpu->isChecked() ? FlameLanes::Gpu : FlameLanes::Cpu;
}

void FlamePage::setReversed(bool reversed)
{
    m_reverse->setChecked(reversed);
    showTree();
}

void FlamePage::show(std::shared_ptr<const Trace> trace, std::shared_ptr<const FlameTree> forward,
                     std::shared_ptr<const FlameTree> reversed)
{
    m_trace = std::move(trace);
    m_forward = std::move(forward);
    m_reversed = std::move(reversed);
    showTree();
}

void FlamePage::showTree()
{
    m_view->show(m_trace, m_reverse->isChecked() ? m_reversed : m_forward);
}

} // namespace jetscope
