// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fakewindow.h"
#include "tests/support/testprogram.h"
#include "ui/board/devicepage.h"
#include "ui/board/extensionlist.h"
#include "ui/hazards/attachdiagram.h"
#include "ui/live/presentpath.h"

#include <QApplication>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTest>

using namespace jetscope;

/// The tab of the device, in a window on a made-up board.
class TestDevicePage : public QObject {
    Q_OBJECT

private slots:
    void showsFactsAndReasons();
    void extensionsAreSearched();
    void theDiagramSaysItInWords();
};

void TestDevicePage::showsFactsAndReasons()
{
    FakeWindow fake;
    fake.window().resize(1024, 600);
    fake.window().show();
    QVERIFY(QTest::qWaitForWindowExposed(&fake.window()));
    QVERIFY(fake.open());
    MainWindow &window = fake.window();
    auto *page = window.findChild<DevicePage *>();
    window.tabs()->setCurrentWidget(page);
    QTRY_VERIFY(page->hasPlatform());
    QStringList values;
    for (const QLabel *label : page->findChildren<QLabel *>())
        values.append(label->text());
    QVERIFY(values.contains(QStringLiteral("software iGPU (orin rules) on a test CPU")));
    QVERIFY(values.contains(QStringLiteral("the software iGPU has no EGLStream")));
    QVERIFY(values.contains(QStringLiteral("the test has no GL")));
    QVERIFY(values.contains(QStringLiteral("sudo usermod -aG video $USER")));
    QVERIFY(values.contains(QStringLiteral("6.2.1")));
    // Every section has content and is reached by keys.
    auto *titles = page->findChild<QListWidget *>();
    titles->setFocus();
    for (const QString &title : page->sectionTitles()) {
        QCOMPARE(titles->currentItem()->text(), title);
        auto *area = qobject_cast<QScrollArea *>(page->findChild<QStackedWidget *>()->currentWidget());
        QVERIFY2(area && area->widget(), qPrintable(title));
        // Nothing is cut off: each text has the room that it needs at its width.
        QApplication::processEvents();
        for (const QLabel *label : area->findChildren<QLabel *>())
            QVERIFY2(label->height() >= label->heightForWidth(label->width()), qPrintable(label->text()));
        QTest::keyClick(titles, Qt::Key_Down);
    }
    // The command is copied, not run.
    page->selectSection(QStringLiteral("Permissions"));
    for (QPushButton *button : page->findChildren<QPushButton *>())
        if (button->accessibleName().contains(QStringLiteral("usermod")))
            button->click();
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("sudo usermod -aG video $USER"));
    QVERIFY(values.contains(presentPathLabel(PresentPath::Readback)));
}

void TestDevicePage::extensionsAreSearched()
{
    ExtensionList list;
    list.show(QStringLiteral("EGL_KHR_stream EGL_EXT_device_base"), QStringLiteral("GL_EXT_memory_object"));
    QCOMPARE(list.shown().size(), 3);
    auto *search = list.findChild<QLineEdit *>();
    QTest::keyClicks(search, QStringLiteral("ext_"));
    QCOMPARE(list.shown(),
             (QStringList{QStringLiteral("EGL_EXT_device_base"), QStringLiteral("GL_EXT_memory_object")}));
    search->setText(QStringLiteral("none of them"));
    QVERIFY(list.shown().isEmpty());
}

void TestDevicePage::theDiagramSaysItInWords()
{
    const AttachDiagram diagram;
    for (const char *part : {"to host prefetches to the CPU", "prefetches to the GPU", "prefetches nothing"})
        QVERIFY2(diagram.accessibleDescription().contains(QLatin1String(part)), part);
}

JETSCOPE_TEST(TestDevicePage)
#include "tst_devicepage.moc"
