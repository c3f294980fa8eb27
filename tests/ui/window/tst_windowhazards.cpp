// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fakewindow.h"
#include "tests/support/testprogram.h"
#include "ui/hazards/hazardlist.h"
#include "ui/hazards/hazardtree.h"
#include "ui/hazards/scenelist.h"
#include "ui/session/traceselection.h"
#include "ui/style/messagebar.h"
#include "ui/style/theme.h"
#include "ui/timeline/timelineview.h"
#include "ui/window/tracepanels.h"

#include <QApplication>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QTabBar>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>

using namespace jetscope;

/// The tab of hazards within the window.
class TestWindowHazards : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { applyTheme(*qApp, darkTheme()); }
    void init();
    void cleanup();
    void costsDoNotLightTheBadge();
    void framesAreCountedPerDevice();
    void aRowLeadsToTheTimeline();
    void theFixChangesThePipeline();
    void hazardsAreSaved();
    void aCaptureFillsTheTab();
    void aMistakeRunsAndStops();
    void aMistakeNeedsNoOpenSource();
    void aMistakeIsNeverRemembered();

private:
    MainWindow &window() { return m_fake->window(); }
    HazardList &list() { return *window().hazards(); }
    QString coverage() { return list().findChild<CoverageLine *>()->text(); }
    void show();
    void violate(const char *rule, std::uint32_t frame);
    void choose(const char *scene);
    QByteArray saved(const QString &name);

    std::unique_ptr<QTemporaryDir> m_home;
    std::unique_ptr<FakeWindow> m_fake;
};

void TestWindowHazards::init()
{
    m_home = std::make_unique<QTemporaryDir>();
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_home->path());
    m_fake = std::make_unique<FakeWindow>();
    show();
    QVERIFY(m_fake->open());
}

void TestWindowHazards::cleanup()
{
    m_fake.reset();
}

void TestWindowHazards::show()
{
    window().resize(1400, 900);
    window().show();
    QVERIFY(QTest::qWaitForWindowExposed(&window()));
}

void TestWindowHazards::violate(const char *rule, std::uint32_t frame)
{
    const FrameTable &frames = window().session().trace().frames();
    const auto index = frames.find(frame);
    const std::int64_t timeNs = index ? frames.at(*index).startNs + 1000 : 0;
    m_fake->pipeline().notice(PipelineNotice::Kind::Violation, "what happened", frame, timeNs);
    m_fake->pipeline().update.notices.back().rule = rule;
    m_fake->pipeline().update.notices.back().level = ruleOf(*ruleNamed(rule)).level;
    m_fake->pipeline().update.notices.back().fix = "wait";
    m_fake->poll();
}

void TestWindowHazards::choose(const char *scene)
{
    list().findChild<QPushButton *>(QStringLiteral("scenes"))->click();
    auto *dialog = window().findChild<SceneList *>();
    QVERIFY(dialog);
    dialog->findChild<QPushButton *>(QLatin1String(scene))->click();
    QTRY_VERIFY(window().session().phase() != Session::Phase::Opening);
    QTRY_VERIFY(!window().findChild<SceneList *>());
}

