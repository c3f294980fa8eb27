// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fakewindow.h"
#include "tests/support/testprogram.h"
#include "ui/files/thumbnailer.h"
#include "ui/frames/framespage.h"
#include "ui/frames/framesview.h"
#include "ui/hazards/hazardlist.h"
#include "ui/live/selectedframeview.h"
#include "ui/selection/selectionpanel.h"
#include "ui/session/traceselection.h"
#include "ui/style/theme.h"
#include "ui/timeline/frametip.h"
#include "ui/timeline/rangebrief.h"
#include "ui/timeline/timelineview.h"
#include "ui/window/tracepanels.h"

#include <QApplication>
#include <QBuffer>
#include <QPushButton>
#include <QTabWidget>
#include <QTest>
#include <QTreeWidget>

#include <cstring>

using namespace jetscope;

namespace {

QColor colorOf(std::uint32_t frame)
{
    return QColor(40 + static_cast<int>(frame % 10) * 20, 90, 160);
}

QImage pictureOf(std::uint32_t frame, QSize size = {640, 360})
{
    QImage picture(size, QImage::Format_RGB32);
    picture.fill(colorOf(frame));
    return picture;
}

Thumbnail thumbnailOf(const Trace &trace, std::uint32_t frame)
{
    QByteArray encoded;
    QBuffer buffer(&encoded);
    if (!buffer.open(QIODevice::WriteOnly) || !pictureOf(frame, {192, 108}).save(&buffer, "PNG"))
        qFatal("no thumbnail");
    Thumbnail thumbnail;
    thumbnail.frame = frame;
    thumbnail.timeNs = trace.frames().at(frame).startNs;
    thumbnail.encoded.resize(static_cast<std::size_t>(encoded.size()));
    std::memcpy(thumbnail.encoded.data(), encoded.constData(), thumbnail.encoded.size());
    return thumbnail;
}

} // namespace

/// The picture of the selected frame, which replaces the live one.
class TestSelectedPictures : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { applyTheme(*qApp, darkTheme()); }
    void init();
    void cleanup();
    void aClickShowsTheFramesOwnPicture();
    void olderFramesAreHeldAsThumbnails();
    void thumbnailsOfOthersAreSmallPicturesOrNone();
    void theNearestOneSaysWhoseItIs();
    void whatIsNotHeldIsSaid();
    void aNearerPictureComesLater();
    void waysBack_data();
    void waysBack();
    void aPausedPictureIsItsFrames();
    void theNewestFramesStayLive();
    void everyWayToChooseShowsTheFrame();
    void rangesLeaveTheLivePicture();
    void livePicturesGoOnBehindIt();
    void framesThatCameTooLateAreCounted();
    void theSourcesNumbersAreShownEverywhere();

private:
    MainWindow &window() { return m_fake->window(); }
    TimelineView &timeline() { return *window().timeline(); }
    SelectedFrameView &held() { return *window().findChild<SelectedFrameView *>(); }
    const Trace &trace() { return window().session().trace(); }
    void run(std::uint32_t first, std::uint32_t frames);
    bool show(std::uint32_t first, std::uint32_t frames, QSize size = {640, 360});
    /// Clicks the middle of a span of the frame, or `fromStart` pixels from its start.
    void click(std::uint32_t frame, int fromStart = 0);
    bool isHeld() { return held().isVisible() && !window().live().video()->isVisible(); }
    bool isLive() { return !held().isVisible() && window().live().video()->isVisible(); }
    QColor middle() { return held().grab().toImage().pixelColor(held().rect().center()); }

    std::unique_ptr<FakeWindow> m_fake;
};

void TestSelectedPictures::init()
{
    m_fake = std::make_unique<FakeWindow>();
    window().resize(1500, 950);
    window().show();
    QVERIFY(QTest::qWaitForWindowExposed(&window()));
    QVERIFY(m_fake->open());
    run(0, 60);
}

void TestSelectedPictures::cleanup()
{
    m_fake.reset();
}

void TestSelectedPictures::run(std::uint32_t first, std::uint32_t frames)
{
    scriptFrames(m_fake->pipeline(), first, frames);
    m_fake->poll();
}

bool TestSelectedPictures::show(std::uint32_t first, std::uint32_t frames, QSize size)
{
    for (std::uint32_t frame = first; frame < first + frames; ++frame)
        if (!m_fake->showPicture(frame, pictureOf(frame, size)))
            return false;
    return true;
}

