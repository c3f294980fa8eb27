// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// What the user hands to others: the command line of the present choices and the report of a problem.
#include "app/commandline/commandline.h"
#include "app/run/runplan.h"
#include "gpu/hazards/scenes.h"
#include "gpu/sources/framesource.h"
#include "tests/support/fakewindow.h"
#include "tests/support/testprogram.h"
#include "ui/share/documentation.h"
#include "ui/share/ownnames.h"
#include "ui/share/problemdialog.h"
#include "ui/share/runcommand.h"
#include "ui/style/messagebar.h"

#include <QAction>
#include <QClipboard>
#include <QDesktopServices>
#include <QDialog>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QGuiApplication>
#include <QJsonArray>
#include <QPlainTextEdit>
#include <QProcess>
#include <QPushButton>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>
#include <QUrl>

#include <algorithm>

using namespace jetscope;

namespace {

/// The words that a shell makes of a line.
std::vector<std::string> shellWords(const std::string &line)
{
    QProcess shell;
    shell.start(QStringLiteral("/bin/sh"),
                {QStringLiteral("-c"), QStringLiteral("printf '%s\\n' ") + QString::fromStdString(line)});
    shell.waitForFinished();
    std::vector<std::string> words;
    for (const QByteArray &word : shell.readAllStandardOutput().split('\n'))
        words.push_back(word.toStdString());
    words.pop_back(); // After the last line.
    return words;
}

Result<Options> optionsOf(const std::string &line)
{
    const std::vector<std::string> words = shellWords(line);
    return parseCommandLine(std::vector<std::string_view>(words.begin() + 1, words.end()));
}

const OwnNames kAda{{QStringLiteral("/home/ada"), QStringLiteral("/srv/people/ada")},
                    QStringLiteral("ada"),
                    QStringLiteral("engine-7")};

} // namespace

class TestWindowShare : public QObject {
    Q_OBJECT
private slots:
    void theLineGivesTheSamePlan_data();
    void theLineGivesTheSamePlan();
    void theSourceKeepsItsRate();
    void buffersOfTheSourceAreNamed();
    void theLineIsCopied();
    void aMistakeIsPartOfTheLine();
    void withoutChoicesThereIsNoLine();
    void namesAreReplaced_data();
    void namesAreReplaced();
    void ownNamesAreFound();
    void theReportIsShownBeforeItIsSaved();
    void aReportWithoutDoctorSaysWhy();
    void theInstalledDocumentationIsOpened();
    void withoutItThePagesOfTheProgramAreShown();
    void everyPageIsThere();

public slots:
    void takeUrl(const QUrl &url) { m_url = url; }

private:
    MainWindow &window() { return m_fake->window(); }
    /// A new window whose `doctor` is this script.
    ProblemDialog *reportWith(const QByteArray &script);

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<FakeWindow> m_fake;
    QUrl m_url;
};

void TestWindowShare::theLineGivesTheSamePlan_data()
{
    QTest::addColumn<PipelineConfig>("config");
    QTest::addColumn<int>("named"); // Options beside source and device.
    const PipelineConfig usual = nearestLegal(PipelineConfig(), orinFacts());
    const auto add = [&](const char *row, int named, const std::function<void(PipelineConfig &)> &change) {
        PipelineConfig config = usual;
        config.sync = bestSyncMode(config.output, orinFacts());
        change(config);
        QTest::newRow(row) << config << named;
    };
    add("all as usual", 0, [](PipelineConfig &) {});
    add("memory", 1, [](PipelineConfig &config) { config.memory = MemoryKind::UnifiedAttach; });
    add("output and sync", 2, [](PipelineConfig &config) {
        config.output = OutputKind::CopyBack;
        config.sync = SyncMode::Stream;
    });
    add("unsafe", 2, [](PipelineConfig &config) {
        config.sync = SyncMode::None;
        config.wait = WaitPolicy::Spin;
    });
    add("no filters", 1, [](PipelineConfig &config) { config.filters.clear(); });
    add("everything", 9, [](PipelineConfig &config) {
        config.memory = MemoryKind::ZeroCopy;
        config.output = OutputKind::CopyBack;
        config.sync = SyncMode::Poll;
        config.wait = WaitPolicy::Block;
        config.cpuStage = CpuStagePlacement::Pipelined;
        config.cpuWork = CpuWork::Histogram;
        config.filters = {Filter::Sharpen, Filter::Invert, Filter::Sharpen};
        config.framesInFlight = 4;
        config.streams = 3;
    });
    add("times of the GPU", 1, [](PipelineConfig &config) { config.gpuTime = GpuTime::Bounds; });
}

