// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// No text is cut in a window of any size, with the usual and with a large font: it has the room that it needs, or it is
// elided with the whole in its tooltip.
#include "tests/support/cuttexts.h"
#include "tests/support/samplefiles.h"
#include "tests/support/testprogram.h"
#include "ui/board/boardview.h"
#include "ui/selection/tracepanel.h"
#include "ui/session/traceselection.h"
#include "ui/style/theme.h"
#include "ui/timeline/timelineview.h"
#include "ui/window/tracepanels.h"

#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>

using namespace jetscope;

class TestCutTexts : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void cleanupTestCase() { QApplication::setFont(m_font); }
    void cleanup() { m_fake.reset(); }
    void cutTextsAreFound();
    void inLive_data() { sizes(); }
    void inLive();
    void inATraceWithFrames_data() { sizes(); }
    void inATraceWithFrames() { inATrace(QStringLiteral("frames.jscope"), true); }
    void inATraceWithoutFrames_data() { sizes(); }
    void inATraceWithoutFrames() { inATrace(QStringLiteral("profile.json"), false); }
    void inTheBoard_data() { sizes(); }
    void inTheBoard();

private:
    MainWindow &window() { return m_fake->window(); }
    static void sizes();
    void start();
    void inATrace(const QString &file, bool hasFrames);
    void lookAt(const QString &where);
    void lookAtPanels(const QString &where);
    void verdict()
    {
        m_faults.removeDuplicates();
        QVERIFY2(m_faults.isEmpty(), qPrintable(m_faults.join(u'\n')));
    }

    QFont m_font;
    QTemporaryDir m_folder;
    QStringList m_faults;
    std::unique_ptr<FakeWindow> m_fake;
};

void TestCutTexts::initTestCase()
{
    m_font = QApplication::font();
    QVERIFY(writeCapture(m_folder.filePath(QStringLiteral("frames.jscope")), 60));
    QVERIFY(writeChromeTrace(m_folder.filePath(QStringLiteral("profile.json"))));
    QVERIFY(writeBoardLog(m_folder.filePath(QStringLiteral("board.log"))));
}

void TestCutTexts::sizes()
{
    QTest::addColumn<QSize>("size");
    QTest::addColumn<int>("percent"); // Of the font.
    QTest::newRow("1024x600") << QSize(1024, 600) << 100;
    QTest::newRow("1366x768") << QSize(1366, 768) << 100;
    QTest::newRow("1600x1000") << QSize(1600, 1000) << 100;
    QTest::newRow("1920x1200 at scale 2") << QSize(960, 600) << 100;
    QTest::newRow("1024x600 with a large font") << QSize(1024, 600) << 150;
    QTest::newRow("1366x768 with a large font") << QSize(1366, 768) << 150;
    QTest::newRow("1600x1000 with a large font") << QSize(1600, 1000) << 150;
}

void TestCutTexts::start()
{
    QFETCH(QSize, size);
    QFETCH(int, percent);
    QFont font = windowFont();
    font.setPixelSize(font.pixelSize() * percent / 100);
    QApplication::setFont(font);
    setScreenWidth(size.width());
    applyTheme(*qApp, darkTheme());
    m_faults.clear();
    m_fake = std::make_unique<FakeWindow>();
    window().allowMotion(false);
    window().show();
    window().resize(size);
    QVERIFY(QTest::qWaitForWindowExposed(&window()));
}

/// In the window as it is, once layouts have settled; it may not have grown for it.
void TestCutTexts::lookAt(const QString &where)
{
    QFETCH(QSize, size);
    for (int i = 0; i < 4; ++i)
        QApplication::processEvents();
    const QSize least = window().minimumSizeHint();
    if (window().size() != size || least.boundedTo(size) != least)
        m_faults += QStringLiteral("%1: the window is %2x%3 and needs %4x%5")
                        .arg(where)
                        .arg(window().width())
                        .arg(window().height())
                        .arg(least.width())
                        .arg(least.height());
    const CutTexts found(window());
    for (const QString &fault : found.faults())
        m_faults += where + QStringLiteral(": ") + fault;
}

void TestCutTexts::lookAtPanels(const QString &where)
{
    TracePanel *panel = window().tracePanels().panel();
    for (const auto &[tab, name] : {std::pair(TracePanel::Where, "Where"), std::pair(TracePanel::Top, "Top"),
                                    std::pair(TracePanel::Flame, "Flame"), std::pair(TracePanel::Details, "Details")}) {
        if (tab == TracePanel::Details && window().tracePanels().selection().isEmpty())
            continue;
        panel->setTab(tab);
        QTRY_VERIFY2(!panel->isVisible() || panel->isDone(), name);
        lookAt(where + QLatin1Char(' ') + QLatin1String(name));
    }
}

