// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testprogram.h"
#include "ui/live/presentpath.h"
#include "ui/live/viewtransform.h"

#include <QRandomGenerator>
#include <QTest>

using namespace jetscope;

class TestViewTransform : public QObject {
    Q_OBJECT
private slots:
    void fitShowsTheWholePicture();
    void zoomKeepsThePointUnderTheCursor();
    void zoomAndPanAreClamped();
    void emptySizesAreHarmless();
    void pathsStepRoundAndHaveNames();
};

void TestViewTransform::fitShowsTheWholePicture()
{
    const QSize view(1252, 557);
    const QSize picture(1280, 720);
    const QRectF rect = pictureRect({}, view, picture);
    QCOMPARE(rect.height(), 557.0);
    QVERIFY(qAbs(rect.center().x() - 626) < 0.01);
    QCOMPARE(qRound(scaleIn({}, view, picture) * 100), 77);
    QCOMPARE(pictureAt({}, view, picture, rect.topLeft()), QPointF(0, 0));
}

void TestViewTransform::zoomKeepsThePointUnderTheCursor()
{
    const QSize view(1000, 600);
    const QSize picture(640, 480);
    ViewTransform transform;
    const QPointF cursor(520, 310);
    const QPointF fixed = pictureAt(transform, view, picture, cursor);
    QRandomGenerator random(5);
    for (int i = 0; i < 300; ++i) {
        transform = zoomedAt(transform, view, picture, cursor, random.bounded(2) ? 1.2 : 1 / 1.2);
        const QPointF now = pictureAt(transform, view, picture, cursor);
        QVERIFY((now - fixed).manhattanLength() < 0.5);
    }
}

void TestViewTransform::zoomAndPanAreClamped()
{
    const QSize view(1000, 600);
    const QSize picture(640, 480);
    ViewTransform transform;
    for (int i = 0; i < 100; ++i)
        transform = zoomedAt(transform, view, picture, {0, 0}, 2);
    QCOMPARE(transform.scale, kMaxPictureScale);
    for (int i = 0; i < 100; ++i)
        transform = zoomedAt(transform, view, picture, {0, 0}, 0.5);
    QCOMPARE(transform.scale, kMinPictureScale);
    // Panning is limited: the edge of the picture moves at most to the middle.
    transform = panned(transform, view, picture, {1e6, -1e6});
    QCOMPARE(transform.centre, QPointF(0, 1));
}

void TestViewTransform::emptySizesAreHarmless()
{
    QVERIFY(pictureRect({}, {}, {640, 480}).isEmpty());
    QVERIFY(pictureRect({}, {640, 480}, {}).isEmpty());
    QVERIFY(zoomedAt({}, {}, {}, {1, 1}, 2).fit);
    QVERIFY(panned({}, {10, 10}, {}, {1, 1}).fit);
    QCOMPARE(scaleIn({}, {}, {}), 1.0);
}

void TestViewTransform::pathsStepRoundAndHaveNames()
{
    QVERIFY(automaticPath(true, false) == PresentPath::GlWidget);
    QVERIFY(automaticPath(true, true) == PresentPath::Readback);
    QVERIFY(automaticPath(false, false) == PresentPath::Readback);
    PresentPath path = PresentPath::GlWidget;
    for (const PresentPath expected : {PresentPath::GlWindow, PresentPath::Readback, PresentPath::GlWidget}) {
        path = nextPath(path);
        QVERIFY(path == expected);
    }
    for (const PresentPath each : kPresentPaths) {
        QVERIFY(presentPathByName(presentPathName(each)) == each);
        QVERIFY(!presentPathLabel(each).isEmpty());
    }
    QVERIFY(presentPathByName(QStringLiteral("nonsense")) == PresentPath::Auto);
}

JETSCOPE_TEST(TestViewTransform)
#include "tst_viewtransform.moc"