void TestSelectedPictures::click(std::uint32_t frame, int fromStart)
{
    const TimelineLayout &layout = timeline().layout();
    for (const TimelineRow &row : layout.rows) {
        if (row.label != QStringLiteral("CPU stage"))
            continue;
        const TraceSpan span = trace().tracks()[row.tracks.front()].at(frame);
        timeline().reveal({span.startNs, span.endNs()});
        const double x = fromStart == 0 ? pixelAt(timeline().scale(), span.startNs + span.durationNs / 2)
                                        : pixelAt(timeline().scale(), span.startNs) + fromStart;
        QTest::mouseClick(timeline().viewport(), Qt::LeftButton, {},
                          {layout.metrics.labelWidth + qRound(x), layout.contentTop() + row.top + 17});
        return;
    }
    QFAIL("no such lane");
}

void TestSelectedPictures::aClickShowsTheFramesOwnPicture()
{
    QVERIFY(show(50, 10));
    QVERIFY(isLive());
    click(58);
    QVERIFY(isHeld());
    QCOMPARE(held().held().kind, SelectedPicture::Kind::Whole);
    QCOMPARE(held().held().text, QStringLiteral("frame 58 · stored in full size · 640×360"));
    QCOMPARE(held().accessibleDescription(), held().held().text);
    QCOMPARE(middle(), colorOf(58));
    // New frames and other selections do not change it.
    run(60, 10);
    QVERIFY(m_fake->givePicture(65, pictureOf(65)));
    QTRY_COMPARE(window().live().video()->scene().number, 65u);
    QCOMPARE(middle(), colorOf(58));
    click(53);
    QCOMPARE(middle(), colorOf(53));
}

void TestSelectedPictures::thumbnailsOfOthersAreSmallPicturesOrNone()
{
    const auto decoded = [](const QImage &picture, const char *format) {
        QByteArray encoded;
        QBuffer buffer(&encoded);
        if (!buffer.open(QIODevice::WriteOnly) || !picture.save(&buffer, format))
            qFatal("cannot encode");
        Thumbnail thumbnail;
        thumbnail.encoded.resize(static_cast<std::size_t>(encoded.size()));
        std::memcpy(thumbnail.encoded.data(), encoded.constData(), thumbnail.encoded.size());
        return decodeThumbnail(thumbnail);
    };
    QCOMPARE(decoded(pictureOf(1, {192, 108}), "PNG").size(), QSize(192, 108));
    QCOMPARE(decoded(pictureOf(1, {192, 108}), "JPG").size(), QSize(192, 108));
    QVERIFY(decoded(pictureOf(1, {192, 108}), "BMP").isNull());
    QVERIFY(decoded(pictureOf(1, {192, 108}), "XPM").isNull());
    QVERIFY(decoded(pictureOf(1, {4000, 3000}), "PNG").isNull());
    QVERIFY(decodeThumbnail(Thumbnail()).isNull());
}

void TestSelectedPictures::olderFramesAreHeldAsThumbnails()
{
    window().session().addThumbnail(thumbnailOf(trace(), 20));
    QVERIFY(show(40, 20, {2000, 2000})); // 16 MB each: the memory limit only keeps the newest.
    click(20);
    QVERIFY(isHeld());
    QCOMPARE(held().held().kind, SelectedPicture::Kind::Thumbnail);
    QCOMPARE(held().held().text, QStringLiteral("frame 20 · stored as a thumbnail of 192×108"));
    QCOMPARE(middle(), colorOf(20));
    click(40);
    QVERIFY(held().held().kind != SelectedPicture::Kind::Whole); // No longer stored in full size.
    click(59);
    QCOMPARE(held().held().kind, SelectedPicture::Kind::Whole);
}

void TestSelectedPictures::theNearestOneSaysWhoseItIs()
{
    window().session().addThumbnail(thumbnailOf(trace(), 20));
    window().session().addThumbnail(thumbnailOf(trace(), 33));
    click(22);
    QCOMPARE(held().held().kind, SelectedPicture::Kind::Nearest);
    QCOMPARE(held().held().text, QStringLiteral("frame 20, 33.3 ms before frame 22, which is not stored · thumbnail"));
    QCOMPARE(middle(), colorOf(20));
    click(30);
    QCOMPARE(held().held().text, QStringLiteral("frame 33, 50.0 ms after frame 30, which is not stored · thumbnail"));
}

