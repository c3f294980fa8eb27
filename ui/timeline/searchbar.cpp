// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/searchbar.h"

#include "ui/style/icons.h"
#include "ui/style/text.h"
#include "ui/timeline/hitlist.h"

#include <QElapsedTimer>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QVBoxLayout>

namespace jetscope {

namespace {

constexpr std::uint64_t kSpansAtOnce = 20'000;
constexpr qint64 kSliceNs = 3'000'000;

} // namespace

SearchBar::SearchBar(const Trace &trace, std::function<Interval()> view, QWidget *parent)
    : QFrame(parent),
      m_trace(trace),
      m_view(std::move(view)),
      m_search(trace),
      m_text(new QLineEdit(this)),
      m_status(new QLabel(this)),
      m_figures(new QLabel(this)),
      m_list(new QToolButton(this)),
      m_hits(new HitList(trace, this))
{
    setObjectName(QStringLiteral("searchBar"));
    setCursor(Qt::ArrowCursor);
    m_text->setPlaceholderText(tr("Name of a span, > 2 ms"));
    m_text->setToolTip(tr("A part of the name; with \"> 2 ms\" behind it, or alone, spans that are longer than that"));
    m_text->setAccessibleName(tr("Find spans by name"));
    m_text->setFixedWidth(170);
    m_status->setProperty("muted", true);
    m_status->setMinimumWidth(110);
    m_status->setAlignment(Qt::AlignCenter);
    const auto button = [this](Glyph glyph, const QString &tip, auto clicked) {
        auto *out = new QToolButton(this);
        out->setIcon(glyphIcon(glyph));
        out->setToolTip(tip);
        out->setAccessibleName(tip);
        connect(out, &QToolButton::clicked, this, clicked);
        return out;
    };
    m_figures->setProperty("muted", true);
    m_figures->setAlignment(Qt::AlignCenter);
    m_figures->setTextFormat(Qt::PlainText);
    m_figures->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_figures->setAccessibleName(tr("Durations of all spans found"));
    m_figures->setToolTip(tr("Of all spans whose name contains the text; percentiles to within 0.1 %"));
    m_figures->hide();
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(6, 4, 6, 4);
    column->setSpacing(2);
    auto *row = new QHBoxLayout;
    row->setSpacing(4);
    column->addLayout(row);
    column->addWidget(m_figures);
    row->addWidget(m_text);
    row->addWidget(m_status);
    row->addWidget(button(Glyph::Up, tr("Previous (Shift+Enter)"), [this] { find(-1); }));
    row->addWidget(button(Glyph::Down, tr("Next (Enter)"), [this] { find(1); }));
    m_list->setText(tr("List"));
    m_list->setCheckable(true);
    m_list->setToolTip(tr("Lists the longest spans found, with their lanes and times (Down)"));
    row->addWidget(m_list);
    row->addWidget(button(Glyph::Close, tr("Close (Esc)"), [this] { close(); }));
    m_hits->hide();
    column->addWidget(m_hits);
    connect(m_list, &QToolButton::toggled, this, &SearchBar::setListShown);
    connect(m_hits, &HitList::wanted, this, &SearchBar::goTo);
    connect(m_text, &QLineEdit::textChanged, this, &SearchBar::setText);
    m_counting.setInterval(0);
    connect(&m_counting, &QTimer::timeout, this, &SearchBar::count);
    hide();
}

void SearchBar::begin()
{
    m_fromNs = m_view().startNs;
    m_at.reset();
    show();
    raise();
    m_text->setFocus();
    m_text->selectAll();
    traceChanged();
    if (m_trace.distant())
        setText(m_text->text());
}

void SearchBar::beginWith(const QString &text)
{
    begin();
    m_text->setText(text);
    find(1);
}

void SearchBar::setText(const QString &text)
{
    m_search.setText(text.trimmed().toStdString());
    m_at.reset();
    m_done = false;
    m_wanted = 1;
    m_asked = false;
    m_listed.invalidate();
    if (m_trace.distant())
        askBoard(1);
    else
        m_counting.start();
    showStatus();
}

/// At least as wide as the field; in a narrow view the names are elided.
void SearchBar::setListShown(bool on)
{
    constexpr int kHitsWidth = 32; ///< In heights of a line.
    constexpr int kHitsHeight = 14;
    const int line = fontMetrics().height();
    m_hits->setMinimumWidth(std::min(kHitsWidth * line, parentWidget()->width() - 2 * line));
    m_hits->setFixedHeight(std::min(kHitsHeight * line, std::max(4 * line, parentWidget()->height() - 8 * line)));
    m_hits->setVisible(on);
    m_list->setChecked(on);
    m_listed.invalidate();
    if (on && m_trace.distant() && !m_search.isEmpty())
        askBoard(0);
    showHits();
    emit resized();
}

/// A live trace is counted again all the time, in which nobody could read or choose.
void SearchBar::showHits()
{
    constexpr qint64 kCalmMs = 1000;
    if (m_hits->isHidden() || !m_done || (m_listed.isValid() && m_listed.elapsed() < kCalmMs))
        return;
    m_listed.start();
    m_hits->setHits(report().longest);
}

void SearchBar::goTo(const SpanPlace &hit)
{
    m_at = hit;
    if (m_trace.distant())
        askBoard(0); // It knows its number among all.
    showStatus();
    emit found(hit, true);
}

void SearchBar::traceChanged()
{
    if (isHidden() || m_search.isEmpty() || m_trace.distant())
        return;
    m_done = false;
    m_counting.start();
}

void SearchBar::traceReplaced()
{
    m_far.cancel();
    m_counting.stop();
    m_search.setText(m_text->text().trimmed().toStdString()); // What it knows is of the former trace, by its names.
    m_said = {};
    m_done = true;
    m_at.reset();
    m_hits->setHits({});
    m_listed.invalidate();
    traceChanged();
    if (m_trace.distant() && !isHidden() && !m_search.isEmpty())
        askBoard(0);
    showStatus();
}

void SearchBar::count()
{
    QElapsedTimer slice;
    slice.start();
    while (!m_done && slice.nsecsElapsed() < kSliceNs)
        m_done = m_search.advance(kSpansAtOnce);
    if (m_done) {
        m_counting.stop();
        if (const int direction = std::exchange(m_wanted, 0))
            go(direction);
    }
    showStatus();
}

void SearchBar::find(int direction)
{
    m_asked = true;
    if (m_trace.distant())
        askBoard(direction);
    else if (m_done)
        go(direction);
    else
        m_wanted = direction;
}

/// The search goes on at what was found last, unless the user has gone elsewhere.
bool SearchBar::isSeen() const
{
    const Interval view = m_view();
    return m_at && m_at->bar.span.startNs < view.endNs && m_at->bar.span.endNs() >= view.startNs;
}

/// A span that starts exactly at the left edge of the view counts as a match.
std::int64_t SearchBar::edgeNs(int direction) const
{
    const Interval view = m_view();
    return direction < 0 ? view.endNs : (m_asked ? view.startNs : m_fromNs) - 1;
}

void SearchBar::go(int direction)
{
    const auto next =
        isSeen() ? m_search.nextOrFirst(*m_at, direction) : m_search.nextOrFirst(edgeNs(direction), direction);
    m_at = next;
    showStatus();
    if (next)
        emit found(*next, m_asked);
}

/// Direction 0: to know all of what was found, and its number among it.
void SearchBar::askBoard(int direction)
{
    if (m_search.isEmpty())
        return m_far.cancel();
    FigureWish wish;
    wish.kind = FigureWish::Kind::Search;
    wish.text = m_text->text().trimmed().toStdString();
    wish.text.resize(std::min(wish.text.size(), kMostSearchBytes));
    wish.direction = static_cast<std::int8_t>(direction);
    wish.fromNs = edgeNs(direction);
    wish.hasSpan = m_at && (direction == 0 || isSeen());
    if (wish.hasSpan) {
        wish.track = static_cast<std::uint32_t>(m_at->track);
        wish.index = m_at->bar.index;
    }
    wish.wantsList = !m_hits->isHidden();
    m_done = false;
    m_far.ask(*m_trace.distant(), FigureSeat::Search, wish,
              [this, direction, asked = m_asked](const FigureAnswer &answer) {
                  m_said = *answer.search;
                  m_done = true;
                  m_listed.invalidate();
                  if (direction != 0)
                      m_at = answer.span;
                  showStatus();
                  if (direction != 0 && m_at)
                      emit found(*m_at, asked);
              });
    showStatus();
}

/// So far; the number of the span that was found is exact at the end.
SearchReport SearchBar::report() const
{
    if (m_trace.distant())
        return m_said;
    const DurationDistribution &durations = m_search.durations();
    SearchReport report;
    report.count = m_search.count();
    if (m_at)
        report.position = m_done ? m_search.positionOf(*m_at) : m_search.countUntil(m_at->bar.span.startNs);
    if (m_done) {
        report.totalNs = durations.totalNs();
        report.medianNs = durations.quantileNs(0.50);
        report.p95Ns = durations.quantileNs(0.95);
        report.p99Ns = durations.quantileNs(0.99);
        report.maxNs = durations.maxNs();
        report.longest = m_search.longest();
    }
    return report;
}

QString SearchBar::status() const
{
    return m_status->text();
}

QString SearchBar::figures() const
{
    return m_figures->isHidden() ? QString() : m_figures->text();
}

/// Keeps the previous figures while counting; a live trace is counted again all the time.
void SearchBar::showFigures(const SearchReport &report)
{
    if (m_done)
        m_figures->setText(tr("total %1 · median %2 · p95 %3 · p99 %4 · longest %5")
                               .arg(durationText(report.totalNs), durationText(report.medianNs),
                                    durationText(report.p95Ns), durationText(report.p99Ns),
                                    durationText(report.maxNs)));
    m_figures->setMinimumWidth(std::max(m_figures->minimumWidth(), m_figures->sizeHint().width())); // Never shrinks.
    m_figures->setVisible(report.count > 0 && (m_done || !m_figures->isHidden()));
    if (sizeHint() != size())
        emit resized();
}

void SearchBar::showStatus()
{
    const SearchReport now = report();
    showFigures(now);
    showHits();
    if (m_search.isEmpty())
        m_status->setText({});
    else if (!m_done)
        m_status->setText(m_trace.distant() ? tr("the board looks…") : tr("%L1 so far…").arg(now.count));
    else if (now.count == 0)
        m_status->setText(tr("none"));
    else if (m_at)
        m_status->setText(tr("%L1 of %L2").arg(now.position).arg(now.count));
    else
        m_status->setText(tr("%L1").arg(now.count));
}

void SearchBar::keyPressEvent(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_Down:
        setListShown(true);
        m_hits->setFocus();
        if (!m_hits->currentIndex().isValid())
            m_hits->selectRow(0);
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_hits->hasFocus())
            break; // The list has gone to its row.
        find(event->modifiers().testFlag(Qt::ShiftModifier) ? -1 : 1);
        break;
    case Qt::Key_Escape:
        close();
        break;
    default:
        break; // Other keys must not reach the timeline while the field has the focus.
    }
}

void SearchBar::close()
{
    m_counting.stop();
    hide();
    emit closed();
}

} // namespace jetscope
