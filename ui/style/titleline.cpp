// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/style/titleline.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace jetscope {

TitleLine::TitleLine(QWidget *parent)
    : HeadLine(parent),
      m_title(makeLabel("traceTitle")),
      m_facts(makeLabel("traceFacts")),
      m_notes(new QPushButton(this)),
      m_frames(new QPushButton(tr("Frames are…"), this))
{
    m_notes->setObjectName(QStringLiteral("traceNotes"));
    m_frames->setObjectName(QStringLiteral("chooseFrames"));
    m_frames->setToolTip(tr("Chooses the ranges or marks that are the frames of this trace"));
    for (QPushButton *button : {m_notes, m_frames})
        button->setProperty("chip", true);
    connect(m_notes, &QPushButton::clicked, this, &TitleLine::notesWanted);
    connect(m_frames, &QPushButton::clicked, this, &TitleLine::framesWanted);
    setNotes({}, false);
    setObjectName(QStringLiteral("traceTitleLine"));
    m_title->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    auto *row = new QHBoxLayout;
    row->setSpacing(12);
    row->addWidget(m_title);
    row->addWidget(m_facts, 1);
    row->addWidget(m_notes);
    row->addWidget(m_frames);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(14, 4, 14, 4);
    column->setSpacing(2);
    column->addLayout(row);
    column->addWidget(verdict());
}

void TitleLine::setTitle(const QString &title, const QString &facts)
{
    m_title->setText(title);
    m_title->setToolTip(title);
    m_facts->setText(facts);
    m_facts->setToolTip(facts);
}

void TitleLine::setNotes(const QStringList &notes, bool frames)
{
    constexpr int kMaxNoteWidth = 340;
    m_notes->setVisible(!notes.isEmpty());
    m_frames->setVisible(frames);
    const QString all = notes.join(u'\n');
    const QString first = notes.isEmpty() ? QString() : notes.front();
    m_notes->setText(
        fontMetrics().elidedText(first, Qt::ElideRight, kMaxNoteWidth).replace(u'&', QStringLiteral("&&")));
    m_notes->setToolTip(all + u'\n' + tr("A click opens the tab File."));
    m_notes->setAccessibleDescription(all);
}

QString TitleLine::title() const
{
    return m_title->text();
}

QString TitleLine::facts() const
{
    return m_facts->text();
}

} // namespace jetscope
