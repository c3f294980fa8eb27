// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fakepipeline.h"
#include "tests/support/testprogram.h"
#include "ui/session/settings.h"
#include "ui/window/openwindow.h"

#include <QDir>
#include <QFile>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace jetscope;

class TestSettings : public QObject {
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
    void whatIsNoFileIsNotRead_data();
    void whatIsNoFileIsNotRead();

private:
    QString settingsFile() const { return m_home->filePath(QStringLiteral("jetscope/jetscope.ini")); }

    std::unique_ptr<QTemporaryDir> m_home;
};

void TestSettings::init()
{
    m_home = std::make_unique<QTemporaryDir>();
    QVERIFY(m_home->isValid());
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_home->path());
}

void TestSettings::remembersChoices()
{
    PipelineConfig config;
    config.memory = MemoryKind::ZeroCopy;
    config.sync = SyncMode::Poll;
    config.filters = {Filter::Invert, Filter::Gaussian15};
    config.framesInFlight = 3;
    {
        Settings settings(Settings::Use::Normal);
        settings.saveRequest("file:/clip.avi", "soft:orin", config, orinFacts());
        settings.save("window/geometry", QByteArray("geometry"));
        settings.save("view/before", false);
    }
    const Settings again(Settings::Use::Normal);
    const SessionRequest request = again.request();
    QVERIFY(request.config == config);
    QCOMPARE(request.source, std::string("file:/clip.avi"));
    QCOMPARE(request.deviceId, std::string("soft:orin"));
    QCOMPARE(again.bytes("window/geometry"), QByteArray("geometry"));
    QCOMPARE(again.flag("view/before", true), false);
}

void TestSettings::ignoringReadsAndWritesNothing()
{
    PipelineConfig config;
    config.sync = SyncMode::Poll;
    {
        Settings settings(Settings::Use::Normal);
        settings.saveRequest("file:/clip.avi", "soft:orin", config, orinFacts());
    }
    QFile file(settingsFile());
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray before = file.readAll();
    file.close();
    {
        Settings ignoring(Settings::Use::Ignore);
        QVERIFY(ignoring.request().config == PipelineConfig());
        QCOMPARE(ignoring.request().source, std::string(kDefaultSource));
        ignoring.saveRequest("file:/other.avi", "soft:nano", {}, orinFacts());
        ignoring.save("window/geometry", QByteArray("other"));
        ignoring.addRecentSource(QStringLiteral("file:/other.avi"));
        QVERIFY(ignoring.recentSources().isEmpty());
    }
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), before);
}

void TestSettings::neverKeepsWhatIsUnsafe()
{
    PipelineConfig config;
    config.sync = SyncMode::None;
    config.memory = MemoryKind::Unified;
    {
        Settings settings(Settings::Use::Normal);
        settings.saveRequest("synthetic:", "soft:orin", config, orinFacts());
    }
    const SessionRequest request = Settings(Settings::Use::Normal).request();
    QVERIFY(request.config.sync != SyncMode::None);
    QVERIFY(request.config.memory == MemoryKind::Unified); // Only unsafe settings are not stored.
    QVERIFY(availability(request.config, orinFacts()).legal());
}

void TestSettings::commandLineWins()
{
    PipelineConfig config;
    config.sync = SyncMode::Poll;
    config.memory = MemoryKind::ZeroCopy;
    Settings settings(Settings::Use::Normal);
    settings.saveRequest("file:/clip.avi", "soft:orin", config, orinFacts());

    WindowOptions options;
    options.source = "synthetic:?size=64x48";
    options.settings = {{"sync", "finish"}};
    options.frameLimit = 7;
    const SessionRequest request = windowRequest(options, settings.request());
    QCOMPARE(request.source, *options.source);
    QCOMPARE(request.deviceId, std::string("soft:orin")); // Not on the command line, so the stored value is used.
    QCOMPARE(request.frameLimit, std::uint64_t(7));
    const auto resolved = resolveConfig(request, orinFacts());
    QVERIFY(resolved.ok());
    QVERIFY(resolved.value().sync == SyncMode::Finish);
    QVERIFY(resolved.value().memory == MemoryKind::ZeroCopy);
}