/// Or else the others could not fail.
void TestCutTexts::cutTextsAreFound()
{
    QWidget parent;
    auto *label = new QLabel(QStringLiteral("a text that has no room"), &parent);
    label->resize(20, 40);
    auto *button = new QToolButton(&parent);
    button->setText(QStringLiteral("a button that has no room"));
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    button->setGeometry(0, 50, 20, 40);
    auto *elided = new ShortenedLabel(QStringLiteral("a text that is elided"), &parent);
    elided->setGeometry(0, 100, 40, 30);
    auto *outside = new QLabel(QStringLiteral("a text that is outside"), &parent);
    outside->setGeometry(180, 150, 300, 40);
    auto *card = new QPushButton(QStringLiteral("a name that is covered"), &parent);
    card->setGeometry(0, 190, 400, 30);
    auto *badge = new QLabel(QStringLiteral("badge"), card);
    badge->move(40, 0);
    parent.resize(400, 220);
    parent.show();
    QCOMPARE(CutTexts(parent).faults().size(), qsizetype(5));
    elided->setToolTip(elided->text());
    badge->move(300, 0);
    QCOMPARE(CutTexts(parent).faults().size(), qsizetype(3));
    label->resize(label->sizeHint());
    button->resize(button->sizeHint());
    outside->move(0, 150);
    parent.resize(600, 300);
    QCOMPARE(CutTexts(parent).faults(), QStringList());
}

void TestCutTexts::inLive()
{
    start();
    lookAt(QStringLiteral("nothing open"));
    QVERIFY(m_fake->open());
    scriptFrames(m_fake->pipeline(), 0, 60);
    m_fake->poll();
    for (int tab = 0; tab < window().tabs()->count(); ++tab) {
        window().tabs()->setCurrentIndex(tab);
        lookAt(window().tabs()->tabText(tab));
    }
    window().tabs()->setCurrentWidget(window().timeline());
    QTest::keyClick(window().timeline(), Qt::Key_BracketRight);
    lookAtPanels(QStringLiteral("a frame"));
    verdict();
}

void TestCutTexts::inATrace(const QString &file, bool hasFrames)
{
    start();
    window().showSpace(MainWindow::Space::Trace);
    lookAt(QStringLiteral("no trace"));
    m_fake->chosenPath = m_folder.filePath(file);
    window().actions().open->trigger();
    QTRY_COMPARE(window().session().phase(), Session::Phase::File);
    QTRY_VERIFY(!window().trace().opener().job().isRunning());
    m_fake->poll();
    QCOMPARE(!window().session().trace().frames().empty(), hasFrames);
    for (int tab = 0; tab < window().tabs()->count(); ++tab) {
        if (!window().tabs()->isTabVisible(tab))
            continue;
        window().tabs()->setCurrentIndex(tab);
        lookAt(window().tabs()->tabText(tab));
    }
    window().tabs()->setCurrentWidget(window().timeline());
    lookAtPanels(QStringLiteral("all"));
    QTest::keyClick(window().timeline(), Qt::Key_Right);
    QVERIFY(window().tracePanels().selection().span());
    lookAtPanels(QStringLiteral("a span"));
    if (hasFrames) {
        window().tracePanels().selection().selectFrame(7);
        lookAtPanels(QStringLiteral("a frame"));
    }
    verdict();
}

void TestCutTexts::inTheBoard()
{
    start();
    window().showSpace(MainWindow::Space::Board);
    lookAt(QStringLiteral("no board"));
    m_fake->chosenPath = m_folder.filePath(QStringLiteral("board.log"));
    window().actions().open->trigger();
    QTRY_COMPARE(window().board()->source(), BoardView::Source::Log);
    QTRY_VERIFY(window().board()->hasFigures());
    for (int tab = 0; tab < window().board()->tabs()->count(); ++tab) {
        if (!window().board()->tabs()->isTabVisible(tab))
            continue;
        window().board()->tabs()->setCurrentIndex(tab);
        lookAt(window().board()->tabs()->tabText(tab));
    }
    verdict();
}

JETSCOPE_TEST(TestCutTexts)
#include "tst_cuttexts.moc"
