// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/openwindow.h"

#include <QSurfaceFormat>
#include <QTest>

using namespace jetscope;

class TestPrepareForWindow : public QObject {
    Q_OBJECT
private slots:
    void init();
    void saysWhichDisplayIsMissing_data();
    void saysWhichDisplayIsMissing();
    void platformsWithoutAServerAreFine();
    void keepsTheUsersChoiceOfIntegration();
    void asksForGlesWithoutWaitingForSwaps();
};

void TestPrepareForWindow::init()
{
    for (const char *variable : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "QT_XCB_GL_INTEGRATION"})
        qunsetenv(variable);
}

void TestPrepareForWindow::saysWhichDisplayIsMissing_data()
{
    QTest::addColumn<QByteArray>("platform");
    QTest::addColumn<QByteArray>("display");
    QTest::addColumn<QByteArray>("wayland");
    QTest::addColumn<QString>("named");
    QTest::newRow("nothing set") << QByteArray() << QByteArray() << QByteArray() << "DISPLAY is not set";
    QTest::newRow("no such X server") << QByteArray() << QByteArray(":4093") << QByteArray() << "\":4093\"";
    QTest::newRow("not an X display") << QByteArray("xcb") << QByteArray("?!") << QByteArray() << "\"?!\"";
    QTest::newRow("no such Wayland server")
        << QByteArray("wayland") << QByteArray() << QByteArray("/nowhere/wayland-9") << "Wayland";
    QTest::newRow("too long a socket") << QByteArray("wayland") << QByteArray() << QByteArray(4000, 'x').prepend('/')
                                       << "Wayland";
    QTest::newRow("Wayland without its name")
        << QByteArray("wayland") << QByteArray() << QByteArray() << "WAYLAND_DISPLAY";
}

void TestPrepareForWindow::saysWhichDisplayIsMissing()
{
    QFETCH(QByteArray, platform);
    QFETCH(QByteArray, display);
    QFETCH(QByteArray, wayland);
    QFETCH(QString, named);
    if (!platform.isEmpty())
        qputenv("QT_QPA_PLATFORM", platform);
    if (!display.isEmpty())
        qputenv("DISPLAY", display);
    if (!wayland.isEmpty())
        qputenv("WAYLAND_DISPLAY", wayland);
    const Status status = prepareForWindow();
    QVERIFY(!status.ok());
    const QString text = QString::fromStdString(status.error().message());
    QVERIFY2(text.contains(named), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("jetscope run")), qPrintable(text)); // The remedy.
    QVERIFY(!text.contains(u'\n'));
}

void TestPrepareForWindow::platformsWithoutAServerAreFine()
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QVERIFY(prepareForWindow().ok());
    QCOMPARE(qgetenv("QT_XCB_GL_INTEGRATION"), QByteArray("xcb_egl"));
}

void TestPrepareForWindow::keepsTheUsersChoiceOfIntegration()
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    qputenv("QT_XCB_GL_INTEGRATION", "xcb_glx");
    QVERIFY(prepareForWindow().ok());
    QCOMPARE(qgetenv("QT_XCB_GL_INTEGRATION"), QByteArray("xcb_glx"));
}

void TestPrepareForWindow::asksForGlesWithoutWaitingForSwaps()
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QSurfaceFormat::setDefaultFormat({});
    QVERIFY(prepareForWindow().ok());
    const QSurfaceFormat format = QSurfaceFormat::defaultFormat();
    QCOMPARE(format.renderableType(), QSurfaceFormat::OpenGLES);
    QCOMPARE(format.majorVersion(), 3);
    QCOMPARE(format.swapInterval(), 0);
    QCOMPARE(format.alphaBufferSize(), 0);
    QVERIFY(QCoreApplication::testAttribute(Qt::AA_ShareOpenGLContexts));
}

QTEST_APPLESS_MAIN(TestPrepareForWindow)
#include "tst_prepareforwindow.moc"
