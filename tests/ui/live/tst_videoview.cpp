// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fakewindow.h"
#include "tests/support/testprogram.h"
#include "ui/live/videooverlay.h"
#include "ui/live/videoview.h"

#include <QApplication>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

using namespace jetscope;

namespace {

QImage filled(int width, int height, const QColor &color)
{
    QImage image(width, height, QImage::Format_RGB32);
    image.fill(color);
    return image;
}

} // namespace

class TestVideoView : public QObject {
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void showsWhatItIsGiven();
    void whatCannotBeReadSaysWhy();
    void inputIsLeftOfTheSplit();
    void inputBelongsToTheShownFrame();
    void draggingTheHandleMovesTheSplit();
    void wheelZoomsAtTheCursorAndDragPans();
    void keysMoveZoomAndFit();
    void inspectorReadsPixels();
    void answersAreDrawnOverTheOutputOnly();
    void hostilePicturesAreHarmless();
    void newestPictureWins();
    void aRestartLosesNoAnnouncement();
    void aLongChainEndsInDotsAndSaysAllInItsTip();

private:
    VideoView *view() const { return m_window->window().live().video(); }
    QWidget *surface() const { return view()->findChild<QWidget *>(QString(), Qt::FindDirectChildrenOnly); }
    QColor seen(double x, double y) const
    {
        return view()->grab().toImage().pixelColor(qRound(x * view()->width()), qRound(y * view()->height()));
    }
    void wheel(QPointF at, int delta);

    std::unique_ptr<FakeWindow> m_window;
};

void TestVideoView::init()
{
    m_window = std::make_unique<FakeWindow>();
    m_window->window().resize(1400, 900);
    m_window->window().show();
    QVERIFY(QTest::qWaitForWindowExposed(&m_window->window()));
    QVERIFY(m_window->open());
    QVERIFY(QTest::qWaitFor([this] { return view()->isVisible() && surface()->isVisible(); }));
}

void TestVideoView::cleanup()
{
    m_window.reset();
}

void TestVideoView::wheel(QPointF at, int delta)
{
    QWheelEvent event(at, surface()->mapToGlobal(at), {}, {0, delta}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                      false);
    QApplication::sendEvent(surface(), &event);
}

void TestVideoView::showsWhatItIsGiven()
{
    QSignalSpy shown(view(), &VideoView::frameShown);
    QVERIFY(m_window->showPicture(7, filled(640, 480, Qt::red)));
    QCOMPARE(shown.back().front().toUInt(), 7u);
    QCOMPARE(view()->scene().number, 7u);
    QCOMPARE(view()->scene().picture, QSize(640, 480));
    QCOMPARE(seen(0.4, 0.3), QColor(Qt::red));
    QCOMPARE(seen(0.6, 0.3), QColor(Qt::red));
    QCOMPARE(view()->framesShown(), quint64(1));
}

void TestVideoView::whatCannotBeReadSaysWhy()
{
    QSignalSpy problems(view(), &VideoView::problem);
    for (int i = 0; i < 3; ++i)
        m_window->failPicture(Error{"glReadPixels", 0x505, "out of memory"});
    QTRY_COMPARE(problems.count(), 1); // Each frame fails in the same way.
    QVERIFY(problems.front().front().toString().contains(QStringLiteral("glReadPixels: out of memory")));
    m_window->failPicture(Error{"glReadPixels", 0x507, "the context is lost"});
    QTRY_COMPARE(problems.count(), 2);
}

void TestVideoView::inputIsLeftOfTheSplit()
{
    QVERIFY(m_window->pipeline().inputsWanted);
    m_window->pipeline().addInput(3, 640, 480, 200);
    QVERIFY(m_window->showPicture(3, filled(640, 480, Qt::red)));
    QCOMPARE(seen(0.4, 0.3), QColor(200, 200, 200));
    QCOMPARE(seen(0.6, 0.3), QColor(Qt::red));
    m_window->window().actions().showBefore->trigger();
    QCOMPARE(seen(0.4, 0.3), QColor(Qt::red));
    QVERIFY(!m_window->pipeline().inputsWanted);
}

void TestVideoView::inputBelongsToTheShownFrame()
{
    for (std::uint32_t frame = 0; frame < 20; ++frame) {
        m_window->pipeline().addInput(frame, 64, 48, static_cast<std::uint8_t>(frame * 10));
        QVERIFY(m_window->showPicture(frame, filled(64, 48, QColor(0, 0, static_cast<int>(frame) * 10))));
        const int grey = static_cast<int>(frame) * 10;
        QCOMPARE(view()->scene().before.pixelColor(5, 5), QColor(grey, grey, grey));
        QCOMPARE(view()->scene().number, frame);
    }
}