void TestWindowShare::theLineGivesTheSamePlan()
{
    QFETCH(PipelineConfig, config);
    QFETCH(int, named);
    const std::string source = "file:/data/it's a clip; $HOME `x` \"y\".mp4";
    const std::string line = runCommand({source, "soft:orin", config, 50, {}}, orinFacts());
    QVERIFY2(line.starts_with("jetscope run "), line.c_str());
    const auto options = optionsOf(line);
    QVERIFY2(options.ok(), options.ok() ? "" : options.error().text.c_str());
    QVERIFY(options.value().command == Command::Run);
    QCOMPARE(*options.value().source, source + "?rate=real");
    QCOMPARE(*options.value().deviceId, std::string("soft:orin"));
    QCOMPARE(*options.value().frames, std::uint64_t{50});
    QCOMPARE(options.value().settings.rows().size(), static_cast<std::size_t>(named));
    const auto plan = planRun(options.value(), orinFacts(), Capability::yes());
    QVERIFY2(plan.ok(), plan.ok() ? "" : plan.error().text.c_str());
    QCOMPARE(plan.value().segments.size(), std::size_t{1});
    QVERIFY2(plan.value().segments[0].config == config, line.c_str());
}

/// A run reads as fast as it can, the window at the rate of the source.
void TestWindowShare::theSourceKeepsItsRate()
{
    for (const char *uri : {"synthetic:?size=64x64&fps=60", "synthetic:", "synthetic:?size=64x64&rate=max",
                            "synthetic:?rate=real&size=64x64"}) {
        const auto options = optionsOf(runCommand({uri, "soft:orin", {}, 0, {}}, orinFacts()));
        const auto shown = openSource(uri, Pacing::Real);
        const auto run = openSource(*options.value().source, Pacing::Unpaced);
        QVERIFY(shown.ok() && run.ok());
        QCOMPARE(run.value()->info().description, shown.value()->info().description);
        QCOMPARE(run.value()->info().pacedFps, shown.value()->info().pacedFps);
    }
    QCOMPARE(sourceAtItsRate("v4l2:/dev/video0"), std::string("v4l2:/dev/video0")); // A camera has no other rate.
    for (const char *own : {"v4l2:/dev/video0", "csi:0", "rtsp://host/a", "http://host/a", "synthetic:?rate=real"})
        QVERIFY2(hasItsRate(own), own);
    for (const char *none :
         {"synthetic:", "synthetic:?rate=max", "synthetic:?fps=30", "file:a.avi", "gst:videotestsrc", "x:"})
        QVERIFY2(!hasItsRate(none), none);
}

void TestWindowShare::buffersOfTheSourceAreNamed()
{
    DeviceFacts facts = orinFacts();
    facts.nvBuf = Capability::yes();
    const PipelineConfig config = nearestLegal(PipelineConfig(), facts);
    const auto options = optionsOf(runCommand({"csi:0", "cuda:0", config, 0, {}}, facts));
    auto plan = planRun(options.value(), facts, Capability::yes());
    takeExternalBuffers(plan.value(), options.value(), facts);
    QVERIFY(plan.value().segments[0].config.memory == config.memory);
}

