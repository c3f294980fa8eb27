// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Two captures in the tab that compares: figures, timelines, and captures that cannot be compared.
#include "core/tracefile/savetrace.h"
#include "tests/core/comparetraces.h"
#include "tests/support/fakewindow.h"
#include "tests/support/testprogram.h"
#include "ui/measure/comparedtable.h"
#include "ui/measure/pairedtimelines.h"
#include "ui/style/messagebar.h"
#include "ui/timeline/timelineview.h"
#include "ui/window/windowcompare.h"
#include "ui/window/windowfilecompare.h"

#include <QAction>
#include <QFile>
#include <QPushButton>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>

using namespace jetscope;
using jetscope::test::RunOfFrames;
using jetscope::test::runTrace;

namespace {

/// Kernels take twice as long, and something else differs, too.
Trace slowerTrace(void (*change)(TraceOrigin &origin))
{
    RunOfFrames slower;
    slower.kernelMs *= 2;
    Trace trace = runTrace(2, slower);
    TraceOrigin origin = trace.origin();
    change(origin);
    trace.setOrigin(origin);
    return trace;
}

} // namespace

class TestCompareFiles : public QObject {
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void twoCapturesSideBySide();
    void theTimelinesAreAligned();
    void equalCapturesAreUnchanged();
    void anotherDeviceIsShownWithoutVerdict();
    void differentWorkIsComparedOnRequest();
    void whatCannotBeCompared_data();
    void whatCannotBeCompared();
    void oneFrameIsTooFew();
    void withoutACaptureThereIsNothingToCompareWith();
    void anotherCaptureAsAEndsTheComparison();
    void thePipelineIsComparedInItsOwnTab();
    void closingWhileReadingIsSafe();

private:
    MainWindow &window() { return m_fake->window(); }
    FileComparison &files() { return window().trace().compare().files(); }
    ComparePage &page() { return *window().trace().compare().page(); }
    QString write(const char *name, const Trace &trace)
    {
        const QString path = m_folder->filePath(QLatin1String(name));
        QFile::remove(path); // A capture is not written over another one.
        NoProgress progress;
        return saveTrace(trace, path.toStdString(), progress).ok() ? path : QString();
    }
    void openA(const RunOfFrames &run = {})
    {
        window().trace().opener().open(write("a.jscope", runTrace(1, run)));
        QTRY_VERIFY_WITH_TIMEOUT(
            window().session().phase() == Session::Phase::File && !window().trace().opener().job().isRunning(), 30'000);
    }
    void openB(const QString &path)
    {
        m_fake->chosenPath = path;
        window().actions().compareFile->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!files().job().isRunning(), 30'000);
    }
    QString message() { return window().messages()->text(); }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<FakeWindow> m_fake;
};

void TestCompareFiles::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_fake = std::make_unique<FakeWindow>();
    window().resize(1400, 900);
    window().show();
    QVERIFY(QTest::qWaitForWindowExposed(&window()));
    QVERIFY(m_fake->open());
}

void TestCompareFiles::cleanup()
{
    m_fake.reset();
}

void TestCompareFiles::twoCapturesSideBySide()
{
    openA();
    RunOfFrames slower;
    slower.kernelMs *= 1.05;
    openB(write("b.jscope", runTrace(2, slower)));
    QVERIFY(files().isOpen());
    QCOMPARE(window().tabs()->currentWidget(), &page());
    const CaptureComparison &comparison = *files().comparison();
    QVERIFY2(comparison.noVerdict.empty(), comparison.noVerdict.c_str());
    QCOMPARE(comparison.of(Figure::Period).verdict, RowVerdict::Worse);
    QVERIFY2(page().sentence().startsWith("A is a.jscope, B is b.jscope. B is worse than A: Period +"),
             qPrintable(page().sentence()));
    QStringList names;
    for (QTreeWidgetItemIterator item(page().table()); *item; ++item)
        names << (*item)->text(0) + ' ' + (*item)->text(4);
    for (const char *expected : {"Period ✗ worse", "kernel sobel ✗ worse", "sobel ✗ worse", "tidy up ≈ unchanged"})
        QVERIFY2(names.contains(QString::fromUtf8(expected)), qPrintable(names.join('\n')));
    QCOMPARE(page().table()->headerItem()->text(2), QStringLiteral("B"));
}

