// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The lab: its pages, and the latency of frames that show the clock of the window.
#include "core/time/clock.h"
#include "gpu/pipeline/inputwatch.h"
#include "tests/support/fakewindow.h"
#include "tests/support/testprogram.h"
#include "ui/lab/clockview.h"
#include "ui/lab/labview.h"
#include "ui/lab/latencychart.h"
#include "ui/lab/latencypage.h"
#include "ui/lab/waterfallview.h"
#include "ui/window/workspacebar.h"

#include <QComboBox>
#include <QFile>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cstring>
#include <numeric>

using namespace jetscope;

class TestLatencyPage : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup() { m_fake.reset(); }
    void theLabIsAPlaceOfTheWindow();
    void framesAreWatchedOnlyWhileItMeasures();
    void aPlantedDelayIsRead();
    void whatIsMissingIsSaid();
    void theClockCoversAScreenUntilAKeyIsPressed();
    void anotherSourceBeginsAnew();
    void pagesStandInGroups();
    void aBinListsItsFrames();
    void aFrameIsShownOnTheTimeline();
    void theReportIsSaved_data();
    void theReportIsSaved();
    void screenAndCameraAreChosen();

private:
    void measureFrames();
    MainWindow &window() { return m_fake->window(); }
    LatencyPage &page() { return *window().lab()->latency(); }
    std::shared_ptr<InputWatch> watch() { return m_fake->pipeline().inputWatch; }
    void measure()
    {
        window().showSpace(MainWindow::Space::Lab);
        QTest::mouseClick(page().findChild<QPushButton *>(QStringLiteral("latencyStart")), Qt::LeftButton);
    }
    /// The next picture that the clock shows.
    QImage shownPicture();
    /// The camera delivers this picture now.
    void see(const QImage &picture);
    /// The pipeline finishes the frames that were seen.
    void finish(std::int64_t workNs);

    std::unique_ptr<FakeWindow> m_fake;
    std::vector<CapturedFrame> m_seen; ///< Not finished yet.
    std::uint64_t m_next = 0;
    std::uint32_t m_nextFrame = 0;
};

void TestLatencyPage::init()
{
    m_seen.clear();
    m_next = m_nextFrame = 0;
    m_fake = std::make_unique<FakeWindow>();
    window().resize(1500, 950);
    window().show();
    QVERIFY(QTest::qWaitForWindowExposed(&window()));
    QVERIFY(m_fake->open());
}

QImage TestLatencyPage::shownPicture()
{
    QSignalSpy shown(page().clock(), &ClockView::shown);
    return shown.wait(5000) ? page().clock()->grab().toImage().convertToFormat(QImage::Format_Grayscale8) : QImage();
}

void TestLatencyPage::see(const QImage &picture)
{
    const ImageLayout layout = makeImageLayout(PixelFormat::Grey8, picture.width(), picture.height());
    std::vector<std::byte> bytes(layout.bytes);
    for (int y = 0; y < picture.height(); ++y)
        std::memcpy(bytes.data() + layout.planes[0].pitch * static_cast<std::size_t>(y), picture.constScanLine(y),
                    static_cast<std::size_t>(picture.width()));
    const CapturedFrame frame{m_next++, nowNs()};
    watch()->arrived(frame, layout, bytes.data());
    m_seen.push_back(frame);
}

void TestLatencyPage::finish(std::int64_t workNs)
{
    for (const CapturedFrame &frame : m_seen) {
        FrameFigures figures;
        figures.frame = m_nextFrame;
        figures.startNs = frame.captureNs + 1'000'000;
        figures.frameNs = workNs;
        figures.latencyNs = workNs + 2'000'000;
        m_fake->pipeline().numberFrom({m_nextFrame++, frame.index});
        m_fake->pipeline().update.figures.push_back(figures);
    }
    m_seen.clear();
    m_fake->poll();
}

