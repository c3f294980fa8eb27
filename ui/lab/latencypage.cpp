// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/latencypage.h"

#include "core/text/numbertext.h"
#include "gpu/lab/latencyfeed.h"
#include "gpu/sources/severaladdress.h"
#include "ui/lab/clockview.h"
#include "ui/lab/latencychart.h"
#include "ui/lab/latencycolors.h"
#include "ui/lab/seenclock.h"
#include "ui/lab/waterfallview.h"
#include "ui/session/session.h"
#include "ui/style/layouts.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"
#include "ui/style/titleline.h"

#include <QComboBox>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScreen>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

constexpr int kLatencyRefreshMs = 250;

QLabel *captionLabel()
{
    auto *label = new QLabel;
    label->setProperty("caption", true);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    return label;
}

/// Some have no name, such as those of a platform without screens.
QString nameOfScreen(const QScreen &screen)
{
    const qsizetype number = QGuiApplication::screens().indexOf(&screen) + 1;
    return screen.name().isEmpty() ? LatencyPage::tr("screen %1").arg(number) : screen.name();
}

QString millis(double value)
{
    return LatencyPage::tr("%1 ms").arg(value, 0, 'f', 1);
}

} // namespace

LatencyPage::LatencyPage(Session &session, const CameraWatch &cameras, QWidget *parent)
    : QWidget(parent),
      m_session(session),
      m_cameras(cameras),
      m_log(std::make_shared<ShownLog>()),
      m_head(new TitleLine),
      m_clock(new ClockView(m_log)),
      m_seen(new SeenClock),
      m_clockText(captionLabel()),
      m_seenText(captionLabel()),
      m_number(new QLabel),
      m_more(captionLabel()),
      m_chart(new LatencyChart),
      m_waterfall(new WaterfallView),
      m_order(new QComboBox),
      m_parts(new QTableWidget(static_cast<int>(kLatencyParts) + 1, 4)),
      m_start(new QPushButton),
      m_report(new QPushButton(tr("Report…"))),
      m_range(new QPushButton),
      m_screens(new QComboBox),
      m_camera(new QComboBox)
{
    setObjectName(QStringLiteral("latencyPage"));
    auto *column = makeInnerLayout<QVBoxLayout>(this, 0);
    column->addWidget(m_head);
    column->addWidget(makeTools());
    column->addWidget(makeChoices());
    column->addWidget(makeTop());
    column->addWidget(makeBottom(), 1);
    m_timer.setInterval(kLatencyRefreshMs);
    connect(&m_timer, &QTimer::timeout, this, &LatencyPage::refresh);
    connect(m_clock, &ClockView::shown, this,
            [this](int ms) { m_clockText->setText(tr("The clock: %L1 ms").arg(ms)); });
    connectSession();
    refresh();
}

LatencyPage::~LatencyPage()
{
    delete m_fullScreen;
}

QWidget *LatencyPage::makeTools()
{
    auto *tools = new QWidget;
    auto *row = makeInnerLayout<QHBoxLayout>(tools, 8);
    row->setContentsMargins(10, 4, 10, 4);
    m_start->setObjectName(QStringLiteral("latencyStart"));
    connect(m_start, &QPushButton::clicked, this, [this] { setMeasuring(!m_measures); });
    auto *again = new QPushButton(tr("Start again"));
    again->setToolTip(tr("Forgets what was measured"));
    connect(again, &QPushButton::clicked, this, &LatencyPage::restart);
    auto *full = new QPushButton(tr("Clock full screen"));
    full->setObjectName(QStringLiteral("clockFullScreen"));
    full->setToolTip(tr("Shows the clock on the whole screen that is chosen below, for a camera farther away; any key "
                        "ends it"));
    connect(full, &QPushButton::clicked, this, [this] {
        QScreen *chosen = QGuiApplication::screens().value(m_screens->currentIndex());
        showFullScreen(chosen ? chosen : screen());
    });
    m_report->setObjectName(QStringLiteral("latencyReport"));
    m_report->setToolTip(tr("Writes what was measured: Markdown for people, or CSV with a row for each frame"));
    connect(m_report, &QPushButton::clicked, this, &LatencyPage::reportWanted);
    for (QWidget *each : {m_start, again, full, m_report})
        row->addWidget(each);
    row->addStretch(1);
    return tools;
}

