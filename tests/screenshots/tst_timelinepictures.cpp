// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/screenshots/referencepicture.h"
#include "tests/support/largetrace.h"
#include "tests/support/testprogram.h"
#include "tests/support/timelinefixture.h"
#include "ui/selection/selectionpanel.h"
#include "ui/style/theme.h"

#include <QScrollBar>

#include <functional>

using namespace jetscope;

namespace {

constexpr std::uint32_t kFrames = 3000;
constexpr std::int64_t kPeriodNs = 16'666'667;

Span spanOf(std::int64_t startNs, std::int64_t durationNs, std::uint32_t frame, NameId name, LaneId lane,
            std::uint8_t depth)
{
    Span span;
    span.startNs = startNs;
    span.durationNs = durationNs;
    span.frame = frame;
    span.name = name;
    span.lane = lane;
    span.depth = depth;
    return span;
}

/// Everything that the timeline can draw: nested spans, overlapping GL and CUDA work, uncertain times, counters, all
/// marks.
void addEverything(Trace &trace)
{
    FakePipeline pipeline;
    scriptFrames(pipeline, 0, kFrames);
    trace.setLanes(pipeline.update.lanes);
    trace.setCounters({{0, "GPU load", "%", std::nullopt},
                       {1, "GPU temperature", "°C", std::nullopt},
                       {2, "Uncertainty of stream 0", "ns", LaneId(3)}});
    std::vector<Span> spans = std::move(pipeline.update.spans);
    std::vector<CounterSample> samples;
    for (std::uint32_t frame = 0; frame < kFrames; ++frame) {
        const std::int64_t start = pipeline.update.figures[frame].startNs;
        spans.push_back(spanOf(start + 4'100'000, 400'000, frame, internName("launch", Category::Submit), 1, 1));
        spans.push_back(spanOf(start + 5'500'000, 2'500'000, frame, internName("blur", Category::CpuStage), 2, 1));
        spans.push_back(spanOf(start + 9'500'000, 1'200'000, frame, internName("blit", Category::Draw), 4, 0));
        samples.push_back({start, 40.0 + (frame % 20) * 2 + (frame / 500) * 5, 0});
        if (frame % 60 == 0)
            samples.push_back({start, 45.0 + frame / 300.0, 1});
    }
    samples.push_back({pipeline.update.figures[0].startNs, 90'000, 2});
    std::sort(spans.begin(), spans.end(), [](const Span &a, const Span &b) { return a.startNs < b.startNs; });
    trace.add(spans);
    trace.add(pipeline.update.figures);
    trace.add(samples);
    const auto at = [&](std::uint32_t frame, std::int64_t offsetNs) {
        return pipeline.update.figures[frame].startNs + offsetNs;
    };
    trace.add(TraceMark{TraceMark::Kind::Switch, at(1500, 0), 1500, "sync: finish → eglsync", {}, {}});
    trace.add(TraceMark{TraceMark::Kind::Hazard, at(1501, 10'200'000), 1501, "CPU read while a kernel is in flight",
                        "A1", "wait for the event first"});
    trace.add(TraceMark{TraceMark::Kind::Drop, at(1502, 3'000'000), 1502, "1 frame dropped", {}, {}});
    trace.add(TraceMark{TraceMark::Kind::Gap, at(2200, 0), 2200, "the camera was gone for 2 s", {}, {}});
}

} // namespace

/// The timeline at five zoom levels in both themes, empty, with one span, with ten million spans.
class TestTimelinePictures : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void zoomLevels_data();
    void zoomLevels();
    void bounded_data();
    void bounded();
    void selected();
    void collapsed();
    void figures();
    void empty();
    void oneSpan();
    void tenMillionSpans_data();
    void tenMillionSpans();

private:
    void start(const Theme &theme, QSize size = {1400, 460});
    void check(QWidget &widget, const QString &name);

    std::unique_ptr<TimelineFixture> m_fixture;
};

void TestTimelinePictures::initTestCase()
{
    if (const char *why = whyNoReferences())
        QSKIP(why);
}

void TestTimelinePictures::start(const Theme &theme, QSize size)
{
    m_fixture.reset();
    applyTheme(*qApp, theme);
    QFont font(QStringLiteral("DejaVu Sans"));
    font.setPixelSize(12);
    qApp->setFont(font);
    m_fixture = std::make_unique<TimelineFixture>(size);
    QVERIFY(m_fixture->expose());
}

void TestTimelinePictures::check(QWidget &widget, const QString &name)
{
    const QString difference = differenceFromReference(widget.grab().toImage(), QStringLiteral("timeline-") + name);
    QVERIFY2(difference.isEmpty(), qPrintable(difference));
}

void TestTimelinePictures::zoomLevels_data()
{
    QTest::addColumn<bool>("dark");
    QTest::addColumn<qint64>("length");
    for (const bool dark : {true, false}) {
        const char *theme = dark ? "dark" : "light";
        QTest::addRow("1-all-%s", theme) << dark << qint64(0);
        QTest::addRow("2-seconds-%s", theme) << dark << qint64(300) * kPeriodNs;
        QTest::addRow("3-frames-%s", theme) << dark << qint64(24) * kPeriodNs;
        QTest::addRow("4-frame-%s", theme) << dark << qint64(2) * kPeriodNs;
        QTest::addRow("5-spans-%s", theme) << dark << qint64(3'000'000);
    }
}

void TestTimelinePictures::zoomLevels()
{
    QFETCH(bool, dark);
    QFETCH(qint64, length);
    start(dark ? darkTheme() : lightTheme());
    addEverything(m_fixture->trace);
    m_fixture->view->restart(false);
    if (length > 0) {
        const std::int64_t middle = m_fixture->trace.frames().at(1501).startNs + 9'000'000;
        m_fixture->view->show({middle - length / 2, middle + length / 2});
    }
    m_fixture->view->grab();
    check(*m_fixture->view, QString::fromLatin1(QTest::currentDataTag()));
}

void TestTimelinePictures::bounded_data()
{
    QTest::addColumn<bool>("dark");
    QTest::newRow("bounded-dark") << true;
    QTest::newRow("bounded-light") << false;
}

/// GL work and a copy with bounded times: they ran at an unknown time within their spans.
void TestTimelinePictures::bounded()
{
    QFETCH(bool, dark);
    start(dark ? darkTheme() : lightTheme());
    FakePipeline pipeline;
    scriptFrames(pipeline, 0, 12);
    for (Span &span : pipeline.update.spans)
        if (span.lane == 4 || (span.lane == 3 && spanName(span.name) == "gaussian"))
            span.name = internName(spanName(span.name), spanCategory(span.name), Certainty::Bounded);
    for (FrameFigures &figures : pipeline.update.figures) {
        figures.overlap.gpuBoundedNs = 3'500'000;
        figures.overlap.bothBoundedNs = 3'000'000;
    }
    Trace &trace = m_fixture->trace;
    trace.setLanes(pipeline.update.lanes);
    trace.add(pipeline.update.spans);
    trace.add(pipeline.update.figures);
    m_fixture->view->restart(false);
    const std::int64_t middle = trace.frames().at(6).startNs;
    m_fixture->view->show({middle - 3'000'000, middle + 2 * kPeriodNs});
    check(*m_fixture->view, QLatin1String(QTest::currentDataTag()));
}

void TestTimelinePictures::selected()
{
    start(darkTheme());
    addEverything(m_fixture->trace);
    const FrameFigures frame = m_fixture->trace.frames().at(1501);
    m_fixture->view->restart(false);
    m_fixture->view->show({frame.startNs - kPeriodNs / 2, frame.startNs + 2 * kPeriodNs});
    QTest::mouseClick(
        m_fixture->viewport(), Qt::LeftButton, {},
        m_fixture->pointOf(QStringLiteral("CPU stage"), m_fixture->spanOf(QStringLiteral("CPU stage"), 1501)));
    m_fixture->drag(Qt::LeftButton, {700, 8}, {980, 8});
    m_fixture->move({760, m_fixture->middleOf(m_fixture->row(QStringLiteral("CUDA stream 0")))});
    check(*m_fixture->view, QStringLiteral("selected"));
}

void TestTimelinePictures::collapsed()
{
    start(darkTheme());
    addEverything(m_fixture->trace);
    m_fixture->view->restart(false);
    const FrameFigures frame = m_fixture->trace.frames().at(1501);
    m_fixture->view->show({frame.startNs - kPeriodNs / 2, frame.startNs + 2 * kPeriodNs});
    for (const char *group : {"CPU threads", "GL queues"})
        QTest::mouseClick(m_fixture->viewport(), Qt::LeftButton, {},
                          {40, m_fixture->middleOf(m_fixture->row(QString::fromLatin1(group)))});
    m_fixture->view->viewport()->setCursor(Qt::ArrowCursor);
    check(*m_fixture->view, QStringLiteral("collapsed"));
}

void TestTimelinePictures::figures()
{
    for (const Theme *theme : {&darkTheme(), &lightTheme()}) {
        start(*theme);
        addEverything(m_fixture->trace);
        SelectionPanel panel(m_fixture->trace, m_fixture->selection);
        panel.resize(494, 360);
        panel.show();
        m_fixture->selection.selectRange(
            {m_fixture->trace.frames().at(1000).startNs, m_fixture->trace.frames().at(1200).startNs});
        QTRY_VERIFY(panel.isDone());
        QVERIFY(QTest::qWaitForWindowActive(&panel)); // The window manager sets the focus asynchronously.
        if (QWidget *focus = QApplication::focusWidget())
            focus->clearFocus();
        check(panel, QStringLiteral("figures-") + theme->name);
    }
}

void TestTimelinePictures::empty()
{
    start(darkTheme());
    check(*m_fixture->view, QStringLiteral("empty"));
    start(lightTheme());
    check(*m_fixture->view, QStringLiteral("empty-light"));
}

void TestTimelinePictures::oneSpan()
{
    for (const Theme *theme : {&darkTheme(), &lightTheme()}) {
        start(*theme);
        m_fixture->trace.setLanes({{0, LaneRole::Pipeline, "Pipeline", "thread"}});
        const std::vector<Span> spans = {
            spanOf(5'000'000, 1'000'000, 0, internName("the only span", Category::Upload), 0, 0)};
        m_fixture->trace.add(spans);
        m_fixture->view->restart(false);
        m_fixture->wheel({700, 200}, {0, -360});
        check(*m_fixture->view, theme->dark ? QStringLiteral("one-span") : QStringLiteral("one-span-light"));
    }
}

void TestTimelinePictures::tenMillionSpans_data()
{
    QTest::addColumn<double>("part");
    QTest::newRow("all") << 1.0;
    QTest::newRow("tenth") << 0.1;
    QTest::newRow("hundredth") << 0.01;
    QTest::newRow("frames") << 3e-5;
    QTest::newRow("few") << 3e-6;
}

void TestTimelinePictures::tenMillionSpans()
{
    QFETCH(double, part);
    start(darkTheme(), {1400, 900});
    m_fixture->trace = largeTrace(10'000'000);
    m_fixture->view->restart(false);
    const std::int64_t oldest = m_fixture->trace.oldestNs();
    const auto length = static_cast<std::int64_t>(static_cast<double>(m_fixture->trace.newestNs() - oldest) * part);
    const auto before = static_cast<std::int64_t>(std::min(20.0, 0.5 / part)) * length;
    if (part < 1)
        m_fixture->view->show({oldest + before, oldest + before + length});
    check(*m_fixture->view, QStringLiteral("10M-") + QString::fromLatin1(QTest::currentDataTag()));
}

JETSCOPE_TEST(TestTimelinePictures)
#include "tst_timelinepictures.moc"