void TestSelectedPictures::whatIsNotHeldIsSaid()
{
    click(20);
    QVERIFY(isHeld()); // The live picture would be of another frame.
    QCOMPARE(held().held().kind, SelectedPicture::Kind::None);
    QVERIFY(held().held().text.contains(QStringLiteral("No picture of frame 20 was stored")));
    run(60, 140);
    window().session().addThumbnail(thumbnailOf(trace(), 190));
    click(20);
    QCOMPARE(held().held().text, QStringLiteral("The picture of frame 20 is no longer stored."));
    QCOMPARE(middle(), held().grab().toImage().pixelColor(held().rect().center())); // Painting must work.
}

void TestSelectedPictures::aNearerPictureComesLater()
{
    window().session().addThumbnail(thumbnailOf(trace(), 50));
    click(58);
    QCOMPARE(held().held().kind, SelectedPicture::Kind::Nearest);
    window().session().addThumbnail(thumbnailOf(trace(), 58));
    QCOMPARE(held().held().kind, SelectedPicture::Kind::Thumbnail);
}

void TestSelectedPictures::waysBack_data()
{
    QTest::addColumn<QString>("way");
    for (const char *way : {"button", "follow key", "hold key", "escape", "beside", "resume button", "step", "resume"})
        QTest::newRow(way) << QString::fromLatin1(way);
}

void TestSelectedPictures::waysBack()
{
    QFETCH(QString, way);
    QVERIFY(show(50, 10));
    if (way == QStringLiteral("resume")) {
        QTest::keyClick(window().live().video(), Qt::Key_Space);
        m_fake->poll();
    }
    click(57);
    QVERIFY(isHeld());
    if (way == QStringLiteral("button"))
        QTest::mouseClick(held().backToLive(), Qt::LeftButton);
    else if (way == QStringLiteral("follow key"))
        QTest::keyClick(&window(), Qt::Key_End, Qt::ControlModifier);
    else if (way == QStringLiteral("hold key"))
        QTest::keyClick(&timeline(), Qt::Key_H);
    else if (way == QStringLiteral("escape"))
        QTest::keyClick(&timeline(), Qt::Key_Escape);
    else if (way == QStringLiteral("beside"))
        click(58, -14); // Just before the span.
    else if (way == QStringLiteral("resume button"))
        QTest::mouseClick(timeline().findChild<QPushButton *>(QStringLiteral("resume")), Qt::LeftButton);
    else if (way == QStringLiteral("step"))
        QTest::keyClick(&window(), Qt::Key_Period);
    else
        QTest::keyClick(&window(), Qt::Key_Space); // Resumes the pipeline.
    QVERIFY(isLive());
    QVERIFY(m_fake->showPicture(70, pictureOf(70))); // And continues.
    QCOMPARE(window().live().video()->scene().number, 70u);
}

void TestSelectedPictures::aPausedPictureIsItsFrames()
{
    QVERIFY(show(50, 9));
    QTest::keyClick(window().live().video(), Qt::Key_Space);
    m_fake->poll();
    click(58); // The frame on the screen stays live, with all features of the view.
    QVERIFY(isLive());
    QCOMPARE(window().live().video()->scene().number, 58u);
    click(57);
    QVERIFY(isHeld());
    QCOMPARE(middle(), colorOf(57));
    click(58);
    QVERIFY(isLive());
}

void TestSelectedPictures::theNewestFramesStayLive()
{
    QVERIFY(show(50, 10));
    click(58);
    QTest::keyClick(&timeline(), Qt::Key_H); // Follow again while the frame is selected:
    QVERIFY(timeline().isFollowing());
    for (std::uint32_t frame = 60; frame < 90; frame += 10) {
        run(frame, 10); // new frames
        QVERIFY(isLive());
    }
    QTest::keyClick(&timeline(), Qt::Key_A); // and panning do not show its picture,
    QVERIFY(isLive());
    click(58); // but selecting it again does.
    QVERIFY(isHeld());
}

void TestSelectedPictures::everyWayToChooseShowsTheFrame()
{
    QVERIFY(show(50, 10));
    const auto back = [this] { QTest::mouseClick(held().backToLive(), Qt::LeftButton); };
    QTest::keyClick(&timeline(), Qt::Key_BracketRight); // Next frame,
    QVERIFY(isHeld());
    QVERIFY(!timeline().isFollowing());
    back();
    QTest::keyClick(&timeline(), Qt::Key_Left); // previous span,
    QVERIFY(isHeld());
    back();
    window().tabs()->setCurrentWidget(window().tracePanels().frames());
    FramesView &bars = *window().tracePanels().frames()->view();
    window().tracePanels().refresh();
    QTest::mouseClick(&bars, Qt::LeftButton, {}, {bars.pixelOf(57) + 2, bars.height() - 30}); // click on a bar,
    QVERIFY(isHeld());
    QCOMPARE(middle(), colorOf(57));
    QVERIFY(!bars.isFollowing() && !timeline().isFollowing());
    QTest::keyClick(&bars, Qt::Key_Left); // and the bar before it.
    QCOMPARE(middle(), colorOf(56));
    back();
    QVERIFY(isLive());
    QVERIFY(bars.isFollowing() && timeline().isFollowing());
}