void TestCompareFiles::theTimelinesAreAligned()
{
    openA();
    RunOfFrames slower;
    slower.kernelMs *= 2;
    openB(write("b.jscope", runTrace(2, slower)));
    page().setView(ComparePage::View::Timelines);
    QApplication::processEvents();
    const PairedTimelines &both = *page().timelines();
    QVERIFY(both.aligned());
    const auto [a, b] = *both.aligned();
    const FrameTable &framesA = window().session().trace().frames();
    const FrameTable &framesB = files().other().frames();
    QCOMPARE(framesA.at(framesA.range(a, a + 1).first).startNs, a);
    QCOMPARE(framesB.at(framesB.range(b, b + 1).first).startNs, b);
    QVERIFY(std::abs(pixelAt(both.above()->scale(), a) - pixelAt(both.below()->scale(), b)) < 0.01);
    QCOMPARE(both.above()->scale().nsPerPixel, both.below()->scale().nsPerPixel);
    both.below()->camera().zoomAt(200, 0.25);
    both.above()->camera().panBy(-50);
    QVERIFY(std::abs(pixelAt(both.above()->scale(), a) - pixelAt(both.below()->scale(), b)) < 0.01);
    // Both names can be read.
    QVERIFY(both.above()->accessibleName().contains("A · a.jscope"));
    QVERIFY(both.below()->accessibleName().contains("B · b.jscope"));
}

void TestCompareFiles::equalCapturesAreUnchanged()
{
    openA();
    openB(write("b.jscope", runTrace(2)));
    QCOMPARE(files().comparison()->of(Figure::Period).verdict, RowVerdict::Unchanged);
    QVERIFY(page().sentence().contains("No figure of the frames is shown to differ"));
}

void TestCompareFiles::anotherDeviceIsShownWithoutVerdict()
{
    openA();
    openB(write("b.jscope", slowerTrace([](TraceOrigin &origin) { origin.device = "another device"; })));
    QVERIFY2(page().sentence().contains("No verdict, because the device differs (a device in a.jscope, another device "
                                        "in b.jscope)"),
             qPrintable(page().sentence()));
    QCOMPARE(files().comparison()->of(Figure::Period).verdict, RowVerdict::NotComparable);
    QVERIFY(!page().timelines()->isEmpty()); // Still shown.
}

void TestCompareFiles::differentWorkIsComparedOnRequest()
{
    openA();
    openB(write("b.jscope", slowerTrace([](TraceOrigin &origin) { origin.source = "another source"; })));
    QVERIFY2(page().sentence().contains("No verdict, because the source differs ("), qPrintable(page().sentence()));
    const auto shownChange = [this] {
        for (QTreeWidgetItemIterator item(page().table()); *item; ++item)
            if ((*item)->text(0) == "Period")
                return (*item)->text(3) + (*item)->text(5);
        return QString();
    };
    QCOMPARE(shownChange(), QString("––")); // A difference of different work is not stated.
    auto *anyway = page().findChild<QPushButton *>(QStringLiteral("compareAnyway"));
    QVERIFY(anyway->isVisible());
    QTest::mouseClick(anyway, Qt::LeftButton);
    QVERIFY2(page().sentence().contains("Different work is compared: the source differs (")
                 && page().sentence().contains("B is worse than A"),
             qPrintable(page().sentence()));
    QCOMPARE(files().comparison()->of(Figure::Period).verdict, RowVerdict::Worse);
    QVERIFY2(shownChange().contains(" to +"), qPrintable(shownChange()));
    QVERIFY(!anyway->isVisible());
    openB(write("c.jscope", runTrace(3))); // The same work needs no request, and the next other work does.
    QVERIFY(!anyway->isVisible());
    openB(m_folder->filePath("b.jscope"));
    QCOMPARE(files().comparison()->of(Figure::Period).verdict, RowVerdict::NotComparable);
}

