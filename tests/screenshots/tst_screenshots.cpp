// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/trace/tracefigures.h"
#include "tests/screenshots/boardscenes.h"
#include "tests/screenshots/imagecompare.h"
#include "tests/screenshots/labscenes.h"
#include "tests/screenshots/referencepicture.h"
#include "tests/screenshots/streetpicture.h"
#include "tests/support/fakewindow.h"
#include "tests/support/profilertrace.h"
#include "tests/support/testprogram.h"
#include "ui/board/devicepage.h"
#include "ui/files/tracefilepage.h"
#include "ui/hazards/hazardlist.h"
#include "ui/hazards/hazardtree.h"
#include "ui/live/controlspanel.h"
#include "ui/measure/choicetrials.h"
#include "ui/measure/pairedtimelines.h"
#include "ui/selection/selectionpanel.h"
#include "ui/selection/tracepanel.h"
#include "ui/session/notelist.h"
#include "ui/session/traceselection.h"
#include "ui/style/messagebar.h"
#include "ui/style/theme.h"
#include "ui/timeline/overviewstrip.h"
#include "ui/timeline/timelineview.h"
#include "ui/window/tracepanels.h"
#include "ui/window/windowcompare.h"

#include <QApplication>
#include <QBuffer>
#include <QDir>
#include <QPainter>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabBar>
#include <QTabWidget>
#include <QTest>

#include <cstring>
#include <functional>

using namespace jetscope;

namespace {

InputPicture inputOf(std::uint32_t frame, const QImage &image)
{
    InputPicture input;
    input.frame = frame;
    input.layout = makeImageLayout(PixelFormat::Rgba8, image.width(), image.height());
    input.bytes.resize(input.layout.bytes);
    for (int y = 0; y < image.height(); ++y)
        std::memcpy(input.bytes.data() + static_cast<std::size_t>(y) * input.layout.planes[0].pitch,
                    image.constScanLine(y), static_cast<std::size_t>(image.width()) * 4);
    return input;
}

/// The tab of hazards with a row of each level; the first one is unfolded.
void showHazards(MainWindow &window)
{
    const auto add = [&window](const char *rule, const char *text, const std::optional<HazardAccess> &first = {},
                               const std::optional<HazardAccess> &second = {}) {
        PipelineNotice notice;
        notice.kind = PipelineNotice::Kind::Violation;
        notice.frame = 119;
        notice.rule = rule;
        notice.text = text;
        notice.level = ruleOf(*ruleNamed(rule)).level;
        notice.fix = ruleOf(*ruleNamed(rule)).fix;
        notice.memory = "image shared with GL, 1280x720";
        notice.first = first;
        notice.second = second;
        window.hazards()->add(notice, window.session().trace().frameNumbers());
    };
    window.hazards()->clear();
    add("C1", "GL commands read memory that kernels may still write: no synchronization, event or fence orders the two",
        HazardAccess{"kernels", "CUDA stream 1", Access::Write, 119, 0},
        HazardAccess{"GL commands", "GL queue", Access::Read, 119, 0});
    add("A7", "Managed memory is attached anew while a host function has still to tell that its kernels are complete");
    add("A17", "An asynchronous copy uses pageable memory: it is staged and may block the thread");
    window.tabs()->setCurrentWidget(window.hazards());
}

/// The tab of the device with one of its sections, once the facts of the machine were read.
void showSection(MainWindow &window, const QString &title)
{
    auto *page = window.findChild<DevicePage *>();
    window.tabs()->setCurrentWidget(page);
    page->selectSection(title);
    QTRY_VERIFY(page->hasPlatform());
}

} // namespace

/// Compares the window with scripted data to reference pictures.
class TestScreenshots : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void init();
    void cleanup();
    void comparisonSeesChanges();
    void aLostPartIsSeen_data();
    void aLostPartIsSeen();
    void everyReferenceIsExactSomewhere();
    void running_data();
    void running();
    void trials_data();
    void trials();
    void scaled();
    void scaledHazards();
    void traces_data();
    void traces();
    void noTrace();
    void notOpen();
    void refused();
    void empty();

