// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/board/extensionlist.h"

#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QVBoxLayout>

namespace jetscope {

ExtensionList::ExtensionList(QWidget *parent)
    : QWidget(parent), m_search(new QLineEdit), m_count(new QLabel), m_list(new QListWidget)
{
    m_search->setPlaceholderText(tr("Search extensions"));
    m_search->setAccessibleName(tr("Search extensions"));
    m_search->setToolTip(tr("Shows the names that contain this text, in any case"));
    m_search->setClearButtonEnabled(true);
    m_list->setAccessibleName(tr("Extensions"));
    m_list->setUniformItemSizes(true);
    m_count->setProperty("muted", true);
    auto *head = new QHBoxLayout;
    head->addWidget(m_search, 1);
    head->addWidget(m_count);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(12, 6, 12, 6);
    column->addLayout(head);
    column->addWidget(m_list, 1);
    connect(m_search, &QLineEdit::textChanged, this, &ExtensionList::search);
}

void ExtensionList::show(const QString &egl, const QString &gl)
{
    QStringList names = (egl + u' ' + gl).split(u' ', Qt::SkipEmptyParts);
    names.sort();
    m_list->clear();
    m_list->addItems(names);
    search();
}

QStringList ExtensionList::shown() const
{
    QStringList names;
    for (int i = 0; i < m_list->count(); ++i)
        if (!m_list->item(i)->isHidden())
            names.append(m_list->item(i)->text());
    return names;
}

void ExtensionList::search()
{
    int found = 0;
    for (int i = 0; i < m_list->count(); ++i) {
        const bool wanted = m_list->item(i)->text().contains(m_search->text().trimmed(), Qt::CaseInsensitive);
        m_list->item(i)->setHidden(!wanted);
        found += wanted ? 1 : 0;
    }
    m_count->setText(tr("%1 of %2").arg(found).arg(m_list->count()));
}

} // namespace jetscope