void TestVideoView::draggingTheHandleMovesTheSplit()
{
    m_window->pipeline().addInput(0, 640, 480, 200);
    QVERIFY(m_window->showPicture(0, filled(640, 480, Qt::red)));
    const QPoint handle(surface()->width() / 2, surface()->height() / 2);
    const QPoint target(surface()->width() * 7 / 10, handle.y() + 40);
    QTest::mousePress(surface(), Qt::LeftButton, {}, handle);
    QTest::mouseMove(surface(), target);
    QTest::mouseRelease(surface(), Qt::LeftButton, {}, target);
    QVERIFY(qAbs(view()->scene().split - 0.7) < 0.01);
    QVERIFY(view()->scene().transform.fit); // The view was not panned.
    QCOMPARE(seen(0.6, 0.3), QColor(200, 200, 200));
    QTest::mousePress(surface(), Qt::LeftButton, {}, target);
    QTest::mouseMove(surface(), QPoint(-500, 10));
    QTest::mouseRelease(surface(), Qt::LeftButton, {}, QPoint(-500, 10));
    QCOMPARE(view()->scene().split, 0.0);
}

void TestVideoView::wheelZoomsAtTheCursorAndDragPans()
{
    QVERIFY(m_window->showPicture(0, filled(640, 480, Qt::red)));
    const QSize size = view()->size();
    const QPointF cursor(size.width() * 0.6, size.height() * 0.4);
    const QPointF fixed = pictureAt(view()->scene().transform, size, {640, 480}, cursor);
    for (int i = 0; i < 5; ++i)
        wheel(cursor, 120);
    QVERIFY(!view()->scene().transform.fit);
    QVERIFY((pictureAt(view()->scene().transform, size, {640, 480}, cursor) - fixed).manhattanLength() < 1);

    const QPoint from(size.width() / 4, size.height() / 4);
    const QPointF held = pictureAt(view()->scene().transform, size, {640, 480}, from);
    QTest::mousePress(surface(), Qt::LeftButton, {}, from);
    QTest::mouseMove(surface(), from + QPoint(30, 20));
    QTest::mouseRelease(surface(), Qt::LeftButton, {}, from + QPoint(30, 20));
    QVERIFY((pictureAt(view()->scene().transform, size, {640, 480}, from + QPoint(30, 20)) - held).manhattanLength()
            < 1);
    QTest::mouseDClick(surface(), Qt::LeftButton, {}, from);
    QTest::mouseRelease(surface(), Qt::LeftButton, {}, from);
    QVERIFY(view()->scene().transform.fit);
}

void TestVideoView::keysMoveZoomAndFit()
{
    m_window->pipeline().addInput(0, 640, 480, 200);
    QVERIFY(m_window->showPicture(0, filled(640, 480, Qt::red)));
    QTest::keyClick(view(), Qt::Key_Right, Qt::ControlModifier);
    QVERIFY(view()->scene().split > 0.5);
    QTest::keyClick(view(), Qt::Key_1);
    QCOMPARE(scaleIn(view()->scene().transform, view()->size(), {640, 480}), 1.0);
    QTest::keyClick(view(), Qt::Key_Plus);
    QCOMPARE(scaleIn(view()->scene().transform, view()->size(), {640, 480}), 1.2);
    const QPointF centre = view()->scene().transform.centre;
    QTest::keyClick(view(), Qt::Key_Left);
    QVERIFY(view()->scene().transform.centre.x() < centre.x());
    QTest::keyClick(view(), Qt::Key_0);
    QVERIFY(view()->scene().transform.fit);
}

void TestVideoView::inspectorReadsPixels()
{
    QImage picture = filled(64, 48, Qt::black);
    picture.setPixelColor(40, 10, QColor(12, 34, 56));
    QVERIFY(m_window->showPicture(0, picture));
    m_window->window().actions().inspect->trigger();
    const QRectF rect = pictureRect(view()->scene().transform, view()->size(), {64, 48});
    const double scale = rect.width() / 64;
    QTest::mouseMove(surface(), (rect.topLeft() + QPointF(40.5, 10.5) * scale).toPoint());
    QTRY_VERIFY(view()->scene().inspected.has_value());
    QCOMPARE(*view()->scene().inspected, QPoint(40, 10));
    QCOMPARE(*view()->scene().inspectedColor, QColor(12, 34, 56));
    m_window->window().actions().inspect->trigger();
    QVERIFY(!view()->scene().inspected);
}