private:
    void runFor(std::uint32_t frames);
    void runTrials();
    void check(const QString &name);

    std::unique_ptr<FakeWindow> m_fake;
};

void TestScreenshots::initTestCase()
{
    if (const char *why = whyNoWindowReferences())
        QSKIP(why);
}

void TestScreenshots::init()
{
    QFont font(QStringLiteral("DejaVu Sans"));
    font.setPixelSize(QByteArray(QTest::currentDataTag()).endsWith("-large-font") ? 18 : 12);
    qApp->setFont(font);
    setScreenWidth(1600);
    applyTheme(*qApp, darkTheme());
    m_fake = std::make_unique<FakeWindow>();
    m_fake->window().resize(1600, 1000);
    m_fake->window().show();
    QVERIFY(QTest::qWaitForWindowExposed(&m_fake->window()));
}

void TestScreenshots::cleanup()
{
    m_fake.reset();
}

void TestScreenshots::check(const QString &name)
{
    MainWindow &window = m_fake->window();
    if (QWidget *focus = QApplication::focusWidget())
        focus->clearFocus();
    // Several rounds, because layouts and repaints queue further events.
    for (int i = 0; i < 3; ++i)
        QApplication::processEvents();
    const QImage actual = window.grab().toImage();
    const QString difference = differenceFromReference(actual, name);
    QVERIFY2(difference.isEmpty(), qPrintable(difference));
}

void TestScreenshots::runFor(std::uint32_t frames)
{
    QVERIFY(m_fake->open());
    FakePipeline &pipeline = m_fake->pipeline();
    pipeline.state.config.sync = SyncMode::Finish;
    pipeline.state.config.filters = {Filter::Gaussian5, Filter::Sobel, Filter::Threshold};
    scriptFrames(pipeline, 0, frames / 2);
    for (FrameFigures &figures : pipeline.update.figures) {
        figures.frameNs = 14'100'000;
        figures.waitSyncNs = 6'900'000;
        figures.overlap.bothNs = 1'628'000;
        figures.overlap.idleNs =
            figures.periodNs() - figures.overlap.cpuNs - figures.overlap.gpuNs + figures.overlap.bothNs;
        figures.bytesCopied = 3'700'000;
    }
    m_fake->poll();
    PinnedComparison &pinned = m_fake->window().live().compare().pinned();
    pinned.pin();

    pipeline.state.config.sync = SyncMode::EglSync;
    scriptFrames(pipeline, frames / 2, frames - frames / 2);
    const std::int64_t lastNs = pipeline.update.figures.back().startNs;
    pipeline.notice(PipelineNotice::Kind::Switched, "sync: finish → eglsync", frames / 2, lastNs);
    pipeline.notice(PipelineNotice::Kind::Violation, "CPU read while a kernel is in flight", frames - 1,
                    lastNs + 10'200'000);
    pipeline.update.notices.back().rule = "A1";
    pipeline.update.notices.back().fix = "synchronize the device first";
    m_fake->poll();
    QVERIFY(QTest::qWaitFor([&] { // The comparison is computed on another thread.
        pinned.refresh();
        m_fake->poll();
        return pinned.comparison() && pinned.comparison()->framesB == frames - frames / 2;
    }));
    pipeline.addInput(inputOf(frames - 1, street(false)));
    QVERIFY(m_fake->showPicture(frames - 1, street(true)));
}