void TestWindowShare::theLineIsCopied()
{
    m_fake = std::make_unique<FakeWindow>();
    QVERIFY(m_fake->open());
    window().show();
    QVERIFY(QTest::qWaitForWindowExposed(&window()));
    QTest::mouseClick(window().findChild<QAbstractButton *>(QStringLiteral("zero-copy")), Qt::LeftButton);
    m_fake->pipeline().accept();
    m_fake->poll();
    QTest::keyClick(&window(), Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
    const QString line = QGuiApplication::clipboard()->text();
    QVERIFY2(window().messages()->text().contains(line), qPrintable(window().messages()->text()));
    const auto options = optionsOf(line.toStdString());
    QVERIFY2(options.ok(), qPrintable(line));
    const auto plan = planRun(options.value(), orinFacts(), Capability::yes());
    QVERIFY(plan.value().segments[0].config == window().session().wanted());
    QCOMPARE(options.value().settings.texts(),
             (std::vector<std::pair<std::string, std::string>>{{"memory", "zero-copy"}}));
    QVERIFY(window().live().controls()); // Also where the choices are.
}

void TestWindowShare::aMistakeIsPartOfTheLine()
{
    const PipelineConfig usual = nearestLegal(PipelineConfig(), orinFacts());
    for (const Scene &scene : scenes()) {
        const auto options =
            optionsOf(runCommand({"synthetic:", "soft:orin", usual, 0, std::string(scene.name)}, orinFacts()));
        QVERIFY(options.ok());
        QCOMPARE(options.value().scene->name, scene.name);
        const auto plan = planRun(options.value(), orinFacts(), Capability::yes());
        if (plan.ok())
            QVERIFY(plan.value().segments[0].config == scene.choose(usual));
    }
}

void TestWindowShare::withoutChoicesThereIsNoLine()
{
    m_fake = std::make_unique<FakeWindow>();
    m_fake->failWith = "no such camera; choose another";
    QVERIFY(m_fake->open());
    const QAction *copy = window().actions().copyCommand;
    QVERIFY(!copy->isEnabled());
    QCOMPARE(copy->toolTip(), QStringLiteral("There is no pipeline."));
}

void TestWindowShare::namesAreReplaced_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("clean");
    QTest::newRow("home") << "/home/ada/clip.mp4 and /home/ada"
                          << "~/clip.mp4 and ~";
    QTest::newRow("home with links") << "\"/srv/people/ada/x\""
                                     << "\"~/x\"";
    QTest::newRow("another's home") << "/home/adam/x"
                                    << "/home/adam/x";
    QTest::newRow("beside the home") << "/home/ada-old/x"
                                     << "/home/ada-old/x";
    QTest::newRow("user") << "owner ada: /media/ada/disk, ada@lab"
                          << "owner USER: /media/USER/disk, USER@lab";
    QTest::newRow("inside words") << "Canada, adapter, /dev/ada0"
                                  << "Canada, adapter, /dev/ada0";
    QTest::newRow("host") << "on engine-7, engine-7.lab"
                          << "on HOST, HOST.lab";
    QTest::newRow("login") << "rtsp://ada:s3cret@10.0.0.1/x?a=b@c"
                           << "rtsp://…@10.0.0.1/x?a=b@c";
    QTest::newRow("login with signs") << "http://a%40b:p@w@cam/y"
                                      << "http://…@cam/y";
    QTest::newRow("no login") << "http://cam/y@2x and a@b"
                              << "http://cam/y@2x and a@b";
    QTest::newRow("empty") << ""
                           << "";
}

void TestWindowShare::namesAreReplaced()
{
    QFETCH(QString, text);
    QFETCH(QString, clean);
    QCOMPARE(withoutNames(text, kAda), clean);
    QCOMPARE(withoutNames(text, {}).contains(QStringLiteral("s3cret")), false);
}

void TestWindowShare::ownNamesAreFound()
{
    const OwnNames names = ownNames();
    QVERIFY(names.homes.contains(QDir::cleanPath(QDir::homePath())) || QDir::homePath() == QStringLiteral("/"));
    QVERIFY(!names.homes.contains(QStringLiteral("/")));
    QVERIFY(!names.host.isEmpty());
    // A short name may be a word.
    const OwnNames short1{{}, QStringLiteral("a"), {}};
    QCOMPARE(withoutNames(QStringLiteral("a file in /media/a/x by a@lab"), short1),
             QStringLiteral("a file in /media/USER/x by USER@lab"));
}

ProblemDialog *TestWindowShare::reportWith(const QByteArray &script)
{
    m_folder = std::make_unique<QTemporaryDir>();
    QFile child(m_folder->filePath(QStringLiteral("child")));
    if (!child.open(QIODevice::WriteOnly))
        return nullptr;
    child.write("#!/bin/sh\n" + script + "\n");
    child.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    child.close();
    m_fake = std::make_unique<FakeWindow>(SessionRequest(), Settings::Use::Ignore, std::vector<CameraInfo>(),
                                          child.fileName());
    if (!m_fake->open())
        return nullptr;
    window().show();
    window().messages()->show(MessageBar::Kind::Warning,
                              QStringLiteral("cannot write ") + QDir::homePath() + QStringLiteral("/x.jscope"));
    window().messages()->show(MessageBar::Kind::Info, QStringLiteral("all is well"));
    window().actions().reportProblem->trigger();
    return window().findChild<ProblemDialog *>();
}