QWidget *LatencyPage::makeChoices()
{
    auto *choices = new QWidget;
    auto *row = makeInnerLayout<QHBoxLayout>(choices, 8);
    row->setContentsMargins(10, 0, 10, 4);
    const auto add = [&](const QString &caption, QComboBox *box, const char *name) {
        auto *label = new QLabel(caption);
        label->setBuddy(box);
        box->setObjectName(QLatin1String(name));
        box->setAccessibleName(caption);
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(8);
        box->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        box->setMaximumWidth(scaledToFont(*this, 260));
        row->addWidget(label);
        row->addWidget(box);
    };
    add(tr("Clock on"), m_screens, "clockScreen");
    m_screens->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_screens->setToolTip(tr("The screen that the clock covers with Clock full screen; otherwise it is in this page"));
    add(tr("Camera"), m_camera, "clockCamera");
    m_camera->setToolTip(tr("The source that looks at the clock: it drives the pipeline"));
    row->addStretch(1);
    m_range->setObjectName(QStringLiteral("latencyRange"));
    m_range->setToolTip(tr("Lists all frames again"));
    m_range->hide();
    connect(m_range, &QPushButton::clicked, this, [this] { m_chart->choose(std::nullopt); });
    connect(m_chart, &LatencyChart::rangeChanged, this, &LatencyPage::showRange);
    connect(m_waterfall, &WaterfallView::frameWanted, this, &LatencyPage::frameWanted);
    row->addWidget(m_range);
    m_order->setAccessibleName(tr("Frames in the waterfall"));
    m_order->addItems({tr("Newest"), tr("Slowest"), tr("Around p50")});
    connect(m_order, &QComboBox::currentIndexChanged, this, [this](int index) {
        m_waterfall->setOrder(static_cast<WaterfallView::Order>(index));
        refresh();
    });
    row->addWidget(m_order);
    connect(m_camera, &QComboBox::activated, this, [this](int index) {
        if (const QString address = m_camera->itemData(index).toString(); !address.isEmpty())
            emit sourceWanted(address);
    });
    connect(&m_cameras, &CameraWatch::changed, this, &LatencyPage::fillCameras);
    for (const auto changed : {&Session::opened, &Session::statusChanged})
        connect(&m_session, changed, this, &LatencyPage::fillCameras);
    connect(qApp, &QGuiApplication::screenAdded, this, &LatencyPage::fillScreens);
    connect(qApp, &QGuiApplication::screenRemoved, this, &LatencyPage::fillScreens);
    fillScreens();
    fillCameras();
    return choices;
}

void LatencyPage::fillScreens()
{
    const QString chosen = m_screens->currentText();
    m_screens->clear();
    for (const QScreen *each : QGuiApplication::screens())
        m_screens->addItem(tr("%1 · %2 Hz").arg(nameOfScreen(*each)).arg(each->refreshRate(), 0, 'f', 0));
    m_screens->setCurrentIndex(std::max(0, m_screens->findText(chosen)));
}

/// Those that are open together, or else the one of the pipeline and all others of the machine.
void LatencyPage::fillCameras()
{
    QList<std::pair<QString, QString>> rows;
    int current = 0;
    const QString source =
        m_session.phase() == Session::Phase::Open ? toQString(m_session.status().source.uri) : QString();
    if (std::optional<SeveralAddress> several = severalIn(source.toStdString())) {
        current = static_cast<int>(several->drives);
        for (std::size_t i = 0; i < several->sources.size(); ++i) {
            several->drives = i;
            rows.append({tr("%1 · %2").arg(i + 1).arg(toQString(several->sources[i])), toQString(several->text())});
        }
    } else {
        if (!source.isEmpty())
            rows.append({source, source});
        for (const CameraInfo &camera : m_cameras.cameras())
            if (camera.usable.available && !source.startsWith(toQString(camera.uri)))
                rows.append({tr("%1 · %2").arg(toQString(camera.name), toQString(camera.path)), toQString(camera.uri)});
    }
    if (rows.isEmpty())
        rows.append({tr("none is connected"), QString()});
    QList<std::pair<QString, QString>> shown;
    for (int i = 0; i < m_camera->count(); ++i)
        shown.append({m_camera->itemText(i), m_camera->itemData(i).toString()});
    if (shown != rows) {
        m_camera->clear();
        for (const auto &[text, address] : rows)
            m_camera->addItem(text, address);
    }
    m_camera->setCurrentIndex(current);
}