void TestSelectedPictures::rangesLeaveTheLivePicture()
{
    QVERIFY(show(50, 10));
    const int left = timeline().layout().metrics.labelWidth;
    QTest::mousePress(timeline().viewport(), Qt::LeftButton, {}, {left + 100, 8});
    QTest::mouseMove(timeline().viewport(), {left + 200, 8});
    QTest::mouseMove(timeline().viewport(), {left + 300, 8});
    QTest::mouseRelease(timeline().viewport(), Qt::LeftButton, {}, {left + 300, 8});
    QVERIFY(window().tracePanels().selection().range().has_value());
    QVERIFY(isLive());
}

void TestSelectedPictures::livePicturesGoOnBehindIt()
{
    QVERIFY(show(50, 10));
    click(58);
    const quint64 shown = window().live().video()->framesShown();
    const std::size_t thumbnails = trace().thumbnails().all().size();
    run(60, 40);
    std::uint32_t frame = 60;
    const auto another = [&] {
        if (frame < 100)
            m_fake->givePicture(frame, pictureOf(frame));
        ++frame;
        m_fake->poll();
        return trace().thumbnails().all().size() > thumbnails + 1;
    };
    QTRY_VERIFY(another());                                             // Thumbnails are made while the view is hidden,
    QCOMPARE(window().live().video()->framesShown(), shown);            // but frames do not count as shown
    QCOMPARE(m_fake->pipeline().mailbox().dropped(), std::uint64_t(0)); // or as dropped.
    QTest::mouseClick(held().backToLive(), Qt::LeftButton);
    QTRY_VERIFY(window().live().video()->framesShown() > shown); // The newest frame is painted at once.
}

void TestSelectedPictures::framesThatCameTooLateAreCounted()
{
    QVERIFY(show(50, 1));
    const quint64 shown = window().live().video()->framesShown();
    for (std::uint32_t frame = 51; frame <= 90; ++frame) // Too fast for the view to paint each.
        m_fake->givePicture(frame, pictureOf(frame));
    QTRY_COMPARE(window().live().video()->scene().number, 90u);
    QTRY_VERIFY(window().live().video()->framesShown() > shown);
    QCOMPARE(m_fake->pipeline().mailbox().dropped() + window().live().video()->framesShown() - shown,
             std::uint64_t(40));
    QVERIFY(m_fake->pipeline().mailbox().dropped() > 30);
}

/// After drops, pauses or a change of source, the frame key of the pipeline differs from the frame number of the
/// source. Users need the latter to find a frame in a recording of the camera.
void TestSelectedPictures::theSourcesNumbersAreShownEverywhere()
{
    m_fake->pipeline().numberFrom({60, 9060});
    run(60, 20);
    QVERIFY(show(60, 20));
    QCOMPARE(window().live().video()->scene().number, 9079u);
    click(70);
    QCOMPARE(held().held().text, QStringLiteral("frame 9070 · stored in full size · 640×360"));
    QTest::keyClick(&timeline(), Qt::Key_Z); // To the selected frame.
    QVERIFY2(timeline().summary().contains(QStringLiteral(" · frame 90")), qPrintable(timeline().summary()));
    QVERIFY(spanTip(trace(), *window().tracePanels().selection().span(), 0).contains(QStringLiteral("frame 9070")));
    FrameTip tip(&timeline());
    tip.showFrame(trace(), 70, {400, 400});
    QVERIFY(tip.text().startsWith(QStringLiteral("frame 9070")));
    QTRY_VERIFY(window().shown().findChild<SelectionPanel *>()->text().contains(QStringLiteral("Frame 9070")));
    click(50); // From before the change.
    QVERIFY(held().held().text.contains(QStringLiteral("frame 50")));
    m_fake->pipeline().notice(PipelineNotice::Kind::Violation, "Something was touched: why", 75, trace().newestNs());
    m_fake->poll();
    QCOMPARE(window().hazards()->findChild<QTreeWidget *>()->topLevelItem(0)->child(0)->text(3),
             QStringLiteral("9075"));
}

JETSCOPE_TEST(TestSelectedPictures)
#include "tst_selectedpictures.moc"
