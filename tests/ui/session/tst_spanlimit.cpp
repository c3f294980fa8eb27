// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/progress.h"
#include "core/tracefile/savetrace.h"
#include "tests/support/fakewindow.h"
#include "tests/support/largetrace.h"
#include "tests/support/testprogram.h"
#include "tests/support/teststep.h"
#include "ui/files/tracefilepage.h"
#include "ui/session/spanlimit.h"
#include "ui/style/messagebar.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"
#include "ui/timeline/timelineview.h"

#include <QApplication>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QToolButton>

#include <cmath>

using namespace jetscope;

/// Limit of spans in a trace.
class TestSpanLimit : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { applyTheme(*qApp, darkTheme()); }
    void init();
    void cleanup();
    void theMenuSaysWhatSpansTake();
    void aChoiceDiscardsTheOldestAtOnce();
    void whatGoesBeyondItIsDiscarded();
    void itIsRemembered();
    void filesKeepTheirNewest();
    void itWaitsForWhoeverReads();

private:
    MainWindow &window() { return m_fake->window(); }
    const Trace &trace() { return window().session().trace(); }
    QToolButton *door() { return window().findChild<QToolButton *>(QStringLiteral("traceState")); }
    void run(std::uint32_t first, std::uint32_t frames);
    /// Clicks the span count and, in its menu, the entry for this number of millions.
    bool choose(const char *millions);

    std::unique_ptr<QTemporaryDir> m_home;
    std::unique_ptr<FakeWindow> m_fake;
};

namespace {

constexpr std::uint32_t kSpansPerFrame = 11;
constexpr std::uint32_t kFrames = 290'000; // 3.2 million spans.

QAction *entry(const QMenu &menu, const char *millions)
{
    const QString beginning = QStringLiteral("Keep at most %1 million spans").arg(QLatin1String(millions));
    for (QAction *action : menu.actions())
        if (action->text().startsWith(beginning))
            return action;
    return nullptr;
}

} // namespace

void TestSpanLimit::init()
{
    m_home = std::make_unique<QTemporaryDir>();
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_home->path());
    m_fake = std::make_unique<FakeWindow>();
    window().resize(1500, 950);
    window().show();
    QVERIFY(QTest::qWaitForWindowExposed(&window()));
    QVERIFY(m_fake->open());
}

void TestSpanLimit::cleanup()
{
    m_fake.reset();
}

void TestSpanLimit::run(std::uint32_t first, std::uint32_t frames)
{
    constexpr std::uint32_t kAtOnce = 10'000;
    for (std::uint32_t done = 0; done < frames; done += kAtOnce) {
        scriptFrames(m_fake->pipeline(), first + done, std::min(kAtOnce, frames - done));
        m_fake->poll();
    }
}

bool TestSpanLimit::choose(const char *millions)
{
    bool chosen = false;
    QTimer look;
    connect(&look, &QTimer::timeout, this, [&] {
        auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
        if (!menu || chosen)
            return;
        QAction *action = entry(*menu, millions);
        chosen = action != nullptr;
        if (chosen)
            QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
        else
            menu->close();
    });
    look.start(1);
    QTest::mouseClick(door(), Qt::LeftButton);
    return QTest::qWaitFor([&] { return chosen && !QApplication::activePopupWidget(); });
}

void TestSpanLimit::theMenuSaysWhatSpansTake()
{
    const Trace large = largeTrace(1'000'000);
    SpanLimitMenu menu(large, nullptr);
    emit menu.aboutToShow();
    const double bytes = static_cast<double>(large.memoryBytes()) / static_cast<double>(large.spanCount());
    QVERIFY(entry(menu, "20")->text().contains(bytesText(20e6 * bytes)));
    QVERIFY(entry(menu, "10")->isChecked());
    // The default estimate is close.
    QVERIFY2(bytesPerSpan(Trace()) > bytes * 0.7 && bytesPerSpan(Trace()) < bytes * 1.5,
             qPrintable(QString::number(bytes)));
    menu.setCurrent(3'000'000); // Set on the command line.
    emit menu.aboutToShow();
    QVERIFY(entry(menu, "3")->isChecked());
    QVERIFY(!entry(menu, "10")->isChecked());
    for (const QAction *action : menu.actions())
        QVERIFY(!action->toolTip().isEmpty());
}