void LatencyPage::showRange()
{
    m_waterfall->setRange(m_chart->range());
    m_range->setVisible(m_chart->range().has_value());
    if (m_chart->range())
        m_range->setText(tr("Only %1–%2 ms  ✕").arg(m_chart->range()->first).arg(m_chart->range()->second));
    if (m_feed)
        showFigures(m_feed->meter());
}

LatencyReport LatencyPage::report() const
{
    LatencyReport report;
    report.device = m_session.status().facts.name;
    report.source = m_source;
    report.screen = (m_fullScreen ? m_screens->currentText() : nameOfScreen(*screen())).toStdString();
    if (!m_feed)
        return report;
    report.counts = m_feed->meter().counts();
    report.figures = m_feed->meter().figures();
    report.trouble = m_feed->watcher()->trouble();
    const ClockSeen seen = m_feed->watcher()->seen();
    report.isMirrored = seen.clock && seen.clock->isMirrored();
    return report;
}

QWidget *LatencyPage::makeTop()
{
    auto *top = new QWidget;
    auto *grid = makeInnerLayout<QGridLayout>(top, 8);
    grid->setContentsMargins(10, 6, 10, 6);
    m_number->setObjectName(QStringLiteral("latencyNumber"));
    QFont large = paintedFont(m_number->font(), 34);
    large.setWeight(QFont::DemiBold);
    m_number->setFont(large);
    grid->addWidget(m_clock, 0, 0);
    grid->addWidget(m_clockText, 1, 0);
    grid->addWidget(m_seen, 0, 1);
    grid->addWidget(m_seenText, 1, 1);
    auto *figures = new QWidget;
    auto *column = makeInnerLayout<QVBoxLayout>(figures, 4);
    column->addWidget(m_number);
    column->addWidget(m_more);
    column->addStretch(1);
    grid->addWidget(figures, 0, 2, 2, 1);
    grid->addWidget(m_chart, 0, 3, 2, 1);
    for (int i = 0; i < 4; ++i)
        grid->setColumnStretch(i, i == 3 ? 5 : 4);
    m_top = top;
    return top;
}

QWidget *LatencyPage::makeBottom()
{
    auto *bottom = new QWidget;
    auto *row = makeInnerLayout<QHBoxLayout>(bottom, 8);
    row->setContentsMargins(10, 6, 10, 6);
    row->addWidget(m_waterfall, 1);
    m_parts->setObjectName(QStringLiteral("latencyParts"));
    m_parts->setAccessibleName(tr("Parts of the latency"));
    m_parts->setHorizontalHeaderLabels({tr("parts add up"), tr("around p50"), tr("around p99"), tr("more")});
    m_parts->verticalHeader()->hide();
    m_parts->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_parts->setShowGrid(false);
    m_parts->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_parts->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_parts->setWordWrap(false);
    for (int r = 0; r < m_parts->rowCount(); ++r)
        for (int c = 0; c < m_parts->columnCount(); ++c) {
            auto *item = new QTableWidgetItem;
            item->setTextAlignment(Qt::AlignVCenter | (c == 0 ? Qt::AlignLeft : Qt::AlignRight));
            m_parts->setItem(r, c, item);
        }
    m_parts->setMinimumWidth(250);
    m_parts->setMaximumWidth(440);
    row->addWidget(m_parts, 1);
    return bottom;
}

