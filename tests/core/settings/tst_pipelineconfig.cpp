// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/settings/pipelineconfig.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace jetscope;

class TestPipelineConfig : public QObject {
    Q_OBJECT

private slots:
    void everySettingIsApplied()
    {
        PipelineConfig config;
        const std::pair<const char *, const char *> settings[] = {
            {"memory", "unified-attach"},
            {"output", "copy-back"},
            {"sync", "callback"},
            {"wait", "block"},
            {"cpu-stage", "same-input"},
            {"cpu-work", "histogram"},
            {"filters", "sharpen+invert"},
            {"frames-in-flight", "4"},
            {"streams", "3"},
        };
        for (const auto &[key, value] : settings)
            QVERIFY2(applySetting(config, key, value).ok(), key);
        PipelineConfig expected;
        expected.memory = MemoryKind::UnifiedAttach;
        expected.output = OutputKind::CopyBack;
        expected.sync = SyncMode::Callback;
        expected.wait = WaitPolicy::Block;
        expected.cpuStage = CpuStagePlacement::SameInput;
        expected.cpuWork = CpuWork::Histogram;
        expected.filters = {Filter::Sharpen, Filter::Invert};
        expected.framesInFlight = 4;
        expected.streams = 3;
        QVERIFY(config == expected);
    }

    void everyNameOfEveryChoiceIsAccepted()
    {
        const auto accepts = [](std::string_view key, const auto &all) {
            for (const auto &choice : all) {
                PipelineConfig config;
                if (!applySetting(config, key, choice.name).ok())
                    return false;
            }
            return true;
        };
        QVERIFY(accepts("memory", choices<MemoryKind>()));
        QVERIFY(accepts("output", choices<OutputKind>()));
        QVERIFY(accepts("sync", choices<SyncMode>()));
        QVERIFY(accepts("wait", choices<WaitPolicy>()));
        QVERIFY(accepts("cpu-stage", choices<CpuStagePlacement>()));
        QVERIFY(accepts("cpu-work", choices<CpuWork>()));
        QVERIFY(accepts("filters", choices<Filter>()));
    }

    void filterChains()
    {
        PipelineConfig config;
        QVERIFY(applySetting(config, "filters", "none").ok());
        QVERIFY(config.filters.empty());
        QVERIFY(applySetting(config, "filters", "gaussian5,sobel+threshold").ok());
        QCOMPARE(filterNames(config.filters), std::string("gaussian5,sobel,threshold"));
        QCOMPARE(filterNames(config.filters, " → "), std::string("gaussian5 → sobel → threshold"));
        QCOMPARE(filterNames({}), std::string("none"));

        std::string chain = "invert";
        for (int i = 1; i < kMaxFilters; ++i)
            chain += ",invert";
        QVERIFY(applySetting(config, "filters", chain).ok());
        QCOMPARE(config.filters.size(), std::size_t{kMaxFilters});
        QVERIFY(!applySetting(config, "filters", chain + ",invert").ok());
        QCOMPARE(config.filters.size(), std::size_t{kMaxFilters});
    }

    void wrongSettingsAreRefused_data()
    {
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<QByteArray>("value");
        int number = 0;
        const auto row = [&](QByteArray key, QByteArray value) {
            QTest::addRow("%d", ++number) << std::move(key) << std::move(value);
        };
        row("", "");
        row("memory", "");
        row("memory", "Pinned");
        row("memory", " pinned");
        row("memory", "pinned ");
        row("memory", QByteArray("pinned\0", 7));
        row("Memory", "pinned");
        row("memory=", "pinned");
        row("sync", "eglsync,none");
        row("frames-in-flight", "0");
        row("frames-in-flight", "5");
        row("frames-in-flight", "-1");
        row("frames-in-flight", "+2");
        row("frames-in-flight", "2.0");
        row("frames-in-flight", "2x");
        row("frames-in-flight", " 2");
        row("frames-in-flight", "0x2");
        row("frames-in-flight", "99999999999999999999");
        row("frames-in-flight", "٢");
        row("streams", "");
        row("streams", "5");
        row("filters", "");
        row("filters", ",");
        row("filters", "sobel,");
        row("filters", ",sobel");
        row("filters", "sobel,,sobel");
        row("filters", "sobel,none");
        row("filters", "sobel sobel");
        row("filters", QByteArray(1'000'000, ','));
        row("filters", QByteArray("sobel,").repeated(100'000));
        row(QByteArray(1'000'000, 'k'), "v");
        row("wait", QByteArray("\x1b[31m\n\xff\xfe", 8));
    }
    void wrongSettingsAreRefused()
    {
        QFETCH(QByteArray, key);
        QFETCH(QByteArray, value);
        PipelineConfig config;
        const Status status = applySetting(config, key.toStdString(), value.toStdString());
        QVERIFY(!status.ok());
        QVERIFY(config == PipelineConfig{}); // The configuration is unchanged.
        const std::string message = status.error().message();
        QVERIFY2(message.size() < 400, message.c_str());
        QVERIFY(message.find_first_of("\x1b\n\xff") == std::string::npos);
        QCOMPARE(message.back(), '.');
    }

    void theErrorListsTheLegalValues()
    {
        PipelineConfig config;
        QCOMPARE(applySetting(config, "wait", "sleep").error().message(),
                 std::string("wait must be auto, spin, yield or block, not 'sleep'."));
        QCOMPARE(applySetting(config, "streams", "9").error().message(),
                 std::string("streams must be a number from 1 to 4, not '9'."));
        const std::string unknown = applySetting(config, "colour", "red").error().message();
        for (const char *key : {"memory", "output", "sync", "wait", "cpu-stage", "cpu-work", "filters",
                                "frames-in-flight", "streams", "'colour'"})
            QVERIFY2(unknown.find(key) != std::string::npos, key);
    }

    void changesAreDescribedByName()
    {
        PipelineConfig from;
        QCOMPARE(describeChange(from, from), std::string());
        PipelineConfig to = from;
        to.memory = MemoryKind::ZeroCopy;
        QCOMPARE(describeChange(from, to), std::string("memory: pinned → zero-copy"));
        to.filters = {};
        to.streams = 2;
        QCOMPARE(describeChange(from, to),
                 std::string("memory: pinned → zero-copy, filters: gaussian5+sobel → none, streams: 1 → 2"));
    }
};

JETSCOPE_TEST(TestPipelineConfig)
#include "tst_pipelineconfig.moc"