void TestSpanLimit::aChoiceDiscardsTheOldestAtOnce()
{
    run(0, kFrames);
    QCOMPARE(trace().spanCount(), std::uint64_t(kFrames) * kSpansPerFrame);
    QVERIFY(!door()->text().contains(QStringLiteral("discarded")));
    QTest::keyClick(window().timeline(), Qt::Key_F); // Shows the whole trace.
    QVERIFY(choose("2"));
    QCOMPARE(window().session().mostSpans(), std::uint64_t(2'000'000));
    QVERIFY(trace().spanCount() <= 2'000'000);
    QCOMPARE(trace().droppedSpans(), std::uint64_t(2'000'000));
    QVERIFY2(door()->text().contains(QStringLiteral("%L1 discarded").arg(2'000'000)), qPrintable(door()->text()));
    QVERIFY(door()->toolTip().contains(QStringLiteral("2 million at most")));
    QVERIFY2(window().timeline()->summary().contains(QStringLiteral("2 million spans discarded")),
             qPrintable(window().timeline()->summary()));
    // The timeline marks the beginning of a shortened trace.
    TimelineView &timeline = *window().timeline();
    const auto edgeColor = [&] {
        const double edge = timeline.layout().metrics.labelWidth + pixelAt(timeline.scale(), trace().oldestNs());
        const QImage picture = timeline.viewport()->grab().toImage();
        return picture.pixelColor(static_cast<int>(std::floor(edge)) - 1, timeline.layout().contentTop() + 90);
    };
    QTest::keyClick(&timeline, Qt::Key_F);
    QTest::keyClick(&timeline, Qt::Key_S); // Slightly more than the whole trace.
    QCOMPARE(edgeColor(), theme().warn);
}

void TestSpanLimit::whatGoesBeyondItIsDiscarded()
{
    QVERIFY(choose("2"));
    run(0, kFrames);
    QVERIFY(trace().spanCount() <= 2'000'000);
    QCOMPARE(trace().spanCount() + trace().droppedSpans(), std::uint64_t(kFrames) * kSpansPerFrame);
    QVERIFY(choose("5")); // A larger limit restores nothing, and stops the loss of spans.
    const std::uint64_t dropped = trace().droppedSpans();
    run(kFrames, 100'000);
    QCOMPARE(trace().droppedSpans(), dropped);
    QVERIFY(m_fake->open()); // The limit applies to the next pipeline, too.
    QCOMPARE(trace().mostSpans(), std::uint64_t(5'000'000));
}

void TestSpanLimit::itIsRemembered()
{
    m_fake = std::make_unique<FakeWindow>(SessionRequest(), Settings::Use::Normal);
    window().resize(1500, 950);
    window().show();
    QVERIFY(m_fake->open());
    QVERIFY(choose("20"));
    window().close();
    m_fake = std::make_unique<FakeWindow>(SessionRequest(), Settings::Use::Normal);
    QVERIFY(m_fake->open());
    QCOMPARE(trace().mostSpans(), std::uint64_t(20'000'000));
    for (const char *wrong : {"1", "-5", "", "20000000000000000000000", "many", "1999999"}) {
        Settings(Settings::Use::Normal).save("trace/most-spans", QString::fromLatin1(wrong));
        QCOMPARE(Settings(Settings::Use::Normal).mostSpans(), Trace::kDefaultMaxSpans);
    }
}

void TestSpanLimit::filesKeepTheirNewest()
{
    const QString path = m_home->filePath(QStringLiteral("long.jscope"));
    NoProgress progress;
    QVERIFY(saveTrace(largeTrace(2'300'000), path.toStdString(), progress).ok());
    const auto open = [&] {
        window().trace().opener().open(path);
        QTRY_VERIFY_WITH_TIMEOUT(!window().trace().opener().job().isRunning(), 60'000);
    };
    QVERIFY(choose("2"));
    JETSCOPE_STEP(open());
    QVERIFY2(window().session().phase() == Session::Phase::File, qPrintable(window().messages()->text()));
    QVERIFY(trace().spanCount() <= 2'000'000);
    QCOMPARE(trace().droppedSpans(), std::uint64_t(1'000'000));
    QVERIFY(window().findChild<TraceFilePage *>()->text().contains(QStringLiteral("beyond the limit")));
    QVERIFY(choose("10"));
    JETSCOPE_STEP(open());
    QVERIFY(trace().spanCount() >= 2'300'000);
    QCOMPARE(trace().droppedSpans(), std::uint64_t(0));
}

void TestSpanLimit::itWaitsForWhoeverReads()
{
    run(0, kFrames);
    m_fake->chosenPath = m_home->filePath(QStringLiteral("all.csv"));
    QTest::keyClick(&window(), Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(window().files().job().isRunning()); // The event loop delivers the end of the job.
    window().setMostSpans(2'000'000);
    QCOMPARE(trace().droppedSpans(), std::uint64_t(0)); // The trace is held for another thread.
    QTRY_VERIFY_WITH_TIMEOUT(!window().files().job().isRunning(), 60'000);
    QCOMPARE(trace().droppedSpans(), std::uint64_t(2'000'000));
}

JETSCOPE_TEST(TestSpanLimit)
#include "tst_spanlimit.moc"