void LatencyPage::connectSession()
{
    connect(&m_session, &Session::updatesDrained, this, &LatencyPage::take);
    connect(&m_session, &Session::closing, this, &LatencyPage::unwatch);
    for (const auto changed : {&Session::opened, &Session::statusChanged})
        connect(&m_session, changed, this, [this] {
            if (m_feed && m_session.status().source.uri != m_source)
                unwatch();
            watch();
        });
}

void LatencyPage::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    watch();
    m_timer.start();
}

/// The pictures leave most of a low page to the frames.
void LatencyPage::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    m_top->setMaximumHeight(std::min(270, height() * 2 / 5));
}

void LatencyPage::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    unwatch();
    m_timer.stop();
}

void LatencyPage::setMeasuring(bool on)
{
    m_measures = on;
    on ? watch() : unwatch();
    refresh();
}

/// Begins to look at the frames of the pipeline, if it is wanted and there are any. What was measured stays if it is of
/// the same source.
void LatencyPage::watch()
{
    FramePort *port = m_session.pipeline() ? m_session.pipeline()->framePort() : nullptr;
    if (!m_measures || !isVisible() || !port || m_session.phase() != Session::Phase::Open)
        return;
    const std::string &source = m_session.status().source.uri;
    if (!m_feed || m_source != source) {
        const std::shared_ptr<const ShownTimes> own = ownClockOf(source);
        m_feed = std::make_unique<LatencyFeed>(own ? own : m_log);
        m_feed->watcher()->wantPictures(true);
        m_source = source;
    }
    port->watchInput(m_feed->watcher());
    m_clock->setRunning(!m_fullScreen && !ownClockOf(source));
}

void LatencyPage::unwatch()
{
    if (FramePort *port = m_session.pipeline() ? m_session.pipeline()->framePort() : nullptr)
        port->watchInput(nullptr);
    m_clock->setRunning(false);
    m_clockText->setText(tr("The clock"));
}

void LatencyPage::restart()
{
    unwatch();
    m_chart->choose(std::nullopt);
    m_feed.reset();
    watch();
    refresh();
}

void LatencyPage::take(const PipelineUpdate &update)
{
    if (m_feed && m_measures)
        m_feed->take(update);
}

void LatencyPage::showFullScreen(QScreen *screen)
{
    if (m_fullScreen)
        return;
    m_fullScreen = new ClockView(m_log);
    connect(m_fullScreen, &ClockView::left, this, [this] {
        m_fullScreen->deleteLater();
        m_fullScreen = nullptr;
        watch();
    });
    m_clock->setRunning(false);
    m_fullScreen->coverScreen(screen);
    m_fullScreen->setRunning(true);
    setMeasuring(true);
}

const LatencyMeter *LatencyPage::meter() const
{
    return m_feed ? &m_feed->meter() : nullptr;
}

QString LatencyPage::verdictText() const
{
    return m_head->verdictText();
}

QString LatencyPage::hint() const
{
    return m_seenText->text();
}

QString LatencyPage::result() const
{
    return m_result;
}

/// Why there is nothing to see; empty if there is.
QString LatencyPage::whyNothing() const
{
    if (!m_measures)
        return tr("Point the camera of the pipeline at this clock, then measure.");
    if (!m_session.pipeline() || m_session.phase() != Session::Phase::Open)
        return tr("There is no pipeline: open a camera in Live (Alt+1).");
    if (!m_session.pipeline()->framePort())
        return tr("The frames of a board are not here: measure with the window on the board.");
    if (m_feed && !m_feed->watcher()->trouble().empty())
        return toQString(m_feed->watcher()->trouble());
    return {};
}

/// What the camera sees, and why pictures are refused.
QString LatencyPage::sightWords() const
{
    if (const QString reason = whyNothing(); !reason.isEmpty())
        return reason;
    const ClockSeen seen = m_feed->watcher()->seen();
    const LatencyCounts &counts = m_feed->meter().counts();
    if (counts.known() == 0 && counts.of(ClockSight::Changing) > 0)
        return tr("The clock is found, but its cells are neither black nor white: something covers it, or the exposure "
                  "of the camera is too long.");
    if (counts.notShown > 0 && m_feed->meter().frames().empty())
        return tr("Another clock is in view: it shows times that this one has not shown.");
    return seenWords(seen);
}

