// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fakepipeline.h"
#include "ui/session/remembered.h"
#include "ui/window/windowrequest.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace jetscope;

class TestRemembered : public QObject {
    Q_OBJECT
private slots:
    void init();
    void remembersChoices();
    void ignoringReadsAndWritesNothing();
    void neverKeepsWhatIsUnsafe();
    void commandLineWins();
    void pipelinesOfTheUsersAreAskedFor();
    void damagedSettingsAreDefaults();
    void recentSourcesAreBounded();

private:
    QString settingsFile() const { return m_home->filePath(QStringLiteral("jetscope/jetscope.ini")); }

    std::unique_ptr<QTemporaryDir> m_home;
};

void TestRemembered::init()
{
    m_home = std::make_unique<QTemporaryDir>();
    QVERIFY(m_home->isValid());
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_home->path());
}

void TestRemembered::remembersChoices()
{
    PipelineConfig config;
    config.memory = MemoryKind::ZeroCopy;
    config.sync = SyncMode::Poll;
    config.filters = {Filter::Invert, Filter::Gaussian15};
    config.framesInFlight = 3;
    {
        Remembered remembered(Remembered::Use::Normal);
        remembered.keepRequest("file:/clip.avi", "soft:orin", config, orinFacts());
        remembered.keep("window/geometry", QByteArray("geometry"));
        remembered.keep("view/before", false);
    }
    const Remembered again(Remembered::Use::Normal);
    const SessionRequest request = again.request();
    QVERIFY(request.config == config);
    QCOMPARE(request.source, std::string("file:/clip.avi"));
    QCOMPARE(request.deviceId, std::string("soft:orin"));
    QCOMPARE(again.bytes("window/geometry"), QByteArray("geometry"));
    QCOMPARE(again.flag("view/before", true), false);
}

void TestRemembered::ignoringReadsAndWritesNothing()
{
    PipelineConfig config;
    config.sync = SyncMode::Poll;
    {
        Remembered remembered(Remembered::Use::Normal);
        remembered.keepRequest("file:/clip.avi", "soft:orin", config, orinFacts());
    }
    QFile file(settingsFile());
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray before = file.readAll();
    file.close();
    {
        Remembered ignoring(Remembered::Use::Ignore);
        QVERIFY(ignoring.request().config == PipelineConfig());
        QCOMPARE(ignoring.request().source, std::string(kDefaultSource));
        ignoring.keepRequest("file:/other.avi", "soft:nano", {}, orinFacts());
        ignoring.keep("window/geometry", QByteArray("other"));
        ignoring.addRecentSource(QStringLiteral("file:/other.avi"));
        QVERIFY(ignoring.recentSources().isEmpty());
    }
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), before);
}

void TestRemembered::neverKeepsWhatIsUnsafe()
{
    PipelineConfig config;
    config.sync = SyncMode::None;
    config.memory = MemoryKind::Unified;
    {
        Remembered remembered(Remembered::Use::Normal);
        remembered.keepRequest("synthetic:", "soft:orin", config, orinFacts());
    }
    const SessionRequest request = Remembered(Remembered::Use::Normal).request();
    QVERIFY(request.config.sync != SyncMode::None);
    QVERIFY(request.config.memory == MemoryKind::Unified); // Only what is unsafe is left out.
    QVERIFY(availability(request.config, orinFacts()).legal());
}

void TestRemembered::commandLineWins()
{
    PipelineConfig config;
    config.sync = SyncMode::Poll;
    config.memory = MemoryKind::ZeroCopy;
    Remembered remembered(Remembered::Use::Normal);
    remembered.keepRequest("file:/clip.avi", "soft:orin", config, orinFacts());

    WindowOptions options;
    options.source = "synthetic:?size=64x48";
    options.settings = {{"sync", "finish"}};
    options.frameLimit = 7;
    const SessionRequest request = windowRequest(options, remembered.request());
    QCOMPARE(request.source, *options.source);
    QCOMPARE(request.deviceId, std::string("soft:orin")); // Left open, so remembered.
    QCOMPARE(request.frameLimit, std::uint64_t(7));
    const auto resolved = resolveConfig(request, orinFacts());
    QVERIFY(resolved.ok());
    QVERIFY(resolved.value().sync == SyncMode::Finish);
    QVERIFY(resolved.value().memory == MemoryKind::ZeroCopy);
}

void TestRemembered::pipelinesOfTheUsersAreAskedFor()
{
    const auto asks = [](const char *remembered, const char *given) {
        SessionRequest request;
        request.source = remembered;
        WindowOptions options;
        if (given)
            options.source = given;
        return windowRequest(options, request).asksFirst;
    };
    QVERIFY(asks("gst:videotestsrc", nullptr));
    QVERIFY(asks("GST:videotestsrc", nullptr));
    QVERIFY(!asks("gst:videotestsrc", "gst:videotestsrc")); // Written just now.
    QVERIFY(!asks("gst:videotestsrc", "synthetic:"));
    QVERIFY(!asks("synthetic:", nullptr));
    QVERIFY(!asks("http://camera/", nullptr));
}

void TestRemembered::damagedSettingsAreDefaults()
{
    {
        Remembered(Remembered::Use::Normal).keep("view/before", true);
    }
    QFile file(settingsFile());
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("[choices]\nsync=nonsense\nmemory=\nstreams=99999999999999999999\nfilters=" + QByteArray(100'000, ',')
               + "\nframes-in-flight=-1\nwait=spin\n[\x00\xff\xfe garbage\n");
    file.close();
    const SessionRequest request = Remembered(Remembered::Use::Normal).request();
    QVERIFY(request.config.sync == PipelineConfig().sync);
    QVERIFY(request.config.memory == PipelineConfig().memory);
    QCOMPARE(request.config.streams, PipelineConfig().streams);
    QCOMPARE(request.config.framesInFlight, PipelineConfig().framesInFlight);
    QVERIFY(request.config.filters == PipelineConfig().filters);
    QVERIFY(request.config.wait == WaitPolicy::Spin); // What is sound is kept.
}

void TestRemembered::recentSourcesAreBounded()
{
    Remembered remembered(Remembered::Use::Normal);
    for (int i = 0; i < 20; ++i)
        remembered.addRecentSource(QStringLiteral("file:/%1").arg(i));
    remembered.addRecentSource(QStringLiteral("file:/15"));
    QCOMPARE(remembered.recentSources().size(), 8);
    QCOMPARE(remembered.recentSources().front(), QStringLiteral("file:/15"));
    QCOMPARE(remembered.recentSources().count(QStringLiteral("file:/15")), 1);
}

QTEST_GUILESS_MAIN(TestRemembered)
#include "tst_remembered.moc"