void TestSettings::pipelinesOfTheUsersAreAskedFor()
{
    const auto asks = [](const char *settings, const char *given) {
        SessionRequest request;
        request.source = settings;
        WindowOptions options;
        if (given)
            options.source = given;
        return windowRequest(options, request).asksFirst;
    };
    QVERIFY(asks("gst:videotestsrc", nullptr));
    QVERIFY(asks("GST:videotestsrc", nullptr));
    QVERIFY(!asks("gst:videotestsrc", "gst:videotestsrc")); // Given on the command line.
    QVERIFY(!asks("gst:videotestsrc", "synthetic:"));
    QVERIFY(!asks("synthetic:", nullptr));
    QVERIFY(!asks("http://camera/", nullptr));
}

void TestSettings::damagedSettingsAreDefaults()
{
    {
        Settings(Settings::Use::Normal).save("view/before", true);
    }
    QFile file(settingsFile());
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("[choices]\nsync=nonsense\nmemory=\nstreams=99999999999999999999\nfilters=" + QByteArray(100'000, ',')
               + "\nframes-in-flight=-1\nwait=spin\n[\x00\xff\xfe garbage\n");
    file.close();
    const SessionRequest request = Settings(Settings::Use::Normal).request();
    QVERIFY(request.config.sync == PipelineConfig().sync);
    QVERIFY(request.config.memory == PipelineConfig().memory);
    QCOMPARE(request.config.streams, PipelineConfig().streams);
    QCOMPARE(request.config.framesInFlight, PipelineConfig().framesInFlight);
    QVERIFY(request.config.filters == PipelineConfig().filters);
    QVERIFY(request.config.wait == WaitPolicy::Spin); // Valid values are used.
}

void TestSettings::recentSourcesAreBounded()
{
    Settings settings(Settings::Use::Normal);
    for (int i = 0; i < 20; ++i)
        settings.addRecentSource(QStringLiteral("file:/%1").arg(i));
    settings.addRecentSource(QStringLiteral("file:/15"));
    QCOMPARE(settings.recentSources().size(), 8);
    QCOMPARE(settings.recentSources().front(), QStringLiteral("file:/15"));
    QCOMPARE(settings.recentSources().count(QStringLiteral("file:/15")), 1);
}

void TestSettings::whatIsNoFileIsNotRead_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("kind");
    for (const char *name : {"jetscope/jetscope.ini", "jetscope.ini"})
        for (const char *kind : {"pipe", "link to a device", "folder"})
            QTest::addRow("%s, %s", name, kind) << QString::fromLatin1(name) << QString::fromLatin1(kind);
}

void TestSettings::whatIsNoFileIsNotRead()
{
    QFETCH(QString, name);
    QFETCH(QString, kind);
    const QByteArray before = qgetenv("XDG_CONFIG_HOME");
    qputenv("XDG_CONFIG_HOME", m_home->path().toLocal8Bit());
    const auto back = qScopeGuard([&] { qputenv("XDG_CONFIG_HOME", before); });
    QVERIFY(QDir(m_home->path()).mkpath(QStringLiteral("jetscope")));
    const QByteArray path = m_home->filePath(name).toLocal8Bit();
    if (kind == QStringLiteral("pipe"))
        QCOMPARE(mkfifo(path.constData(), 0600), 0);
    else if (kind == QStringLiteral("folder"))
        QVERIFY(QDir().mkpath(m_home->filePath(name)));
    else
        QVERIFY(QFile::link(QStringLiteral("/dev/null"), m_home->filePath(name)));
    {
        Settings settings(Settings::Use::Normal);
        QVERIFY2(settings.trouble().contains(m_home->filePath(name)), qPrintable(settings.trouble()));
        settings.save("view/before", false); // Is kept nowhere.
        QCOMPARE(settings.flag("view/before", true), true);
    }
    struct stat facts = {};
    QCOMPARE(stat(path.constData(), &facts), 0);
    QVERIFY(!S_ISREG(facts.st_mode));
}

JETSCOPE_TEST(TestSettings)
#include "tst_settings.moc"
