// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/settings/settingtable.h"
#include "tests/core/profiles.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <set>

using namespace jetscope;

namespace {

/// Which members differ, in their order. Does not compile when PipelineConfig has another number of members: then the
/// new one needs a row in the table, too.
std::vector<bool> differences(const PipelineConfig &a, const PipelineConfig &b)
{
    const auto &[memory, output, sync, wait, cpuStage, cpuWork, filters, framesInFlight, streams, priority, share,
                 beside, gpuTime] = a;
    const auto &[memory2, output2, sync2, wait2, cpuStage2, cpuWork2, filters2, framesInFlight2, streams2, priority2,
                 share2, beside2, gpuTime2] = b;
    return {memory != memory2,     output != output2,     sync != sync2,       wait != wait2,
            cpuStage != cpuStage2, cpuWork != cpuWork2,   filters != filters2, framesInFlight != framesInFlight2,
            streams != streams2,   priority != priority2, share != share2,     beside != beside2,
            gpuTime != gpuTime2};
}

/// A configuration in which each setting has its last value.
PipelineConfig lastOfAll()
{
    PipelineConfig config;
    for (const SettingRow &row : settingTable())
        if (!row.set(config, row.values().back().name).ok())
            qFatal("the last value of a setting is refused");
    return config;
}

QByteArray bytes(std::string_view text)
{
    return {text.data(), static_cast<qsizetype>(text.size())};
}

} // namespace

class TestSettingTable : public QObject {
    Q_OBJECT

private slots:
    void everyMemberHasARow()
    {
        std::vector<int> rowsOfMember(differences({}, {}).size());
        for (const SettingRow &row : settingTable()) {
            PipelineConfig changed;
            const std::string usual = row.text(changed);
            for (const SettingValue &value : row.values())
                if (value.name != usual)
                    QVERIFY(row.set(changed, value.name).ok());
            const std::vector<bool> differs = differences({}, changed);
            QVERIFY2(std::count(differs.begin(), differs.end(), true) == 1, bytes(row.key));
            ++rowsOfMember[static_cast<std::size_t>(std::find(differs.begin(), differs.end(), true) - differs.begin())];
        }
        QCOMPARE(rowsOfMember, std::vector<int>(rowsOfMember.size(), 1));
    }

    void everyValueComesBack()
    {
        for (const SettingRow &row : settingTable()) {
            const std::vector<SettingValue> values = row.values();
            QVERIFY2(values.size() > 1, bytes(row.key));
            for (const SettingValue &value : values) {
                PipelineConfig config = lastOfAll();
                QVERIFY2(row.set(config, value.name).ok(), bytes(row.key));
                QCOMPARE(row.text(config), value.name);
                PipelineConfig copy;
                for (const SettingRow &each : settingTable())
                    QVERIFY(applySetting(copy, each.key, each.text(config)).ok());
                QVERIFY2(copy == config, bytes(row.key));
                if (row.kind != SettingRow::Kind::Count)
                    QCOMPARE(row.valueLabel(config), value.label);
            }
        }
        PipelineConfig chain;
        const SettingRow &filters = *settingRow("filters");
        for (const char *joint : {",", "+"}) {
            PipelineConfig config;
            config.filters = {Filter::Invert, Filter::Sobel, Filter::Invert};
            QVERIFY(filters.set(chain, filters.text(config, joint)).ok());
            QVERIFY(chain == config);
        }
        QVERIFY(filters.set(chain, "none").ok());
        QVERIFY(chain.filters.empty());
        QCOMPARE(filters.text(chain), std::string("none"));
    }