void TestVideoView::answersAreDrawnOverTheOutputOnly()
{
    m_window->pipeline().addInput(0, 640, 480, 200);
    QVERIFY(m_window->showPicture(0, filled(640, 480, Qt::black)));
    CpuAnswer answer;
    answer.work = CpuWork::Canny;
    answer.width = 320;
    answer.height = 240;
    answer.edges.assign(320 * 240, 255);
    view()->setAnswer(answer);
    QTRY_VERIFY(seen(0.6, 0.3) != QColor(Qt::black)); // Without a new frame it is painted after a delay.
    QCOMPARE(seen(0.4, 0.3), QColor(200, 200, 200));
    m_window->window().actions().showAnswer->trigger();
    QCOMPARE(seen(0.6, 0.3), QColor(Qt::black));
    m_window->window().actions().showAnswer->trigger();

    view()->clearAnswer();
    const QImage plain = view()->grab().toImage();
    CpuAnswer contours;
    contours.work = CpuWork::Contours;
    contours.width = 320;
    contours.height = 240;
    contours.contours = {{{0, 0}, {319, 0}, {319, 239}, {0, 239}}, {}};
    view()->setAnswer(contours);
    QTRY_VERIFY(view()->grab().toImage() != plain);
    QCOMPARE(seen(0.4, 0.3), QColor(200, 200, 200));

    view()->clearAnswer();
    QCOMPARE(view()->grab().toImage(), plain);
    CpuAnswer histogram;
    histogram.work = CpuWork::Histogram;
    histogram.width = 320;
    histogram.height = 240;
    histogram.histogram[0] = 320 * 240;
    view()->setAnswer(histogram);
    QTRY_VERIFY(view()->grab().toImage() != plain);

    view()->clearAnswer();
    CpuAnswer keypoints; // Of a stage of the chain, whatever the work is.
    keypoints.width = 320;
    keypoints.height = 240;
    keypoints.keypoints = {{220, 120}};
    view()->setAnswer(keypoints);
    QTRY_VERIFY(view()->grab().toImage() != plain);
    QCOMPARE(seen(220.5 / 320, 120.5 / 240), QColor(Qt::black)); // Its middle stays free.
    QCOMPARE(seen(0.4, 0.3), QColor(200, 200, 200));
}

void TestVideoView::hostilePicturesAreHarmless()
{
    CpuAnswer tooSmall;
    tooSmall.work = CpuWork::Canny;
    tooSmall.width = 1000;
    tooSmall.height = 1000;
    tooSmall.edges.assign(10, 255);
    QVERIFY(edgesImage(tooSmall).isNull());
    QVERIFY(m_window->showPicture(0, filled(1, 1, Qt::red)));
    view()->setAnswer(tooSmall);
    view()->setAnswer({});
    view()->grab();
    QVERIFY(m_window->showPicture(1, filled(641, 479, Qt::blue)));
    QCOMPARE(view()->scene().picture, QSize(641, 479));
}

void TestVideoView::newestPictureWins()
{
    QVERIFY(m_window->showPicture(0, filled(64, 48, Qt::red)));
    const quint64 before = view()->framesShown();
    for (std::uint32_t frame = 1; frame <= 50; ++frame)
        m_window->givePicture(frame, filled(64, 48, Qt::green));
    QTRY_COMPARE(view()->scene().number, 50u);
    QTRY_VERIFY(view()->framesShown() > before);
    QVERIFY(view()->framesShown() - before < 50); // Frames are not queued.
}

/// A picture was announced, and the pipeline ended before that came.
void TestVideoView::aRestartLosesNoAnnouncement()
{
    QVERIFY(m_window->showPicture(1, filled(64, 48, Qt::red)));
    QVERIFY(m_window->givePicture(2, filled(64, 48, Qt::green)));
    FramePort *const port = m_window->pipeline().framePort();
    QVERIFY(port);
    view()->setFramePort(nullptr);
    QCoreApplication::processEvents();
    view()->setFramePort(port);
    QVERIFY(m_window->showPicture(3, filled(64, 48, Qt::blue)));
    QCOMPARE(view()->scene().number, 3u);
}

void TestVideoView::aLongChainEndsInDotsAndSaysAllInItsTip()
{
    QVERIFY(m_window->showPicture(1, filled(1280, 720, Qt::red)));
    const VideoScene &scene = view()->scene();
    const auto tipAnywhere = [&] {
        QString tip;
        for (int x = 0; x < view()->width(); x += 8)
            for (int y = 0; y < 60; y += 8)
                tip += labelTip(scene, view()->size(), {x, y}).left(40);
        return tip;
    };
    view()->setOutputLabel(QStringLiteral("GPU: sobel"));
    QCOMPARE(tipAnywhere(), QString()); // No tooltip if the label fits.
    const QColor besideTheLabel = view()->grab().toImage().pixelColor(view()->width() - 4, 24);
    const QString chain =
        QStringLiteral("GPU: ") + QStringList(40, QStringLiteral("gaussian 15×15")).join(QStringLiteral(" → "));
    view()->setOutputLabel(chain);
    QVERIFY(!tipAnywhere().isEmpty());
    // The label box ends before the edge of the view.
    QCOMPARE(view()->grab().toImage().pixelColor(view()->width() - 4, 24), besideTheLabel);
    QCOMPARE(labelTip(scene, view()->size(), {view()->width() / 2, 24}), chain);
}

JETSCOPE_TEST(TestVideoView)
#include "tst_videoview.moc"