void TestScreenshots::comparisonSeesChanges()
{
    const QImage picture = street(false);
    QVERIFY(compareImages(picture, picture).isSame());
    QVERIFY(compareImages(picture, picture).isAlike());
    for (const QImage &other : {picture.copy(0, 0, 100, 100), QImage()}) {
        QVERIFY(!compareImages(picture, other).isSame());
        QVERIFY(!compareImages(picture, other).isAlike());
    }
    QImage changed = picture;
    QPainter(&changed).fillRect(100, 100, 80, 60, Qt::magenta); // The size of a button.
    const ImageDifference difference = compareImages(changed, picture);
    QVERIFY(!difference.isSame() && !difference.isAlike());
    QCOMPARE(difference.picture.pixelColor(120, 120), QColor(220, 0, 0));
    // Like text of another FreeType version: only the exact comparison detects it.
    changed = picture;
    for (int i = 0; i < 200; ++i)
        changed.setPixelColor(20 + i * 7 % 1200, 20 + i * 31 % 600, Qt::magenta);
    QVERIFY(compareImages(changed, picture).isAlike() && !compareImages(changed, picture).isSame());
}

/// Small but important parts: each is painted over the picture at its position in the window.
void TestScreenshots::aLostPartIsSeen_data()
{
    QTest::addColumn<QRect>("part");
    QTest::newRow("dashed line of a mark") << QRect(700, 60, 1, 120);
    QTest::newRow("path strip") << QRect(100, 90, 300, 2);
    QTest::newRow("badge") << QRect(302, 403, 16, 12);
    QTest::newRow("symbol of a hazard") << QRect(501, 203, 13, 11);
}

void TestScreenshots::aLostPartIsSeen()
{
    QFETCH(QRect, part);
    const QImage without = street(false);
    QImage with = without;
    QPainter painter(&with);
    if (part.width() == 1) {
        painter.setPen(QPen(Qt::yellow, 1, Qt::DotLine));
        painter.drawLine(part.topLeft(), part.bottomLeft());
    } else {
        painter.fillRect(part, Qt::yellow);
    }
    painter.end();
    QVERIFY(!compareImages(without, with).isSame());
    QVERIFY(!compareImages(without, with).isAlike());
    QVERIFY(compareImages(without, with).visible < ImageDifference::kAllowed); // Too small a fraction.
}

/// A reference without its rasteriser key would always be compared with tolerance.
void TestScreenshots::everyReferenceIsExactSomewhere()
{
    const QDir folder(QStringLiteral(JETSCOPE_REFERENCES));
    const QStringList names = folder.entryList({QStringLiteral("*.png")});
    QVERIFY(names.size() > 30);
    for (const QString &name : names)
        QVERIFY2(QImage(folder.filePath(name)).text(QStringLiteral("made with")).startsWith(QStringLiteral("Qt ")),
                 qPrintable(name));
}