void TestCompareFiles::whatCannotBeCompared_data()
{
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("mention");
    QTest::newRow("empty capture") << "empty"
                                   << "has neither spans nor frames";
    QTest::newRow("no file") << "missing"
                             << "could not be compared";
    QTest::newRow("garbage") << "garbage"
                             << "could not be compared";
    QTest::newRow("truncated") << "truncated"
                               << "could not be compared";
    QTest::newRow("without frames") << "frameless"
                                    << "b.jscope has no frames and a.jscope has";
}

void TestCompareFiles::whatCannotBeCompared()
{
    QFETCH(QString, what);
    QFETCH(QString, mention);
    openA();
    QString path = m_folder->filePath(QStringLiteral("b.jscope"));
    if (what == QStringLiteral("empty")) {
        path = write("b.jscope", Trace());
    } else if (what == QStringLiteral("frameless")) {
        RunOfFrames run;
        run.withFrames = false;
        path = write("b.jscope", runTrace(2, run));
    } else if (what == QStringLiteral("garbage")) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(QByteArray(5000, 'x')) == 5000);
    } else if (what == QStringLiteral("truncated")) {
        QVERIFY(QFile::resize(write("b.jscope", runTrace(2)), 3000));
    }
    openB(path);
    QVERIFY(!files().isOpen());
    QVERIFY2(message().contains(mention), qPrintable(message()));
    QVERIFY(page().timelines()->isEmpty());
    QVERIFY(window().session().phase() == Session::Phase::File); // A stays.
}

void TestCompareFiles::oneFrameIsTooFew()
{
    openA();
    RunOfFrames brief;
    brief.frames = 1;
    openB(write("b.jscope", runTrace(2, brief)));
    QVERIFY(files().isOpen());
    QCOMPARE(files().comparison()->of(Figure::Period).verdict, RowVerdict::TooFewFrames);
    QVERIFY2(page().sentence().contains("too short (300 and 1 frames)"), qPrintable(page().sentence()));
}

void TestCompareFiles::withoutACaptureThereIsNothingToCompareWith()
{
    QVERIFY(!window().actions().compareFile->isEnabled());
    QVERIFY(window().actions().compareFile->toolTip().startsWith("Open a capture first"));
    files().compareWith(QStringLiteral("/nowhere"));
    QVERIFY(!files().job().isRunning());
    openA();
    QVERIFY(window().actions().compareFile->isEnabled());
    QVERIFY(!page().findChild<QPushButton *>(QStringLiteral("pinA")));
}

void TestCompareFiles::anotherCaptureAsAEndsTheComparison()
{
    openA();
    openB(write("b.jscope", runTrace(2)));
    page().setView(ComparePage::View::Timelines);
    QApplication::processEvents();
    window().trace().opener().open(write("c.jscope", runTrace(3)));
    QTRY_VERIFY(!window().trace().opener().job().isRunning());
    QVERIFY(!files().isOpen());
    QVERIFY(files().other().empty());
    QVERIFY(page().timelines()->isEmpty());
}

void TestCompareFiles::thePipelineIsComparedInItsOwnTab()
{
    openA();
    openB(write("b.jscope", runTrace(2)));
    QVERIFY(m_fake->open());
    QVERIFY(files().isOpen()); // It is kept while the pipeline is shown.
    const ComparePage &live = *window().live().compare().page();
    QVERIFY(live.timelines()->isEmpty());
    QVERIFY(live.sentence().startsWith("Pin the present as A"));
}

void TestCompareFiles::closingWhileReadingIsSafe()
{
    RunOfFrames run;
    run.frames = 600;
    openA(run);
    m_fake->chosenPath = write("b.jscope", runTrace(2, run));
    window().actions().compareFile->trigger();
    QVERIFY(files().job().isRunning());
    window().trace().session().showTrace(Trace(), std::nullopt); // A is replaced while it is read.
    QTRY_VERIFY(!files().job().isRunning());
    QVERIFY(!files().isOpen());
    openA(run);
    m_fake->chosenPath = write("b.jscope", runTrace(2, run));
    window().actions().compareFile->trigger();
    QVERIFY(files().job().isRunning());
    window().close();
    m_fake.reset();
}

JETSCOPE_TEST(TestCompareFiles)
#include "tst_comparefiles.moc"
