// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/style/elidingbutton.h"
#include "ui/style/shortenedlabel.h"

#include <QAbstractItemView>
#include <QAbstractScrollArea>
#include <QApplication>
#include <QComboBox>
#include <QHeaderView>
#include <QScrollBar>
#include <QStyleOption>
#include <QTabBar>
#include <QTextDocument>
#include <QToolButton>
#include <QTreeView>

namespace jetscope {

/// The texts of a window that are cut: they have less room than they need, and no tooltip has the whole. Texts that can
/// be scrolled to are not cut.
class CutTexts {
public:
    explicit CutTexts(const QWidget &window)
    {
        for (QWidget *widget : window.findChildren<QWidget *>())
            if (widget->isVisible() && !widget->size().isEmpty())
                look(*widget);
    }
    const QStringList &faults() const { return m_faults; }

private:
    static constexpr int kCardMargin = 10; ///< Left of the name on a button that has labels, too.
    static constexpr int kCellMargin = 3;  ///< Of the style, beside the text.

    static QString plain(const QString &text)
    {
        if (!Qt::mightBeRichText(text))
            return text;
        QTextDocument document;
        document.setHtml(text);
        return document.toPlainText();
    }

    /// Whether a tooltip has all words of a text.
    static bool tells(const QString &toolTip, const QString &text)
    {
        const auto simple = [](const QString &words) { return plain(words).remove(u'&').remove(u':').simplified(); };
        return simple(toolTip).contains(simple(text));
    }

    void add(const QWidget &widget, const QString &text, const QString &fault)
    {
        m_faults += QStringLiteral("%1 \"%2\" in %3: \"%4\" %5")
                        .arg(QLatin1String(widget.metaObject()->className()), widget.objectName(),
                             QLatin1String(widget.parentWidget()->metaObject()->className()), text.left(60), fault);
    }
    void need(const QWidget &widget, const QString &text, int wanted, int has, const QString &toolTip = {})
    {
        if (wanted > has && !text.isEmpty() && !(!toolTip.isEmpty() && tells(toolTip, text)))
            add(widget, text, QStringLiteral("needs %1 and has %2").arg(wanted).arg(has));
    }

