// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/commandsearch.h"

#include "ui/style/icons.h"

#include <QApplication>
#include <QKeyEvent>
#include <QListWidget>

#include <algorithm>
#include <utility>

namespace jetscope {

namespace {

constexpr int kSearchWidth = 300;
constexpr int kListWidth = 480;
constexpr int kMaxRowsShown = 16;

} // namespace

CommandSearch::CommandSearch(Finder finder, QWidget *parent)
    : QLineEdit(parent), m_finder(std::move(finder)), m_list(new QListWidget)
{
    setObjectName(QStringLiteral("commandSearch"));
    setPlaceholderText(tr("Search spans, lanes, files, commands"));
    setAccessibleName(placeholderText());
    setToolTip(tr("Finds spans, lanes, files and commands by name (Ctrl+K)"));
    setClearButtonEnabled(true);
    setFocusPolicy(Qt::ClickFocus); // Tab goes to the workspaces; Ctrl+K comes here.
    addAction(glyphIcon(Glyph::Search), QLineEdit::LeadingPosition);
    m_list->setObjectName(QStringLiteral("searchHits"));
    m_list->setAccessibleName(tr("Found"));
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->hide();
    connect(this, &QLineEdit::textEdited, this, &CommandSearch::fill);
    connect(m_list, &QListWidget::itemClicked, this, [this](QListWidgetItem *item) { run(m_list->row(item)); });
}

/// The list belongs to the window, which may be gone already.
CommandSearch::~CommandSearch()
{
    if (!m_list->parentWidget())
        delete m_list;
}

QSize CommandSearch::sizeHint() const
{
    return {kSearchWidth, QLineEdit::sizeHint().height()};
}

void CommandSearch::begin()
{
    if (!hasFocus())
        m_before = QApplication::focusWidget();
    setFocus(Qt::ShortcutFocusReason);
    selectAll();
    fill();
}

void CommandSearch::fill()
{
    m_hits = m_finder(text().trimmed());
    m_list->clear();
    for (const SearchHit &hit : std::as_const(m_hits)) {
        auto *item = new QListWidgetItem(hit.more.isEmpty()
                                             ? QStringLiteral("%1  ·  %2").arg(hit.text, hit.kind)
                                             : QStringLiteral("%1  ·  %2  ·  %3").arg(hit.text, hit.kind, hit.more));
        item->setToolTip(item->text());
        if (!hit.enabled)
            item->setFlags(item->flags() & ~Qt::ItemIsEnabled);
        m_list->addItem(item);
    }
    if (!m_hits.isEmpty())
        m_list->setCurrentRow(0);
    place();
}

void CommandSearch::place()
{
    if (m_hits.isEmpty() || !hasFocus()) {
        m_list->hide();
        return;
    }
    if (m_list->parentWidget() != window())
        m_list->setParent(window());
    const int width = std::min(kListWidth, window()->width());
    const QPoint below = mapTo(window(), QPoint(0, height() + 2));
    const int rows = std::min(m_list->count(), kMaxRowsShown);
    const int height = rows * m_list->sizeHintForRow(0) + 2 * m_list->frameWidth();
    m_list->setGeometry(std::clamp(below.x() + this->width() - width, 0, window()->width() - width), below.y(), width,
                        std::min(height, window()->height() - below.y()));
    m_list->show();
    m_list->raise();
}

void CommandSearch::step(int by)
{
    if (m_list->count() > 0)
        m_list->setCurrentRow((m_list->currentRow() + by + m_list->count()) % m_list->count());
    setAccessibleDescription(m_list->currentItem() ? m_list->currentItem()->text() : QString());
}

/// Copied, because what it does may change the hits.
void CommandSearch::run(int row)
{
    if (row < 0 || row >= m_hits.size() || !m_hits[row].enabled)
        return;
    const std::function<void()> run = m_hits[row].run;
    leave();
    run();
}

void CommandSearch::leave()
{
    clear();
    m_list->hide();
    if (m_before && m_before->isVisible())
        m_before->setFocus();
    else
        clearFocus();
}

/// Keys of the window are not for it while one types.
bool CommandSearch::event(QEvent *event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        const auto *key = static_cast<QKeyEvent *>(event);
        if (key->key() == Qt::Key_Escape || key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            event->accept();
            return true;
        }
    }
    return QLineEdit::event(event);
}

void CommandSearch::keyPressEvent(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_Down:
        return step(1);
    case Qt::Key_Up:
        return step(-1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return run(m_list->currentRow());
    case Qt::Key_Escape:
        return leave();
    default:
        QLineEdit::keyPressEvent(event);
    }
}

void CommandSearch::focusInEvent(QFocusEvent *event)
{
    QLineEdit::focusInEvent(event);
    if (event->reason() == Qt::MouseFocusReason)
        fill();
}

void CommandSearch::focusOutEvent(QFocusEvent *event)
{
    QLineEdit::focusOutEvent(event);
    m_list->hide();
}

} // namespace jetscope