QByteArray TestWindowHazards::saved(const QString &name)
{
    m_fake->chosenPath = m_home->filePath(name);
    emit list().saveWanted();
    QFile file(m_fake->chosenPath);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void TestWindowHazards::costsDoNotLightTheBadge()
{
    QTabBar *bar = window().tabs()->tabBar();
    const int tab = window().tabs()->indexOf(&list());
    violate("A17", 1);
    QCOMPARE(list().rows(), 1);
    QVERIFY(!bar->tabButton(tab, QTabBar::RightSide));
    violate("A7", 1);
    violate("C1", 1);
    const auto *badge = qobject_cast<QLabel *>(bar->tabButton(tab, QTabBar::RightSide));
    QVERIFY(badge);
    QCOMPARE(badge->text(), QStringLiteral("2"));
}

void TestWindowHazards::framesAreCountedPerDevice()
{
    scriptFrames(m_fake->pipeline(), 0, 60);
    m_fake->poll();
    QVERIFY2(coverage().contains(QStringLiteral("checked over 60 frames on software iGPU (orin rules)")),
             qPrintable(coverage()));
    m_fake->pipeline().state.facts.id = "soft:nano";
    m_fake->pipeline().state.facts.name = "software iGPU (nano rules) on a test CPU";
    m_fake->poll();
    m_fake->pipeline().state.frames = 70;
    m_fake->poll();
    QVERIFY2(coverage().contains(QStringLiteral("checked over 10 frames on software iGPU (nano rules)")),
             qPrintable(coverage()));
    QVERIFY(coverage().contains(QStringLiteral("60 frames before that ran on another device")));
    QVERIFY(m_fake->open());
    QVERIFY2(coverage().contains(QStringLiteral("checked over 0 frames")), qPrintable(coverage()));
}

void TestWindowHazards::aRowLeadsToTheTimeline()
{
    scriptFrames(m_fake->pipeline(), 0, 60);
    m_fake->poll();
    violate("C1", 20);
    window().tabs()->setCurrentWidget(&list());
    HazardTree &tree = *list().tree();
    QTest::mouseClick(tree.viewport(), Qt::LeftButton, {},
                      tree.visualItemRect(tree.topLevelItem(0)->child(0)).center());
    QVERIFY(window().tracePanels().selection().frame());
    QCOMPARE(window().tracePanels().selection().frame()->key, 20u);
    QCOMPARE(window().tabs()->currentWidget(), &list());
    QTest::keyClick(&tree, Qt::Key_Return);
    QCOMPARE(window().tabs()->currentWidget(), window().timeline());
    QVERIFY(!window().timeline()->isFollowing());

    violate("O1", 4'000'000); // Of no frame in the trace.
    window().tabs()->setCurrentWidget(&list());
    emit tree.opened(1);
    QCOMPARE(window().tabs()->currentWidget(), &list());
    QVERIFY(window().messages()->text().contains(QStringLiteral("not in the trace")));
}

void TestWindowHazards::theFixChangesThePipeline()
{
    m_fake->pipeline().state.config.sync = SyncMode::None;
    m_fake->poll();
    violate("C1", 0);
    window().tabs()->setCurrentWidget(&list());
    auto *button = list().findChild<QPushButton *>(QStringLiteral("applyFix"));
    QVERIFY(button->isVisible());
    button->click();
    QCOMPARE(m_fake->pipeline().changes.size(), std::size_t(1));
    QVERIFY(m_fake->pipeline().changes[0].sync == SyncMode::EglSync);
    QVERIFY(!button->isVisible());
}

void TestWindowHazards::hazardsAreSaved()
{
    violate("C1", 0);
    const QByteArray text = saved(QStringLiteral("hazards"));
    QVERIFY(text.isEmpty()); // The suffix is added.
    QVERIFY(QFile::exists(m_home->filePath(QStringLiteral("hazards.txt"))));
    QVERIFY(saved(QStringLiteral("a.txt")).contains("C1  what happened"));
    const QJsonObject object = QJsonDocument::fromJson(saved(QStringLiteral("a.json"))).object();
    QCOMPARE(object[QStringLiteral("hazards")][0][QStringLiteral("rule")].toString(), QStringLiteral("C1"));
    m_fake->chosenPath = QStringLiteral("/proc/nowhere/x.txt");
    emit list().saveWanted();
    QVERIFY(window().messages()->text().contains(QStringLiteral("could not be written")));
}

void TestWindowHazards::aCaptureFillsTheTab()
{
    scriptFrames(m_fake->pipeline(), 0, 30);
    m_fake->poll();
    violate("C1", 7);
    violate("C1", 9);
    violate("A17", 9);
    const QString path = m_home->filePath(QStringLiteral("a.jscope"));
    window().files().write(TraceFiles::Format::Capture, path, std::nullopt);
    QTRY_VERIFY(!window().files().job().isRunning());
    window().trace().opener().open(path);
    QTRY_VERIFY(window().session().phase() == Session::Phase::File);
    QTRY_VERIFY(!window().trace().opener().job().isRunning());
    QCOMPARE(list().rows(), 2);
    QCOMPARE(list().hazards().broken(), 1);
    QCOMPARE(list().hazards().all()[0].count, 2u);
    QCOMPARE(list().hazards().all()[0].fix, QStringLiteral("wait"));
    QVERIFY(!list().hazards().all()[0].first);
    QVERIFY2(coverage().contains(QStringLiteral("not known")), qPrintable(coverage()));
    // A mistake on purpose needs the pipeline, whose own rows are kept.
    QVERIFY(!list().findChild<QPushButton *>(QStringLiteral("scenes"))->isVisibleTo(&list()));
    window().showSpace(MainWindow::Space::Live);
    QVERIFY(list().findChild<QPushButton *>(QStringLiteral("scenes"))->isVisibleTo(&list()));
    QCOMPARE(list().rows(), 2);
    QVERIFY(m_fake->open());
    QCOMPARE(list().rows(), 0);
}

void TestWindowHazards::aMistakeRunsAndStops()
{
    PipelineConfig config = m_fake->pipeline().state.config;
    config.framesInFlight = 3;
    window().session().change(config);
    m_fake->pipeline().accept();
    m_fake->poll();
    choose("no-sync");
    QCOMPARE(m_fake->requests.back().scene, std::string("no-sync"));
    QVERIFY(m_fake->requests.back().config == config);
    QVERIFY(m_fake->pipeline().state.config.sync == SyncMode::None);
    QCOMPARE(m_fake->pipeline().state.config.framesInFlight, 3);
    QVERIFY(window().messages()->text().contains(QStringLiteral("A mistake runs")));
    QVERIFY(window().messages()->text().contains(QStringLiteral("What to look for")));
    auto *button = list().findChild<QPushButton *>(QStringLiteral("scenes"));
    QCOMPARE(button->text(), QStringLiteral("Stop the mistake"));

    QVERIFY(m_fake->open()); // Opening it again, for example to play a video again, keeps the mistake.
    QVERIFY(m_fake->pipeline().state.config.sync == SyncMode::None);
    m_fake->failWith = "no memory";
    QVERIFY(m_fake->open());
    QVERIFY(window().messages()->text().contains(QStringLiteral("could not be shown")));
    m_fake->failWith.clear();

    for (QPushButton *stop : window().messages()->findChildren<QPushButton *>())
        if (stop->text() == QStringLiteral("Stop"))
            stop->click();
    QTRY_VERIFY(window().session().phase() == Session::Phase::Open);
    QVERIFY(m_fake->requests.back().scene.empty());
    QVERIFY(m_fake->pipeline().state.config == config);
    QCOMPARE(button->text(), QStringLiteral("Show me…"));
    QVERIFY(window().messages()->text().isEmpty());
}

void TestWindowHazards::aMistakeNeedsNoOpenSource()
{
    SessionRequest request;
    request.source = "file:/nowhere.avi";
    m_fake = std::make_unique<FakeWindow>(request);
    m_fake->failWith = "the file does not exist";
    show();
    QVERIFY(m_fake->open());
    m_fake->failWith.clear();
    choose("no-sync");
    QCOMPARE(m_fake->requests.back().source, std::string(kDefaultSource));
    QVERIFY(m_fake->pipeline().state.config.sync == SyncMode::None);
}

void TestWindowHazards::aMistakeIsNeverRemembered()
{
    m_fake = std::make_unique<FakeWindow>(SessionRequest(), Settings::Use::Normal);
    show();
    QVERIFY(m_fake->open());
    PipelineConfig config = m_fake->pipeline().state.config;
    config.memory = MemoryKind::Registered;
    window().session().change(config);
    m_fake->pipeline().accept();
    m_fake->poll();
    choose("shared-input");
    QVERIFY(m_fake->pipeline().state.config.memory == MemoryKind::Unified);
    m_fake->poll();
    window().close();
    const SessionRequest remembered = Settings(Settings::Use::Normal).request();
    QVERIFY(remembered.config.memory == MemoryKind::Registered);
    QVERIFY(remembered.config.cpuStage == config.cpuStage);
    QVERIFY(remembered.scene.empty());
}

JETSCOPE_TEST(TestWindowHazards)
#include "tst_windowhazards.moc"