    void look(QWidget &widget)
    {
        if (const auto *label = qobject_cast<QLabel *>(&widget))
            lookAtLabel(*label);
        else if (const auto *tabs = qobject_cast<QTabBar *>(&widget))
            lookAtTabs(*tabs);
        else if (const auto *titles = qobject_cast<QHeaderView *>(&widget))
            lookAtTitles(*titles);
        else if (const auto *box = qobject_cast<QComboBox *>(&widget))
            lookAtBox(*box);
        else if (const auto *view = qobject_cast<QAbstractItemView *>(&widget))
            lookAtCells(*view);
        else if (const auto *button = qobject_cast<QAbstractButton *>(&widget))
            lookAtButton(*button);
    }
    void lookAtLabel(const QLabel &label)
    {
        if (label.text().isEmpty())
            return;
        lookAtClipping(label, label.text());
        if (dynamic_cast<const ShortenedLabel *>(&label))
            return need(label, label.text(), label.fontMetrics().horizontalAdvance(label.text()),
                        label.contentsRect().width(), label.toolTip());
        if (label.wordWrap())
            return need(label, label.text(), label.heightForWidth(label.width()), label.height());
        need(label, label.text(), label.sizeHint().width(), label.width());
        need(label, label.text(), label.minimumSizeHint().height(), label.height());
    }
    void lookAtButton(const QAbstractButton &button)
    {
        const auto *tool = qobject_cast<const QToolButton *>(&button);
        if (button.text().isEmpty() || (tool && tool->toolButtonStyle() == Qt::ToolButtonIconOnly))
            return;
        lookAtClipping(button, button.text());
        const bool elides = qobject_cast<const ElidingButton *>(&button);
        const int wanted = elides ? tool->QToolButton::sizeHint().width() : button.sizeHint().width();
        need(button, button.text(), wanted, button.width(), elides ? button.toolTip() : QString());
        for (const QLabel *label : button.findChildren<QLabel *>(Qt::FindDirectChildrenOnly))
            if (label->isVisible())
                need(button, button.text(), kCardMargin + button.fontMetrics().horizontalAdvance(button.text()),
                     label->x());
    }
    void lookAtTabs(const QTabBar &tabs)
    {
        for (int i = 0; i < tabs.count(); ++i) {
            const QRect place = tabs.tabRect(i);
            if (!tabs.isTabVisible(i))
                continue;
            need(tabs, tabs.tabText(i), tabs.fontMetrics().horizontalAdvance(tabs.tabText(i)) + 8, place.width(),
                 tabs.tabToolTip(i));
            if (!tabs.usesScrollButtons() && !tabs.rect().contains(place))
                add(tabs, tabs.tabText(i), QStringLiteral("is outside of its bar"));
        }
    }
    void lookAtTitles(const QHeaderView &titles)
    {
        const auto *view = qobject_cast<const QAbstractItemView *>(titles.parentWidget());
        for (int i = 0; view && view->model() && i < titles.count(); ++i) {
            const QString text = titles.model()->headerData(i, titles.orientation()).toString();
            if (titles.isSectionHidden(i) || text.isEmpty() || titles.orientation() == Qt::Vertical)
                continue;
            need(titles, text, titles.fontMetrics().horizontalAdvance(text) + 4, titles.sectionSize(i),
                 titles.model()->headerData(i, titles.orientation(), Qt::ToolTipRole).toString());
        }
    }
    void lookAtBox(const QComboBox &box)
    {
        QStyleOptionComboBox option;
        option.initFrom(&box);
        option.editable = box.isEditable();
        const QRect room =
            box.style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, &box);
        lookAtClipping(box, box.currentText());
        need(box, box.currentText(), box.fontMetrics().horizontalAdvance(box.currentText()), room.width(),
             box.toolTip());
    }
    void lookAtCells(const QAbstractItemView &view)
    {
        if (view.model())
            lookAtRows(view, view.rootIndex());
    }
    void lookAtRows(const QAbstractItemView &view, const QModelIndex &parent)
    {
        const auto *tree = qobject_cast<const QTreeView *>(&view);
        const QRect room = view.viewport()->rect();
        for (int row = 0; row < view.model()->rowCount(parent); ++row) {
            const QModelIndex first = view.model()->index(row, 0, parent);
            for (int column = 0; column < view.model()->columnCount(parent); ++column) {
                const QModelIndex index = first.siblingAtColumn(column);
                const QRect place = view.visualRect(index);
                const QString text = index.data().toString();
                if (text.isEmpty() || view.indexWidget(index) || !place.intersects(room))
                    continue;
                const QString toolTip = index.data(Qt::ToolTipRole).toString();
                const QSize wanted = view.sizeHintForIndex(index);
                need(view, text, wanted.width(), place.width(), toolTip);
                if (view.horizontalScrollBarPolicy() == Qt::ScrollBarAlwaysOff)
                    need(view, text, place.right() - kCellMargin, room.right(), toolTip);
            }
            if (tree && tree->isExpanded(first))
                lookAtRows(view, first);
        }
    }
    /// By the widgets around it; what can be scrolled to is not cut.
    void lookAtClipping(const QWidget &widget, const QString &text)
    {
        QRect place = widget.rect();
        const QWidget *inner = &widget;
        bool across = true;
        bool down = true;
        for (const QWidget *outer = widget.parentWidget(); outer && !inner->isWindow(); outer = outer->parentWidget()) {
            place.moveTo(inner->mapToParent(place.topLeft()));
            inner = outer;
            const auto *area = qobject_cast<const QAbstractScrollArea *>(outer->parentWidget());
            if (area && area->viewport() == outer) {
                across = across && area->horizontalScrollBar()->maximum() == 0;
                down = down && area->verticalScrollBar()->maximum() == 0;
            }
            const bool cutAcross = across && (place.left() < 0 || place.right() > outer->rect().right());
            const bool cutDown = down && (place.top() < 0 || place.bottom() > outer->rect().bottom());
            if (!cutAcross && !cutDown)
                continue;
            return add(widget, text,
                       QStringLiteral("is cut by %1 \"%2\"")
                           .arg(QLatin1String(outer->metaObject()->className()), outer->objectName()));
        }
    }

    QStringList m_faults;
};

} // namespace jetscope