    void rowsAreCompleteAndDifferent()
    {
        std::set<std::string> names;
        std::set<std::uint8_t> nested;
        for (const SettingRow &row : settingTable()) {
            QVERIFY2(names.insert(row.column()).second, bytes(row.key));
            QCOMPARE(settingRow(row.key), &row);
            QCOMPARE(settingOfColumn(row.column()), &row);
            for (const std::string_view text : {row.label, row.shortLabel, row.help, row.placeholder})
                QVERIFY2(!text.empty(), bytes(row.key));
            QCOMPARE(row.isSwept(), row.places.tried > 0);
            if (row.isSwept())
                QVERIFY2(nested.insert(row.places.nested).second, bytes(row.key));
            QVERIFY2(!row.isOpen || (row.isSwept() && !row.isWork()), bytes(row.key));
            QVERIFY2(!row.isWork() || !row.isOfMeasurement, bytes(row.key));
            QVERIFY2(row.isSwept() || row.isWork() || row.isOfMeasurement, bytes(row.key));
        }
        QCOMPARE(settingRow("cpu_stage"), nullptr);
        QCOMPARE(settingOfColumn("cpu-stage"), nullptr);
    }

    /// Work changes what is computed: filters, and what the CPU stage does, if there is one.
    void aPlacementIsAChoiceAndWorkIsNot()
    {
        const auto workOf = [](const PipelineConfig &config) {
            std::string work;
            for (const SettingRow &row : settingTable())
                if (row.isWork())
                    work += row.work.of(config) + " ";
            return work;
        };
        PipelineConfig config;
        QCOMPARE(workOf(config), std::string("off gaussian5,sobel "));
        config.cpuWork = CpuWork::Contours;
        QCOMPARE(workOf(config), std::string("off gaussian5,sobel "));
        for (const CpuStagePlacement place :
             {CpuStagePlacement::Serial, CpuStagePlacement::Pipelined, CpuStagePlacement::SameInput}) {
            config.cpuStage = place;
            QCOMPARE(workOf(config), std::string("contours gaussian5,sobel "));
        }
        const std::string before = workOf(config);
        for (const char *choice : {"memory", "output", "sync", "wait", "frames-in-flight", "streams", "priority",
                                   "gpu-share", "beside", "gpu-time"}) {
            const SettingRow &row = *settingRow(choice);
            QVERIFY(!row.isWork());
            for (const SettingValue &value : row.values()) {
                QVERIFY(row.set(config, value.name).ok());
                QCOMPARE(workOf(config), before);
            }
        }
    }

    /// Each row judges its own value, and the worst of them is that of the configuration.
    void availabilityIsThatOfTheRows()
    {
        std::vector<DeviceFacts> devices = test::softwareProfiles();
        devices.push_back(test::jetsonFacts());
        devices.push_back(test::discreteFacts());
        for (const DeviceFacts &facts : devices)
            for (const SettingRow &row : settingTable())
                for (const SettingValue &value : row.values()) {
                    PipelineConfig config = nearestLegal({}, facts);
                    QVERIFY(row.set(config, value.name).ok());
                    const Availability found = row.availability(config, facts);
                    QVERIFY(availability(config, facts).level >= found.level);
                    QCOMPARE(found.reason.empty(), found.legal());
                }
        PipelineConfig config;
        config.framesInFlight = kMaxFramesInFlight + 1;
        QVERIFY(settingRow("frames-in-flight")->availability(config, devices.front()).unavailable());
        QVERIFY(settingRow("streams")->availability(config, devices.front()).legal());
    }

    void wordsStandInSentences()
    {
        PipelineConfig config;
        QCOMPARE(settingRow("memory")->words(config), std::string("pinned"));
        QCOMPARE(settingRow("wait")->words(config), std::string("wait auto"));
        QCOMPARE(settingRow("frames-in-flight")->words(config), std::string("2 in flight"));
        QCOMPARE(settingRow("streams")->words(config), std::string("1 stream"));
        QCOMPARE(settingRow("gpu-time")->words(config), std::string());
        QCOMPARE(describeSettings(config, "+"),
                 std::string("pinned → gaussian5+sobel → eglimage, sync eglsync, wait auto, CPU stage off, 2 in "
                             "flight, 1 stream"));
        config.cpuStage = CpuStagePlacement::Serial;
        config.streams = 2;
        QCOMPARE(describeSettings(config, ",", WaitPolicy::Spin),
                 std::string("pinned → gaussian5,sobel → eglimage, sync eglsync, wait auto (in force: spin), CPU stage "
                             "serial canny, 2 in flight, 2 streams"));
    }
};

JETSCOPE_TEST(TestSettingTable)
#include "tst_settingtable.moc"