void TestLatencyPage::theLabIsAPlaceOfTheWindow()
{
    QTest::keyClick(&window(), Qt::Key_4, Qt::AltModifier);
    QCOMPARE(window().space(), MainWindow::Space::Lab);
    QVERIFY(page().isVisible());
    QCOMPARE(window().bar()->tabs()->detail(static_cast<int>(MainWindow::Space::Lab)),
             QStringLiteral("Glass to glass"));
    QVERIFY(window().lab()->list()->hasFocus());
    QVERIFY(page().verdictText().contains(QStringLiteral("measure")));
}

void TestLatencyPage::framesAreWatchedOnlyWhileItMeasures()
{
    window().showSpace(MainWindow::Space::Lab);
    QVERIFY(!watch() && !page().clock()->isRunning());
    measure();
    QVERIFY(watch() && page().clock()->isRunning());
    window().showSpace(MainWindow::Space::Live);
    QVERIFY(!watch() && !page().clock()->isRunning());
    window().showSpace(MainWindow::Space::Lab);
    QVERIFY(watch() && page().clock()->isRunning());
    measure(); // Pauses.
    QVERIFY(!watch() && !page().clock()->isRunning());
}

void TestLatencyPage::aPlantedDelayIsRead()
{
    constexpr std::int64_t kMs = 1'000'000;
    constexpr std::int64_t kDelay = 50 * kMs;
    measure();
    QVERIFY(!shownPicture().isNull());
    QTRY_VERIFY_WITH_TIMEOUT((see(shownPicture()),
                              page().meter()->counts().of(ClockSight::Read) > 0
                                  || (finish(5 * kMs), page().meter()->counts().of(ClockSight::Read) > 0)),
                             20'000);
    page().restart();
    QTRY_VERIFY_WITH_TIMEOUT((see(shownPicture()), finish(5 * kMs), page().meter()->counts().of(ClockSight::Read) > 0),
                             20'000); // The restarted search.
    const std::size_t before = page().meter()->frames().size();
    for (int i = 0; i < 12; ++i) {
        const QImage picture = shownPicture();
        const std::int64_t shownNs = nowNs();
        QTRY_VERIFY(nowNs() - shownNs >= kDelay);
        see(picture);
        finish(5 * kMs);
    }
    QVERIFY(page().meter()->frames().size() >= before + 12);
    // The delay, 1 ms of queue, 5 of work, 2 until the swap; more only by what the test itself needs.
    const FrameLatency &last = page().meter()->frames().back();
    const LatencyParts parts = last.parts(false);
    QCOMPARE(std::accumulate(parts.begin(), parts.end(), std::int64_t{0}), last.totalNs());
    QVERIFY(last.arrivedNs - last.shown.fromNs >= kDelay);
    QTRY_VERIFY(!page().result().isEmpty());
    QVERIFY(page().verdictText().contains(page().result()));
    QTRY_COMPARE(page().waterfall()->shownFrames().front(), last.number);
    const auto &bins = page().chart()->bins();
    QCOMPARE(static_cast<std::size_t>(std::accumulate(bins.begin(), bins.end(), 0)), page().meter()->frames().size());
    const auto number = [&](int row, int column) {
        return page().parts()->item(row, column)->text().split(' ').front().toDouble();
    };
    for (const int column : {1, 2}) {
        double sum = 0;
        for (int row = 0; row < static_cast<int>(kLatencyParts); ++row)
            sum += number(row, column);
        QVERIFY2(std::abs(sum - number(static_cast<int>(kLatencyParts), column)) < 0.3,
                 qPrintable(QString::number(sum)));
    }
    QVERIFY(window().lab()->list()->currentItem()->text().contains(page().result()));
}

void TestLatencyPage::whatIsMissingIsSaid()
{
    measure();
    QImage grey(640, 360, QImage::Format_Grayscale8);
    grey.fill(90);
    see(grey);
    QTRY_VERIFY(page().hint().contains(QStringLiteral("No clock in view")));
    QVERIFY(page().result().isEmpty());
    watch()->arrived({m_next++, nowNs()}, makeImageLayout(PixelFormat::Grey8, 64, 64), nullptr);
    QTRY_VERIFY(page().hint().contains(QStringLiteral("another memory kind")));
    m_fake->failWith = "the camera is gone";
    QVERIFY(m_fake->open());
    window().showSpace(MainWindow::Space::Lab);
    QTRY_VERIFY(page().hint().contains(QStringLiteral("no pipeline")));
}

void TestLatencyPage::theClockCoversAScreenUntilAKeyIsPressed()
{
    window().showSpace(MainWindow::Space::Lab);
    QTest::mouseClick(page().findChild<QPushButton *>(QStringLiteral("clockFullScreen")), Qt::LeftButton);
    ClockView *clock = page().fullScreenClock();
    QVERIFY(clock && clock->isVisible() && clock->isRunning());
    QVERIFY(page().isMeasuring() && !page().clock()->isRunning()); // Two clocks would be in view.
    QSignalSpy shown(clock, &ClockView::shown);
    QVERIFY(shown.wait(5000));
    QTest::keyClick(clock, Qt::Key_A);
    QTRY_VERIFY(!page().fullScreenClock());
    QVERIFY(page().clock()->isRunning());
}

void TestLatencyPage::anotherSourceBeginsAnew()
{
    measure();
    see(shownPicture());
    finish(1'000'000);
    QCOMPARE(page().meter()->counts().frames, std::uint64_t{1});
    m_fake->pipeline().state.source.uri = "pattern:?size=64x64";
    m_fake->poll();
    QTRY_COMPARE(page().meter()->counts().frames, std::uint64_t{0});
    QVERIFY(!page().clock()->isRunning()); // That source has a clock of its own.
}

void TestLatencyPage::pagesStandInGroups()
{
    LabView &lab = *window().lab();
    lab.addPage(QStringLiteral("GPU"), QStringLiteral("Share of the GPU"), new QWidget);
    auto *added = new QWidget;
    lab.addPage(QStringLiteral("Latency"), QStringLiteral("Round trips"), added);
    QStringList texts;
    for (int i = 0; i < lab.list()->count(); ++i)
        texts << lab.list()->item(i)->text();
    QCOMPARE(texts,
             (QStringList{"Latency", "Glass to glass", "Missing frames", "Camera stamps", "Round trips", "Cameras",
                          "Several cameras", "Device", "Probe", "Experiments", "GPU", "Share of the GPU"}));
    lab.showPage(added);
    QCOMPARE(lab.page(), added);
    QCOMPARE(lab.detail(), QStringLiteral("Round trips"));
    lab.setResult(added, QStringLiteral("sound"));
    QCOMPARE(lab.list()->item(4)->text(), QStringLiteral("Round trips · sound"));
    QCOMPARE(lab.detail(), QStringLiteral("Round trips"));
}

void TestLatencyPage::measureFrames()
{
    constexpr std::int64_t kMs = 1'000'000;
    measure();
    QTRY_VERIFY_WITH_TIMEOUT((see(shownPicture()), finish(5 * kMs), page().meter()->frames().size() >= 8), 30'000);
}

void TestLatencyPage::aBinListsItsFrames()
{
    measureFrames();
    measure(); // Pauses: nothing moves any more.
    LatencyChart &chart = *page().chart();
    const std::vector<int> bins = chart.bins();
    QVERIFY(!bins.empty());
    chart.setFocus();
    QTest::keyClick(&chart, Qt::Key_Right);
    QVERIFY(chart.range());
    const auto first = static_cast<std::size_t>(
        std::find_if(bins.begin(), bins.end(), [](int count) { return count > 0; }) - bins.begin());
    QCOMPARE(chart.range()->first, chart.firstMs() + static_cast<int>(first) * chart.binMs());
    QCOMPARE(page().waterfall()->shownFrames().size(), static_cast<std::size_t>(bins[first]));
    auto *all = page().findChild<QPushButton *>(QStringLiteral("latencyRange"));
    QVERIFY(all->isVisible() && all->text().contains(QString::number(chart.range()->first)));
    QTest::mouseClick(all, Qt::LeftButton);
    QVERIFY(!chart.range() && !all->isVisible());
    QVERIFY(page().waterfall()->shownFrames().size() > static_cast<std::size_t>(bins[first])
            || std::count(bins.begin(), bins.end(), 0) == static_cast<std::ptrdiff_t>(bins.size()) - 1);
    // The mouse: the middle of the last bar, twice.
    const QPoint last(chart.width() - 12, chart.height() / 2);
    QTest::mouseClick(&chart, Qt::LeftButton, {}, last);
    QVERIFY(chart.range());
    QTest::mouseClick(&chart, Qt::LeftButton, {}, last);
    QVERIFY(!chart.range());
}

void TestLatencyPage::aFrameIsShownOnTheTimeline()
{
    measureFrames();
    measure();
    QSignalSpy wanted(&page(), &LatencyPage::frameWanted);
    page().waterfall()->setFocus();
    QTest::keyClick(page().waterfall(), Qt::Key_Return); // No frame is chosen.
    QCOMPARE(wanted.size(), 0);
    QTest::keyClick(page().waterfall(), Qt::Key_Down);
    QTest::keyClick(page().waterfall(), Qt::Key_Return);
    QCOMPARE(wanted.size(), 1);
    QCOMPARE(window().space(), MainWindow::Space::Live);
}

void TestLatencyPage::theReportIsSaved_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("holds");
    QTest::newRow("Markdown") << "latency.md"
                              << "## Parts";
    QTest::newRow("CSV") << "latency.csv"
                         << "frame,shown_from_ns";
}

void TestLatencyPage::theReportIsSaved()
{
    QFETCH(QString, name);
    QFETCH(QString, holds);
    const QTemporaryDir folder;
    m_fake->chosenPath = folder.filePath(name);
    window().showSpace(MainWindow::Space::Lab);
    auto *report = page().findChild<QPushButton *>(QStringLiteral("latencyReport"));
    QTest::mouseClick(report, Qt::LeftButton); // Nothing was measured: no file.
    QVERIFY(!QFile::exists(m_fake->chosenPath));
    measureFrames();
    QTest::mouseClick(report, Qt::LeftButton);
    QFile file(m_fake->chosenPath);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(file.readAll());
    QVERIFY2(text.contains(holds), qPrintable(text));
    if (name.endsWith(QStringLiteral("csv")))
        QCOMPARE(static_cast<std::size_t>(text.count(u'\n')), page().meter()->frames().size() + 1);
    // A folder that is not there is said, and nothing else happens.
    m_fake->chosenPath = folder.filePath(QStringLiteral("none/") + name);
    QTest::mouseClick(report, Qt::LeftButton);
    QVERIFY(!QFile::exists(m_fake->chosenPath));
}

void TestLatencyPage::screenAndCameraAreChosen()
{
    window().showSpace(MainWindow::Space::Lab);
    QCOMPARE(page().screens()->count(), static_cast<int>(QGuiApplication::screens().size()));
    m_fake->pipeline().state.source.uri = "several:2 of synthetic: | pattern:";
    m_fake->poll();
    QTRY_COMPARE(page().cameras()->count(), 2);
    QCOMPARE(page().cameras()->currentIndex(), 1);
    page().cameras()->setFocus();
    QTest::keyClick(page().cameras(), Qt::Key_Up);
    QTRY_VERIFY(!m_fake->pipeline().sourceChanges.empty());
    QCOMPARE(m_fake->pipeline().sourceChanges.back(), std::string("several:1 of synthetic: | pattern:"));
}

JETSCOPE_TEST(TestLatencyPage)
#include "tst_latencypage.moc"