void TestScreenshots::running_data()
{
    QTest::addColumn<std::function<void(MainWindow &)>>("arrange");
    const auto tab = [](int index) { return [index](MainWindow &window) { window.tabs()->setCurrentIndex(index); }; };
    QTest::newRow("running-dark") << std::function<void(MainWindow &)>([](MainWindow &) {});
    QTest::newRow("running-light") << std::function<void(MainWindow &)>(
        [](MainWindow &window) { window.actions().lightTheme->trigger(); });
    QTest::newRow("frames") << std::function<void(MainWindow &)>(tab(1));
    QTest::newRow("hazards") << std::function<void(MainWindow &)>(showHazards);
    QTest::newRow("hazards-light-1024x600") << std::function<void(MainWindow &)>([](MainWindow &window) {
        window.actions().lightTheme->trigger();
        window.resize(1024, 600);
        showHazards(window);
    });
    QTest::newRow("device") << std::function<void(MainWindow &)>(
        [](MainWindow &window) { showSection(window, QStringLiteral("Memory")); });
    QTest::newRow("device-attachments") << std::function<void(MainWindow &)>(
        [](MainWindow &window) { showSection(window, QStringLiteral("Attachments")); });
    QTest::newRow("device-light-1024x600") << std::function<void(MainWindow &)>([](MainWindow &window) {
        window.actions().lightTheme->trigger();
        window.resize(1024, 600);
        showSection(window, QStringLiteral("Permissions"));
    });
    QTest::newRow("device-1024x600") << std::function<void(MainWindow &)>([](MainWindow &window) {
        window.resize(1024, 600);
        showSection(window, QStringLiteral("Memory"));
    });
    QTest::newRow("query") << std::function<void(MainWindow &)>(tab(5));
    const auto noted = [](bool light, QSize size) {
        return std::function<void(MainWindow &)>([=](MainWindow &window) {
            if (light)
                window.actions().lightTheme->trigger();
            window.resize(size);
            const FrameFigures frame = window.session().trace().frames().at(2);
            window.tracePanels().notes().add({frame.startNs, frame.startNs + frame.periodNs()},
                                             QStringLiteral("Here it waits"));
            window.timeline()->fitAll();
        });
    };
    QTest::newRow("notes-dark") << noted(false, {1600, 1000});
    QTest::newRow("notes-light-1024x600") << noted(true, {1024, 600});
    QTest::newRow("board") << std::function<void(MainWindow &)>(showBoard);
    QTest::newRow("board-light-1024x600") << std::function<void(MainWindow &)>([](MainWindow &window) {
        window.actions().lightTheme->trigger();
        window.resize(1024, 600);
        showBoard(window);
    });
    using Scene = std::pair<const char *, void (*)(MainWindow &)>;
    for (const auto &[name, show] :
         {Scene("latency", showLatency), Scene("cameras", showCameras), Scene("stamps", showStamps)}) {
        QTest::addRow("%s-dark", name) << std::function<void(MainWindow &)>(show);
        QTest::addRow("%s-light-1024x600", name)
            << std::function<void(MainWindow &)>([show](MainWindow &window) { showSmallAndLight(window, show); });
    }
    QTest::newRow("board-log-dark") << std::function<void(MainWindow &)>(showBoardLog);
    QTest::newRow("board-log-light") << std::function<void(MainWindow &)>([](MainWindow &window) {
        window.actions().lightTheme->trigger();
        showBoardLog(window);
    });
    QTest::newRow("board-log-1024x600") << std::function<void(MainWindow &)>([](MainWindow &window) {
        window.resize(1024, 600);
        showBoardLog(window);
    });
    QTest::newRow("board-log-1366x768") << std::function<void(MainWindow &)>([](MainWindow &window) {
        window.resize(1366, 768);
        showBoardLog(window);
    });
    QTest::newRow("running-large-font") << std::function<void(MainWindow &)>([](MainWindow &) {});
    QTest::newRow("board-log-large-font") << std::function<void(MainWindow &)>(showBoardLog);
    QTest::newRow("timeline-everything") << std::function<void(MainWindow &)>(
        [](MainWindow &window) { window.timeline()->fitAll(); });
    QTest::newRow("choices-below") << std::function<void(MainWindow &)>([](MainWindow &window) {
        QApplication::processEvents(); // The filter list gets its height.
        window.live().controls()->verticalScrollBar()->setValue(
            window.live().controls()->verticalScrollBar()->maximum());
    });
    QTest::newRow("held-frame") << std::function<void(MainWindow &)>([](MainWindow &window) {
        // Click on CUDA work of the newest frame.
        const TimelineView &timeline = *window.timeline();
        const FrameTable &frames = window.session().trace().frames();
        const double x = pixelAt(timeline.scale(), frames.at(frames.endIndex() - 1).startNs + 8'500'000);
        for (const TimelineRow &row : timeline.layout().rows)
            if (row.label == QStringLiteral("CUDA stream 0"))
                QTest::mouseClick(
                    timeline.viewport(), Qt::LeftButton, {},
                    {timeline.layout().metrics.labelWidth + qRound(x), timeline.layout().contentTop() + row.top + 17});
        QTRY_VERIFY(window.tracePanels().figures()->isDone());
    });
    const auto compared = [](ComparePage::View view, bool light, QSize size = {}) {
        return [view, light, size](MainWindow &window) {
            if (light)
                window.actions().lightTheme->trigger();
            if (!size.isEmpty())
                window.resize(size);
            window.tabs()->setCurrentWidget(window.live().compare().page());
            window.live().compare().page()->setView(view);
            QApplication::processEvents();
        };
    };
    using View = ComparePage::View;
    using Arrange = std::function<void(MainWindow &)>;
    QTest::newRow("compare-figures-dark") << Arrange(compared(View::Figures, false));
    QTest::newRow("compare-figures-light") << Arrange(compared(View::Figures, true));
    QTest::newRow("compare-timelines-dark") << Arrange(compared(View::Timelines, false));
    QTest::newRow("compare-timelines-light") << Arrange(compared(View::Timelines, true));
    QTest::newRow("compare-1024x600") << Arrange(compared(View::Figures, false, {1024, 600}));
    QTest::newRow("compare-timelines-1024x600") << Arrange(compared(View::Timelines, false, {1024, 600}));
    const auto sized = [](QSize size) { return [size](MainWindow &window) { window.resize(size); }; };
    QTest::newRow("small-1024x600") << std::function<void(MainWindow &)>(sized({1024, 600}));
    QTest::newRow("laptop-1366x768") << std::function<void(MainWindow &)>(sized({1366, 768}));
    QTest::newRow("small-selection") << std::function<void(MainWindow &)>([](MainWindow &window) {
        window.resize(1024, 600);
        QTest::keyClick(window.timeline(), Qt::Key_BracketRight);
        QTRY_VERIFY(!window.tracePanels().figures()->visibleRegion().isEmpty());
        QTRY_VERIFY(window.tracePanels().figures()->isDone());
        const QWidget *figures = window.tracePanels().figures();
        QTRY_VERIFY(figures->height() >= figures->minimumSizeHint().height()); // The layout follows late.
        QVERIFY(window.tabs()->tabBar()->width() <= window.tabs()->width());   // The bar scrolls.
    });
    QTest::newRow("keys") << std::function<void(MainWindow &)>(
        [](MainWindow &window) { window.actions().help->trigger(); });
}