void TestWindowShare::theReportIsShownBeforeItIsSaved()
{
    const QByteArray home = QDir::homePath().toUtf8();
    ProblemDialog *dialog = reportWith("[ \"$*\" = 'doctor --json' ] && echo '{\"platform\":{\"kernel\":\"6.6\","
                                       "\"from\":\""
                                       + home + "/lib\"}}'");
    QVERIFY(dialog && dialog->isVisible());
    auto *save = dialog->findChild<QPushButton *>(QStringLiteral("saveProblem"));
    QTRY_VERIFY(save->isEnabled());
    const QString text = dialog->text();
    for (const char *part :
         {"\"kernel\": \"6.6\"", "cannot write ~/x.jscope", "\"from\": \"~/lib\"", "jetscope run --source"})
        QVERIFY2(text.contains(QLatin1String(part)), qPrintable(text));
    QVERIFY2(!text.contains(QDir::homePath() + u'/'), qPrintable(text));
    QVERIFY(!text.contains(QStringLiteral("all is well")));
    QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files), QStringList{QStringLiteral("child")}); // Nothing is saved.

    auto *shown = dialog->findChild<QPlainTextEdit *>();
    QVERIFY(!shown->isReadOnly());
    shown->setPlainText(QStringLiteral("My words: µ\n") + text); // What is shown is saved, and nothing else.
    m_fake->chosenPath = m_folder->filePath(QStringLiteral("problem.txt"));
    QTest::mouseClick(save, Qt::LeftButton);
    QFile saved(m_fake->chosenPath);
    QVERIFY(saved.open(QIODevice::ReadOnly));
    QCOMPARE(QString::fromUtf8(saved.readAll()), dialog->text());
    QVERIFY(dialog->isVisible());
}

void TestWindowShare::aReportWithoutDoctorSaysWhy()
{
    ProblemDialog *dialog = reportWith("echo 'jetscope: there is no room for it' >&2; exit 1");
    QVERIFY(dialog);
    QTRY_VERIFY(dialog->findChild<QPushButton *>(QStringLiteral("saveProblem"))->isEnabled());
    QVERIFY2(dialog->text().contains(QStringLiteral("gave no answer. there is no room for it")),
             qPrintable(dialog->text()));
    QVERIFY(dialog->text().contains(QStringLiteral("cannot write")));
}

void TestWindowShare::theInstalledDocumentationIsOpened()
{
    const QTemporaryDir prefix;
    const QString program = prefix.filePath(QStringLiteral("bin"));
    const QString pages = prefix.filePath(QStringLiteral("share/doc/jetscope/reference"));
    QVERIFY(QDir().mkpath(program) && QDir().mkpath(pages));
    QCOMPARE(installedDocumentation(program), QString());
    QVERIFY(QFile::copy(QStringLiteral(":/jetscope/docs/README.md"), pages + QStringLiteral("/README.md")));
    QDesktopServices::setUrlHandler(QStringLiteral("file"), this, "takeUrl");
    openDocumentation(program, nullptr);
    QDesktopServices::unsetUrlHandler(QStringLiteral("file"));
    QCOMPARE(m_url, QUrl::fromLocalFile(QFileInfo(pages + QStringLiteral("/README.md")).canonicalFilePath()));
}

void TestWindowShare::withoutItThePagesOfTheProgramAreShown()
{
    m_fake = std::make_unique<FakeWindow>();
    QVERIFY(m_fake->open());
    window().actions().documentation->trigger();
    const QList<QTextBrowser *> browsers = window().findChildren<QTextBrowser *>(QString());
    const auto found = std::find_if(browsers.begin(), browsers.end(), [this](const QTextBrowser *each) {
        return each->window() != &window(); // Others are in the window.
    });
    QVERIFY(found != browsers.end() && (*found)->isVisible());
    const QTextBrowser *pages = *found;
    QVERIFY2(pages->toPlainText().startsWith(QStringLiteral("Jetscope: reference")), qPrintable(pages->toPlainText()));
}

void TestWindowShare::everyPageIsThere()
{
    const QDir pages(QStringLiteral(":/jetscope/docs"));
    const QRegularExpression link(QStringLiteral("\\]\\(([^)#]+)"));
    int links = 0;
    for (const QString &name : pages.entryList()) {
        QFile page(pages.filePath(name));
        QVERIFY(page.open(QIODevice::ReadOnly));
        for (auto found = link.globalMatch(QString::fromUtf8(page.readAll())); found.hasNext(); ++links) {
            const QString target = found.next().captured(1);
            QVERIFY2(target.startsWith(QStringLiteral("https://")) || pages.exists(target),
                     qPrintable(name + QStringLiteral(" leads to ") + target));
        }
    }
    QVERIFY(links > 10);
}

JETSCOPE_TEST(TestWindowShare)
#include "tst_windowshare.moc"
