// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/measure/baselinetable.h"

#include "ui/measure/pinnedcomparison.h"
#include "ui/style/icons.h"
#include "ui/style/layouts.h"
#include "ui/style/style.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

#include <QButtonGroup>
#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include <algorithm>
#include <utility>

namespace jetscope {

namespace {

enum Column { Name, Before, Now, Delta, Columns };
constexpr int kNoteLines = 2;

struct TrendLook {
    const char *kind;
    QString word;
};

TrendLook lookOf(ComparisonRow::Trend trend)
{
    switch (trend) {
    case ComparisonRow::Trend::Unknown:
        return {"same",
                BaselineTable::tr("not compared: there is no such figure, not enough frames yet, or other conditions")};
    case ComparisonRow::Trend::Same:
        return {"same", BaselineTable::tr("no difference beyond the noise")};
    case ComparisonRow::Trend::Better:
        return {"good", BaselineTable::tr("better, beyond the noise")};
    case ComparisonRow::Trend::Worse:
        return {"bad", BaselineTable::tr("worse, beyond the noise")};
    }
    return {"same", {}};
}

} // namespace

BaselineTable::BaselineTable(QWidget *parent)
    : QWidget(parent),
      m_baselines(new QButtonGroup(this)),
      m_pin(new QPushButton(glyphIcon(Glyph::Pin), QString(), this)),
      m_note(new QLabel(this)),
      m_grid(new QGridLayout)
{
    setAccessibleName(tr("Now, against the pinned baseline"));
    m_pin->setObjectName(QStringLiteral("pinBaseline"));
    m_pin->setEnabled(false);
    m_note->setObjectName(QStringLiteral("baselineNote"));
    m_note->setWordWrap(true);
    m_note->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_note->setProperty("muted", true);

    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setVerticalSpacing(0);
    m_grid->setHorizontalSpacing(0);
    const int rows = 1 + static_cast<int>(comparisonRows({}, {}, {}).size());
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < Columns; ++column) {
            auto *label = new QLabel(this);
            label->setAlignment((column == Name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
            label->setProperty("table", row == 0 ? "title" : column == Name ? "name" : "value");
            label->setContentsMargins(0, 0, 2, 0);
            m_grid->addWidget(label, row, column);
        }
    }
    m_grid->setColumnStretch(Name, 1);
    auto *column = makeInnerLayout<QVBoxLayout>(this, 6);
    column->addLayout(m_grid);
    column->addWidget(m_note);
    auto *row = new QHBoxLayout;
    row->setSpacing(6);
    auto *letters = new QHBoxLayout;
    letters->setSpacing(1);
    for (int i = 0; i < PinnedComparison::kBaselines; ++i) {
        auto *letter = new QPushButton(PinnedComparison::letter(i), this);
        letter->setObjectName(QStringLiteral("baseline") + letter->text());
        letter->setProperty("segment", true);
        letter->setCheckable(true);
        letter->setMinimumWidth(2 * fontMetrics().height());
        m_baselines->addButton(letter, i);
        letters->addWidget(letter);
    }
    row->addLayout(letters);
    row->addWidget(m_pin, 1);
    column->addLayout(row);
    setBaselines(0, {});
    connect(m_baselines, &QButtonGroup::idClicked, this, &BaselineTable::baselineWanted);
    connect(m_pin, &QPushButton::clicked, this, &BaselineTable::pinWanted);
    fixSizes();
    refresh();
}

QLabel *BaselineTable::cell(int row, int column) const
{
    return static_cast<QLabel *>(m_grid->itemAtPosition(row, column)->widget());
}

/// Fonts change with the style, so sizes are computed again.
bool BaselineTable::event(QEvent *event)
{
    const bool handled = QWidget::event(event);
    if (event->type() == QEvent::Polish || event->type() == QEvent::StyleChange
        || event->type() == QEvent::FontChange) {
        fixSizes();
        refresh();
    }
    return handled;
}

void BaselineTable::fixSizes()
{
    const int padding = fontScaled(8); // Padding of the style plus a small margin.
    QLabel *sample = cell(1, Before);
    sample->ensurePolished();
    const QFontMetrics metrics = sample->fontMetrics();
    const auto widest = [&metrics,
                         padding](std::initializer_list<QString> texts) { // Width of the longest of texts that change.
        int width = 0;
        for (const QString &text : texts)
            width = std::max(width, metrics.horizontalAdvance(text));
        return width + padding;
    };
    const int value =
        widest({QStringLiteral("≤ 88.8 ms"), QStringLiteral("88888 ms"), QStringLiteral("888888"),
                QStringLiteral("88.8 MB"), QStringLiteral("100 %"), tr("now %1").arg(QStringLiteral("EGLSync"))});
    const int delta = widest({QStringLiteral("−888 % ✓"), QStringLiteral(">+888 % ✗"), QStringLiteral("−100 pt ✓")});
    for (int row = 0; row < m_grid->rowCount(); ++row) {
        cell(row, Before)->setFixedWidth(value);
        cell(row, Now)->setFixedWidth(value);
        cell(row, Delta)->setFixedWidth(delta);
    }
    m_note->ensurePolished();
    m_note->setFixedHeight(m_note->fontMetrics().lineSpacing() * kNoteLines + 2);
}

void BaselineTable::setNow(const PresentFigures &now)
{
    m_now = now;
    refresh();
}

void BaselineTable::setComparison(const std::optional<PinnedPresent> &pinned,
                                  const std::optional<CaptureComparison> &comparison)
{
    m_pinned = pinned ? std::optional(pinned->config) : std::nullopt;
    m_counts = pinned ? std::optional(pinned->counts) : std::nullopt;
    m_isCollecting = pinned && pinned->isCollecting;
    m_comparison = pinned ? comparison : std::nullopt;
    refresh();
}

void BaselineTable::setBaselines(int chosen, const QStringList &pinned)
{
    m_letter = PinnedComparison::letter(chosen);
    m_baselines->button(chosen)->setChecked(true);
    for (QAbstractButton *button : m_baselines->buttons()) {
        const QString what = pinned.value(m_baselines->id(button));
        button->setToolTip(what.isEmpty() ? tr("Baseline %1: nothing is pinned yet").arg(button->text())
                                          : tr("Compares with baseline %1: %2").arg(button->text(), what));
        button->setAccessibleName(tr("Baseline %1").arg(button->text()));
        button->setAccessibleDescription(button->toolTip());
    }
    m_pin->setText(tr("Pin as baseline %1").arg(m_letter));
    m_pin->setToolTip(
        tr("Keeps the present figures as baseline %1, to compare later choices with (Ctrl+B)").arg(m_letter));
    m_pin->setAccessibleDescription(m_pin->toolTip());
    refresh();
}

void BaselineTable::setCanPin(const QString &reason)
{
    // There are briefly no figures after a switch. The button stays enabled meanwhile, to keep its focus.
    m_pin->setEnabled(m_pin->isEnabled() || reason.isEmpty());
}

void BaselineTable::refresh()
{
    const QString refused = m_comparison ? toQString(m_comparison->noVerdict) : QString();
    const QString legend = tr("✓ better, ✗ worse, ≈ no difference beyond the noise; more in the tab Compare");
    m_note->setText(!m_pinned               ? tr("Pin the present figures, then switch: the differences appear here.")
                        : m_isCollecting    ? tr("%1 needs more frames: change nothing yet.").arg(m_letter)
                        : refused.isEmpty() ? legend
                                            : tr("Not compared, because %1.").arg(refused));
    m_note->setToolTip(m_note->text());
    setStyleKind(m_note, "trend", refused.isEmpty() && !m_isCollecting ? "same" : "warn");
    show(comparisonRows(m_now, m_comparison, m_counts));
}

void BaselineTable::setTitle(int column, const QString &title)
{
    QLabel *label = cell(0, column);
    label->setText(label->fontMetrics().elidedText(title, Qt::ElideRight, label->width() - 6));
    label->setToolTip(title);
    label->setAccessibleName(title);
}

void BaselineTable::show(const std::vector<ComparisonRow> &rows)
{
    const ComparisonTitles titles = comparisonTitles(m_pinned.value_or(m_now.config), m_now.config);
    const QString before = m_pinned ? tr("%1 %2").arg(m_letter, titles.before) : m_letter;
    setTitle(Before, before);
    const QString title = m_pinned ? before : tr("nothing is pinned");
    if (std::exchange(m_title, title) != title)
        emit titled(title);
    setTitle(Now, tr("now %1").arg(titles.now));
    cell(0, Delta)->setText(QStringLiteral("Δ"));
    int line = 1;
    for (const ComparisonRow &row : rows) {
        cell(line, Name)->setText(row.name);
        cell(line, Before)->setText(row.before);
        cell(line, Now)->setText(row.now);
        cell(line, Now)->setToolTip(row.reason);
        QLabel *delta = cell(line, Delta);
        delta->setText(row.delta);
        const TrendLook look = lookOf(row.trend);
        delta->setToolTip(look.word);
        delta->setAccessibleName(tr("%1: %2, %3").arg(row.name, row.delta, look.word));
        setStyleKind(delta, "trend", look.kind);
        ++line;
    }
}

} // namespace jetscope