void TestScreenshots::running()
{
    QFETCH(std::function<void(MainWindow &)>, arrange);
    runFor(120);
    arrange(m_fake->window());
    check(QString::fromLatin1(QTest::currentDataTag()));
}

/// Every synchronization is tried; one of them is refused.
void TestScreenshots::runTrials()
{
    runFor(120);
    FakePipeline &pipeline = m_fake->pipeline();
    m_fake->window().tabs()->setCurrentWidget(m_fake->window().live().compare().page());
    m_fake->window().live().compare().page()->setView(ComparePage::View::Trials);
    ChoiceTrials &trials = m_fake->window().live().compare().trials();
    trials.start("sync", {1'000'000'000, kMinRounds, 1, {}});
    std::uint32_t frame = 120;
    for (; trials.isRunning() && frame < 20'000; frame += 10) {
        if (!pipeline.changes.empty() && pipeline.changes.back() != pipeline.state.config) {
            const std::string text = describeChange(pipeline.state.config, pipeline.changes.back());
            if (pipeline.changes.back().sync == SyncMode::Callback) {
                pipeline.refuse(text + ": the host function could not be enqueued (code 2); use another one");
                pipeline.changes.pop_back();
            } else {
                pipeline.state.config = pipeline.changes.back();
                pipeline.notice(PipelineNotice::Kind::Switched, text, frame);
            }
        }
        scriptFrames(pipeline, frame, 10);
        for (FrameFigures &figures : pipeline.update.figures) {
            const auto mode = static_cast<std::int64_t>(pipeline.state.config.sync);
            const std::int64_t ns = (mode * 3 % 7 - 1) * 120'000 + std::int64_t{figures.frame} % 9 * 20'000;
            figures.frameNs += ns;
            figures.overlap.periodNs += ns;
        }
        m_fake->poll();
    }
    QVERIFY(!trials.isRunning());
    if (pipeline.changes.back() != pipeline.state.config) { // The setting of before is in use again.
        const std::string text = describeChange(pipeline.state.config, pipeline.changes.back());
        pipeline.state.config = pipeline.changes.back();
        pipeline.notice(PipelineNotice::Kind::Switched, text, frame);
    }
    // The panel's figures are computed by time; now of the setting that is in use again.
    constexpr std::uint32_t kSettled = 60;
    scriptFrames(pipeline, frame, kSettled);
    m_fake->poll();
    PinnedComparison &pinned = m_fake->window().live().compare().pinned();
    const QSignalSpy compared(&pinned, &PinnedComparison::compared);
    QVERIFY(QTest::qWaitFor([&] {
        pinned.refresh();
        m_fake->poll();
        return compared.size() >= 2; // The first may have begun before.
    }));
    QCOMPARE(pinned.comparison()->framesB, std::uint64_t{kSettled});
    m_fake->window().messages()->hide();
}

void TestScreenshots::trials_data()
{
    QTest::addColumn<bool>("light");
    QTest::addColumn<QSize>("size");
    QTest::newRow("compare-trials-dark") << false << QSize(1600, 1000);
    QTest::newRow("compare-trials-light-1024x600") << true << QSize(1024, 600);
}

void TestScreenshots::trials()
{
    QFETCH(bool, light);
    QFETCH(QSize, size);
    m_fake->window().resize(size);
    if (light)
        m_fake->window().actions().lightTheme->trigger();
    runTrials();
    check(QString::fromLatin1(QTest::currentDataTag()));
}

/// A small laptop screen at scale factor 2; in a separate run, because the factor applies to the whole process.
void TestScreenshots::scaled()
{
    if (qApp->devicePixelRatio() != 2)
        QSKIP("Only for a run with QT_SCALE_FACTOR=2.");
    m_fake->window().resize(960, 600);
    runFor(120);
    check(QStringLiteral("scale-2-960x600"));
}

void TestScreenshots::scaledHazards()
{
    if (qApp->devicePixelRatio() != 2)
        QSKIP("Only for a run with QT_SCALE_FACTOR=2.");
    m_fake->window().resize(960, 600);
    runFor(120);
    showHazards(m_fake->window());
    QApplication::processEvents();
    HazardTree *tree = m_fake->window().hazards()->tree();
    tree->scrollToItem(tree->topLevelItem(0)->child(0)->child(0), QAbstractItemView::PositionAtTop);
    check(QStringLiteral("scale-2-hazards"));
}

/// A capture of Jetscope with its settings and some pictures.
static Trace recordedTrace()
{
    FakePipeline script;
    scriptFrames(script, 0, 60);
    Trace trace;
    trace.setLanes(script.update.lanes);
    trace.add(script.update.spans);
    trace.add(script.update.figures);
    for (const std::uint32_t frame : {4U, 12U, 20U, 28U, 36U, 44U, 52U}) {
        QImage picture = street(frame % 8 == 4).scaled(160, 90);
        QPainter(&picture).fillRect(QRect(static_cast<int>(frame) * 2, 70, 20, 10), Qt::red);
        QByteArray bytes;
        QBuffer buffer(&bytes);
        picture.save(&buffer, "PNG");
        Thumbnail thumbnail{frame, trace.frames().at(frame).startNs, {}};
        thumbnail.encoded.resize(static_cast<std::size_t>(bytes.size()));
        std::memcpy(thumbnail.encoded.data(), bytes.constData(), thumbnail.encoded.size());
        trace.add(thumbnail);
    }
    TraceOrigin origin;
    origin.device = "software iGPU (orin rules) on a test CPU";
    origin.source = "synthetic:?size=1280x720&fps=60";
    origin.program = "Jetscope 0.1.0";
    origin.file = "/captures/morning.jscope";
    origin.config = PipelineConfig();
    trace.setOrigin(origin);
    return trace;
}

/// A hidden and a pinned lane, all arrows, and the keys on a counter.
static void arrangeLanes(TimelineView &timeline)
{
    LaneChoices choices;
    choices.setPinned({QStringLiteral("cuda/stream 7")});
    choices.setHidden(QStringLiteral("cpu/thread (pt_autograd_0)"), true);
    timeline.setLaneChoices(choices);
    timeline.setArrows({ArrowChoice::Kind::All, 1'000'000});
    timeline.show({1'018'000'000, 1'045'000'000});
}

void TestScreenshots::traces_data()
{
    QTest::addColumn<bool>("light");
    QTest::addColumn<QSize>("size");
    QTest::addColumn<bool>("file");
    QTest::newRow("trace-dark") << false << QSize(1600, 1000) << false;
    QTest::newRow("trace-light-1024x600") << true << QSize(1024, 600) << false;
    QTest::newRow("trace-file") << false << QSize(1366, 768) << true;
    QTest::newRow("trace-dark-large-font") << false << QSize(1600, 1000) << false;
    QTest::newRow("trace-light-large-font") << true << QSize(1600, 1000) << false;
    QTest::newRow("lanes-dark") << false << QSize(1600, 1000) << false;
    QTest::newRow("lanes-light") << true << QSize(1366, 768) << false;
    QTest::newRow("lanes-light-1024x600") << true << QSize(1024, 600) << false;
}

void TestScreenshots::traces()
{
    QFETCH(bool, light);
    QFETCH(QSize, size);
    QFETCH(bool, file);
    MainWindow &window = m_fake->window();
    if (light)
        window.actions().lightTheme->trigger();
    window.resize(size);
    runFor(120); // It goes on behind the trace.
    const bool lanes = QByteArray(QTest::currentDataTag()).startsWith("lanes");
    Trace trace = lanes ? profilerTrace() : recordedTrace();
    Session::TraceSummary summary;
    summary.figures = summariseTrace(trace);
    window.trace().session().showTrace(std::move(trace), summary);
    if (file)
        window.tabs()->setCurrentWidget(window.trace().filePage());
    else if (lanes)
        arrangeLanes(*window.timeline());
    else
        window.tracePanels().selection().selectFrame(20);
    QTRY_VERIFY(window.tracePanels().panel()->isDone());
    QTRY_VERIFY(file || !window.tracePanels().timeline()->overview()->overview().empty());
    const auto &rows = window.tracePanels().timeline()->layout().rows;
    const auto isIdle = [](const TimelineRow &row) { return row.kind == TimelineRow::Kind::Idle; };
    QTRY_VERIFY(file || std::any_of(rows.begin(), rows.end(), isIdle));
    check(QString::fromLatin1(QTest::currentDataTag()));
}

void TestScreenshots::noTrace()
{
    m_fake->window().showSpace(MainWindow::Space::Trace);
    check(QStringLiteral("trace-none"));
}

void TestScreenshots::notOpen()
{
    m_fake->failWith = "the file /videos/street.avi does not exist; check the path or choose another source";
    QVERIFY(m_fake->open());
    check(QStringLiteral("not-open"));
}

void TestScreenshots::refused()
{
    runFor(120);
    m_fake->pipeline().refuse(
        "cudaMallocManaged: out of memory (code 2); choose a smaller picture or another memory kind");
    m_fake->poll();
    check(QStringLiteral("refused"));
}

void TestScreenshots::empty()
{
    QVERIFY(m_fake->open());
    check(QStringLiteral("empty"));
}

JETSCOPE_TEST(TestScreenshots)
#include "tst_screenshots.moc"