QString LatencyPage::seenWords(const ClockSeen &seen)
{
    if (!seen.clock)
        return seen.sight == ClockSight::Several
            ? tr("Several clocks are in view: show the camera one of them only.")
            : tr("No clock in view: all four corners must be seen, sharp, and at least a third of the picture wide.");
    return tr("Found, turned by %1°, %2 pixels a module%3")
        .arg(seen.clock->turnDegrees(), 0, 'f', 0)
        .arg(seen.clock->modulePixels(), 0, 'f', 1)
        .arg(seen.clock->isMirrored() ? tr(", mirrored") : QString());
}

void LatencyPage::show(const LatencyMeter &meter, const ClockSeen &seen)
{
    m_timer.stop(); // It would be replaced by what is measured now.
    m_seen->show(seen);
    m_seenText->setText(tr("What the camera sees: %1").arg(seenWords(seen)));
    showFigures(meter);
}

void LatencyPage::refresh()
{
    m_start->setText(m_measures ? tr("Pause") : tr("Measure"));
    if (m_feed && m_measures)
        m_seen->show(m_feed->watcher()->seen());
    m_seenText->setText(tr("What the camera sees: %1").arg(sightWords()));
    showFigures(m_feed ? m_feed->meter() : LatencyMeter(m_log));
}

void LatencyPage::showFigures(const LatencyMeter &meter)
{
    const std::optional<LatencyFigures> figures = meter.figures();
    m_chart->show(meter.frames(), figures);
    m_waterfall->show(meter.frames(), figures);
    const LatencyCounts &counts = meter.counts();
    m_head->setTitle(tr("Glass to glass"), tr("%L1 frames, %L2 read").arg(counts.frames).arg(counts.known()));
    const QString result = figures ? millis(figures->p50Ms) : QString();
    m_number->setText(result);
    for (std::size_t part = 0; part <= kLatencyParts; ++part) {
        const bool isSum = part == kLatencyParts;
        const auto row = static_cast<int>(part);
        const double p50 = !figures ? 0 : isSum ? figures->totalP50 : figures->aroundP50[part];
        const double p99 = !figures ? 0 : isSum ? figures->totalP99 : figures->aroundP99[part];
        m_parts->item(row, 0)->setText(isSum ? tr("glass to glass") : latencyPartTitle(static_cast<LatencyPart>(part)));
        if (!isSum)
            m_parts->item(row, 0)->setData(Qt::DecorationRole, latencyColor(static_cast<LatencyPart>(part)));
        m_parts->item(row, 1)->setText(figures ? millis(p50) : QString());
        m_parts->item(row, 2)->setText(figures ? millis(p99) : QString());
        m_parts->item(row, 3)->setText(figures ? toQString(signedText(std::round((p99 - p50) * 10) / 10 + 0.0, 1))
                                               : QString());
    }
    if (figures) {
        const double before = figures->aroundP50[0] + figures->aroundP50[1];
        m_more->setText(tr("p99 %1, jitter %2 (p95 − p50)\n±%3 for a frame: the clock changes every %4. What a panel "
                           "adds is not measured.")
                            .arg(millis(figures->p99Ms), millis(figures->jitterMs()), millis(figures->boundMs),
                                 millis(figures->stepMs)));
        m_head->setWarning(tr("What changes on the screen is on the screen again after %1; %2 of it passes before the "
                              "frame is in memory.")
                               .arg(result, percentText(before / figures->totalP50)),
                           false);
    } else {
        m_more->setText(tr("Half of the frames will take this long from the screen to the screen."));
        m_head->setWarning(sightWords(), m_measures);
    }
    if (result != m_result) {
        m_result = result;
        emit resultChanged();
    }
}

} // namespace jetscope
