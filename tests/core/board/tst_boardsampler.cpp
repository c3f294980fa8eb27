// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/board/boardcounters.h"
#include "core/board/boardsampler.h"
#include "core/board/energy.h"
#include "core/system/sysfile.h"
#include "tests/support/boardtree.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <ctime>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

using namespace jetscope;
using testing::BoardExample;
using testing::BoardTree;

namespace {

/// /proc/self/stat; a name may have brackets and blanks.
QByteArray ownTimes(int user, int system)
{
    return "123 (a) 1 2) S 1 123 123 0 -1 4194304 900 0 1 0 " + QByteArray::number(user) + " "
        + QByteArray::number(system) + " 0 0 20 0 9 0 100 5000 800\n";
}

constexpr std::int64_t kSecondNs = 1'000'000'000;

const BoardExample &agxOrinExample()
{
    return testing::boardExamples()[3];
}

std::optional<Reading<double>> readingOf(const BoardSampler &sampler, const BoardState &state, const std::string &name)
{
    for (std::size_t i = 0; i < sampler.items().size(); ++i)
        if (sampler.items()[i].name == name)
            return state.values[i];
    return std::nullopt;
}

/// "12.5", or why there is no value.
std::string textOf(const BoardSampler &sampler, const BoardState &state, const std::string &name)
{
    const auto reading = readingOf(sampler, state, name);
    if (!reading)
        return "not listed";
    return reading->known() ? QString::number(*reading->value, 'g', 10).toStdString() : reading->reason;
}

/// "name value unit" of the counters that changed.
QStringList changes(BoardSampler &sampler, BoardCounters &counters, std::int64_t nowNs)
{
    std::vector<CounterSample> samples;
    counters.take(sampler.sample(nowNs), samples);
    QStringList texts;
    for (const CounterSample &sample : samples) {
        const auto info = std::find_if(counters.infos().begin(), counters.infos().end(),
                                       [&](const CounterInfo &one) { return one.id == sample.counter; });
        if (info == counters.infos().end() || sample.timeNs != nowNs)
            qFatal("a sample of no counter, or of another time");
        texts.append(QString("%1 %2 %3")
                         .arg(QString::fromStdString(info->name))
                         .arg(sample.value, 0, 'g', 10)
                         .arg(QString::fromStdString(info->unit)));
    }
    return texts;
}

double threadSeconds()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

constexpr const char *kGpuLoad = "sys/class/devfreq/17000000.gpu/device/load";

} // namespace

class TestBoardSampler : public QObject {
    Q_OBJECT
private slots:
    void readsEachBoard_data();
    void readsEachBoard();
    void everyFieldIsCheckedOnThreeBoards();
    void knowsTheLoadFromTheSecondReadingOn();
    void readsAPersonalComputer();
    void followsThePowerMode();
    void saysWhatLimitsTheClocks();
    void reportsChangesOnly();
    void detailsAreReadOnRequest();
    void whatMakesNoSenseIsUnknown();
    void clustersMayGoAndComeBack();
    void filesThatVanishedAfterTheListAreUnknown();
    void limitsAreThoseOfTheKernel();
    void filesForRootAreUnknown();
    void takesNothingButRegularFiles();
    void namesArePrintable();
    void listsABoundedNumber();
    void readsThisMachine();
    void costsUnderHalfAPercentOfACore();
};

void TestBoardSampler::readsEachBoard_data()
{
    QTest::addColumn<int>("board");
    for (std::size_t i = 0; i < testing::boardExamples().size(); ++i)
        QTest::newRow(qPrintable(testing::boardExamples()[i].name)) << static_cast<int>(i);
}

void TestBoardSampler::readsEachBoard()
{
    QFETCH(int, board);
    const BoardExample &example = testing::boardExamples()[static_cast<std::size_t>(board)];
    const BoardTree tree(example);
    BoardSampler sampler(tree.root());
    const BoardState &state = sampler.sample(kSecondNs);
    QCOMPARE(state.values.size(), sampler.items().size());
    QCOMPARE(state.powerMode, example.expected.powerMode);
    for (const auto &[name, value] : example.expected.values) {
        const auto reading = readingOf(sampler, state, name);
        QVERIFY2(reading, name.c_str());
        QVERIFY2(reading->known(), (name + ": " + reading->reason).c_str());
        QVERIFY2(std::abs(*reading->value - value) <= 1e-9 * std::max(1.0, std::abs(value)),
                 (name + " is " + textOf(sampler, state, name)).c_str());
    }
    for (const std::string &name : example.expected.unknown) {
        const auto reading = readingOf(sampler, state, name);
        QVERIFY2(reading && !reading->known() && !reading->reason.empty(), name.c_str());
    }
    std::set<std::string> names;
    for (const BoardItem &item : sampler.items()) {
        QVERIFY2(names.insert(item.name).second, item.name.c_str());
        QVERIFY2(item.name.find("NC") == std::string::npos, item.name.c_str());
    }
    std::vector<CounterTrack> tracks;
    const BoardCounters counters(sampler.items());
    for (const CounterInfo &info : counters.infos())
        tracks.emplace_back(info);
    std::vector<std::string> energy;
    for (const std::size_t counter : energyCounters(tracks))
        energy.push_back(tracks[counter].info().name);
    QCOMPARE(energy, example.expected.energy);
}

/// By quantity and part.
void TestBoardSampler::everyFieldIsCheckedOnThreeBoards()
{
    std::map<std::pair<BoardPart, BoardQuantity>, int> boards;
    for (const BoardExample &example : testing::boardExamples()) {
        const BoardTree tree(example);
        std::set<std::pair<BoardPart, BoardQuantity>> checked;
        for (const BoardItem &item : findBoardLayout(tree.root()).items) {
            const bool isKnown = example.expected.values.count(item.name) > 0;
            const auto &unknown = example.expected.unknown;
            if (isKnown || std::find(unknown.begin(), unknown.end(), item.name) != unknown.end())
                checked.insert({item.part, item.quantity});
        }
        for (const auto &field : checked)
            ++boards[field];
    }
    const auto count = [&](BoardPart part, BoardQuantity quantity) { return boards[{part, quantity}]; };
    QVERIFY(count(BoardPart::Board, BoardQuantity::PowerMode) >= 3);
    QVERIFY(count(BoardPart::Board, BoardQuantity::ClocksLocked) >= 3);
    QVERIFY(count(BoardPart::Board, BoardQuantity::Throttling) >= 3);
    QVERIFY(count(BoardPart::Board, BoardQuantity::OverCurrent) >= 3);
    QVERIFY(count(BoardPart::Power, BoardQuantity::PowerLimit) >= 3);
    QVERIFY(count(BoardPart::Gpu, BoardQuantity::Load) >= 3);
    QVERIFY(count(BoardPart::Gpu, BoardQuantity::Clock) >= 3);
    QVERIFY(count(BoardPart::Memory, BoardQuantity::Clock) >= 3);
    QVERIFY(count(BoardPart::Memory, BoardQuantity::Load) >= 3);
    QVERIFY(count(BoardPart::Memory, BoardQuantity::Bytes) >= 3);
    QVERIFY(count(BoardPart::Cpu, BoardQuantity::Load) >= 3);
    QVERIFY(count(BoardPart::Cpu, BoardQuantity::Clock) >= 3);
    QVERIFY(count(BoardPart::Temperature, BoardQuantity::Temperature) >= 3);
    QVERIFY(count(BoardPart::Power, BoardQuantity::Power) >= 3);
    QVERIFY(count(BoardPart::Fan, BoardQuantity::FanSpeed) >= 3);
}

void TestBoardSampler::knowsTheLoadFromTheSecondReadingOn()
{
    for (const std::size_t board : {0U, 1U, 2U, 3U, 4U, 5U}) {
        BoardTree tree(testing::boardExamples()[board]);
        tree.write("proc/self/stat", ownTimes(40, 10));
        BoardSampler sampler(tree.root());
        QCOMPARE(textOf(sampler, sampler.sample(kSecondNs), "CPU load"),
                 std::string("it is known from the second reading on"));
        // 100 ticks, of which 60 idle and 15 waiting for I/O; core 1: all busy; core 2 is offline.
        tree.write("proc/stat",
                   "cpu  1020 0 505 8060 115 0 0 0 0 0\ncpu0 100 0 50 800 10 0 0 0 0 0\n"
                   "cpu1 150 0 100 800 10 0 0 0 0 0\n");
        tree.write("proc/self/stat", ownTimes(50, 15));
        const BoardState &state = sampler.sample(2 * kSecondNs);
        QCOMPARE(textOf(sampler, state, "CPU load"), std::string("25"));
        QCOMPARE(textOf(sampler, state, kOutsideLoadCounter), std::string("10"));
        QCOMPARE(textOf(sampler, state, "CPU 1 load"), std::string("100"));
        QCOMPARE(textOf(sampler, state, "CPU 2 load"), std::string("the core is offline"));
        QCOMPARE(textOf(sampler, state, "CPU 0 load"), std::string("the times of /proc/stat did not advance"));
        for (const char *bad : {"", "123 (", "123 (a) S 1 2 3", "123 (a) S 1 2 3 4 5 6 7 8 9 10 x y",
                                "123 (a) S 1 2 3 4 5 6 7 8 9 10 -1 99999999999999999999999 3"}) {
            tree.write("proc/self/stat", bad);
            QCOMPARE(textOf(sampler, sampler.sample(3 * kSecondNs), kOutsideLoadCounter),
                     std::string("/proc/self/stat has no times of this process"));
        }
    }
}

void TestBoardSampler::readsAPersonalComputer()
{
    BoardTree tree;
    for (int core = 0; core < 64; ++core)
        tree.write(QString("sys/devices/system/cpu/cpufreq/policy%1/scaling_cur_freq").arg(core),
                   QByteArray::number(1'000'000 + core) + "\n");
    tree.write("sys/class/hwmon/hwmon0/name", "nvme\n");
    tree.write("sys/class/hwmon/hwmon0/temp1_input", "30000\n");
    tree.write("sys/class/hwmon/hwmon1/name", "k10temp\n");
    tree.write("sys/class/hwmon/hwmon1/temp1_input", "51250\n");
    tree.write("sys/class/hwmon/hwmon2/name", "amdgpu\n");
    tree.write("sys/class/hwmon/hwmon2/power1_average", "11000000\n");
    tree.write("sys/class/powercap/intel-rapl:0/name", "package-0\n");
    tree.write("sys/class/powercap/intel-rapl:0/energy_uj", "9000000\n");
    tree.write("sys/class/powercap/intel-rapl:0/max_energy_range_uj", "10000000\n");
    BoardSampler sampler(tree.root());
    sampler.sample(kSecondNs);
    tree.write("sys/class/powercap/intel-rapl:0/energy_uj", "4000000\n"); // It wrapped.
    const BoardState &state = sampler.sample(3 * kSecondNs);
    QCOMPARE(textOf(sampler, state, "CPU clock"), std::string("1000007000")); // The first eight clusters only.
    QCOMPARE(textOf(sampler, state, "temperature k10temp"), std::string("51.25"));
    QCOMPARE(textOf(sampler, state, "power amdgpu"), std::string("11"));
    QCOMPARE(textOf(sampler, state, "power CPU package-0"), std::string("2.5"));
    QCOMPARE(textOf(sampler, state, "power mode"), std::string("this machine has no nvpmodel"));
    QCOMPARE(textOf(sampler, state, "GPU load"), std::string("not listed"));
}

void TestBoardSampler::followsThePowerMode()
{
    BoardTree tree(agxOrinExample());
    BoardSampler sampler(tree.root());
    QCOMPARE(sampler.sample(kSecondNs).powerMode, std::string("MODE_30W (2)"));
    tree.remove("var/lib/nvpmodel/status"); // nvpmodel may write a new file.
    tree.write("var/lib/nvpmodel/status", "pmode:0000\n");
    QCOMPARE(sampler.sample(3 * kSecondNs).powerMode, std::string("MAXN (0)"));
    tree.write("var/lib/nvpmodel/status", "pmode:0042\n");
    QCOMPARE(sampler.sample(5 * kSecondNs).powerMode, std::string("42"));
    tree.write("var/lib/nvpmodel/status", "\xff\xfe");
    QVERIFY(sampler.sample(7 * kSecondNs).powerMode.empty());
    tree.remove("var/lib/nvpmodel/status");
    const BoardState &state = sampler.sample(9 * kSecondNs);
    QVERIFY(state.powerMode.empty());
    QVERIFY(textOf(sampler, state, "power mode").starts_with("there is no file"));
    tree.write("etc/nvpmodel.conf", "< POWER_MODEL ID=2 NAME=MODE_3");
    tree.write("var/lib/nvpmodel/status", "pmode:0002\n");
    BoardSampler cut(tree.root());
    QCOMPARE(cut.sample(kSecondNs).powerMode, std::string("2"));
}

void TestBoardSampler::saysWhatLimitsTheClocks()
{
    using Texts = std::vector<std::string>;
    const BoardTree xavierNx(testing::boardExamples()[2]);
    BoardSampler first(xavierNx.root());
    QCOMPARE(first.sample(kSecondNs).limits, Texts{"gpu-throttle-alert"});
    BoardTree orin(agxOrinExample());
    BoardSampler second(orin.root());
    QCOMPARE(second.sample(kSecondNs).limits, Texts{"VIN_SYS_5V0"});
    orin.write("sys/class/thermal/cooling_device0/cur_state", "3\n");
    orin.write("sys/class/thermal/cooling_device1/cur_state", "-1\n"); // Inactive (powerclamp).
    orin.write("sys/class/hwmon/hwmon3/curr3_input", "799\n");
    QCOMPARE(second.sample(2 * kSecondNs).limits, Texts{"cpu-throttle-alert"});
    const BoardTree tx2(testing::boardExamples()[1]);
    BoardSampler third(tx2.root());
    QCOMPARE(third.sample(kSecondNs).limits, Texts{"tegra-heavy"});
}

void TestBoardSampler::reportsChangesOnly()
{
    BoardTree tree(agxOrinExample());
    BoardSampler sampler(tree.root());
    BoardCounters counters(sampler.items(), 40);
    for (std::size_t i = 0; i < counters.infos().size(); ++i) {
        QCOMPARE(counters.infos()[i].id, static_cast<CounterId>(40 + i));
        QVERIFY2(!counters.infos()[i].name.starts_with("CPU 0"), "a detail");
    }
    const QStringList first = changes(sampler, counters, kSecondNs);
    QCOMPARE(static_cast<std::size_t>(first.size()), counters.infos().size());
    QVERIFY(first.contains("GPU load 73.5 %"));
    QVERIFY(first.contains("temperature cv0-thermal nan °C"));
    QVERIFY(first.filter("memory clock").isEmpty()); // It can never be known here.
    const auto withoutPower = [](const QStringList &texts) {
        QStringList others;
        for (const QString &text : texts)
            if (!text.startsWith("power "))
                others.append(text);
        return others;
    };
    const QStringList again = changes(sampler, counters, kSecondNs + 1);
    QCOMPARE(withoutPower(again), QStringList());
    QCOMPARE(again.size(), 5); // Every reading of the four rails and their sum, for the energy.
    tree.write(kGpuLoad, "1000\n");
    tree.write("sys/class/thermal/thermal_zone2/temp", "40000\n");
    QCOMPARE(withoutPower(changes(sampler, counters, kSecondNs + 2)),
             (QStringList{"GPU load 100 %", "temperature cv0-thermal 40 °C"}));
    tree.write(kGpuLoad, "");
    QCOMPARE(withoutPower(changes(sampler, counters, kSecondNs + 3)), QStringList{"GPU load nan %"});
}

void TestBoardSampler::detailsAreReadOnRequest()
{
    BoardTree tree(agxOrinExample());
    BoardSampler sampler(tree.root());
    QCOMPARE(textOf(sampler, sampler.sample(kSecondNs, false), "CPU 4 clock"), std::string("it was not read yet"));
    QCOMPARE(textOf(sampler, sampler.sample(kSecondNs + 1, true), "CPU 4 clock"), std::string("1510400000"));
}

void TestBoardSampler::whatMakesNoSenseIsUnknown()
{
    const std::vector<QByteArray> texts = {QByteArray(),
                                           "\n",
                                           "nan",
                                           "12 13",
                                           "0x10",
                                           "12.5",
                                           "99999999999999999999999",
                                           "-9223372036854775808",
                                           "9223372036854775807",
                                           QByteArray(4096, '1'),
                                           QByteArray("\xff\xfe\0\1", 4),
                                           "-256000"};
    for (const QByteArray &text : texts) {
        BoardTree tree(agxOrinExample());
        BoardSampler sampler(tree.root());
        sampler.sample(kSecondNs);
        for (const auto &[path, content] : agxOrinExample().files)
            if (!path.startsWith("etc") && !path.endsWith("name") && !path.endsWith("type") && !path.endsWith("label"))
                tree.write(path, text);
        const BoardState &state = sampler.sample(3 * kSecondNs);
        for (std::size_t i = 0; i < sampler.items().size(); ++i) {
            const BoardItem &item = sampler.items()[i];
            // A negative state means inactive; two equal texts are equal clocks; a negative current is no limit.
            if (item.quantity <= BoardQuantity::PowerLimit)
                continue;
            // A product of two such numbers may be plausible.
            if (item.quantity == BoardQuantity::Power && state.values[i].known())
                QVERIFY(*state.values[i].value <= item.high);
            else
                QVERIFY2(!state.values[i].known(), (item.name + " of \"" + text.toStdString() + "\"").c_str());
        }
        BoardSampler anew(tree.root()); // The search meets the same texts.
        anew.sample(kSecondNs);
    }
}

void TestBoardSampler::clustersMayGoAndComeBack()
{
    BoardTree tree(agxOrinExample());
    const QString cluster = "sys/devices/system/cpu/cpufreq/policy4";
    BoardSampler sampler(tree.root());
    QCOMPARE(textOf(sampler, sampler.sample(kSecondNs), "CPU clock"), std::string("1510400000"));
    // Files that were opened stay readable here, other than in sysfs; so they are emptied.
    tree.write(cluster + "/scaling_cur_freq", "");
    tree.write(cluster + "/scaling_min_freq", "");
    tree.write(cluster + "/scaling_max_freq", "");
    const BoardState &without = sampler.sample(3 * kSecondNs);
    QCOMPARE(textOf(sampler, without, "CPU clock"), std::string("729600000"));
    QCOMPARE(textOf(sampler, without, "clocks locked"), std::string("0"));
    QVERIFY(!readingOf(sampler, without, "CPU 4 clock")->known());
    tree.remove(cluster);
    tree.write(cluster + "/scaling_cur_freq", "1300000\n");
    for (int i = 0; i < 20; ++i) // A file that fails is opened again now and then.
        sampler.sample((4 + i) * kSecondNs);
    QCOMPARE(textOf(sampler, sampler.sample(30 * kSecondNs), "CPU clock"), std::string("1300000000"));
}

void TestBoardSampler::filesThatVanishedAfterTheListAreUnknown()
{
    for (const BoardExample &example : testing::boardExamples()) {
        BoardTree tree(example);
        BoardLayout layout = findBoardLayout(tree.root());
        tree.remove("sys");
        tree.remove("proc");
        tree.remove("var");
        BoardSampler sampler(std::move(layout));
        const BoardState &state = sampler.sample(kSecondNs);
        for (std::size_t i = 0; i < sampler.items().size(); ++i)
            QVERIFY2(!state.values[i].known() && !state.values[i].reason.empty(), sampler.items()[i].name.c_str());
        QVERIFY(state.limits.empty() && state.powerMode.empty());
    }
}

void TestBoardSampler::limitsAreThoseOfTheKernel()
{
    BoardTree tree(agxOrinExample());
    const QString zone = QStringLiteral("sys/class/thermal/thermal_zone90");
    tree.write(zone + "/type", "case-thermal\n");
    tree.write(zone + "/temp", "46000\n");
    const auto trip = [&](int number, const char *type, const char *temp) {
        tree.write(QStringLiteral("%1/trip_point_%2_type").arg(zone).arg(number), type);
        tree.write(QStringLiteral("%1/trip_point_%2_temp").arg(zone).arg(number), temp);
    };
    trip(0, "passive\n", "99000\n");
    trip(1, "active\n", "51000\n"); // The fan.
    trip(2, "critical\n", "104500\n");
    trip(3, "hot\n", "-274000\n"); // Switched off.
    trip(4, "passive\n", "many\n");
    QStringList found;
    for (const BoardLimit &limit : findBoardLayout(tree.root()).limits)
        if (limit.counter == "temperature case-thermal")
            found += QStringLiteral("%1 %2").arg(limit.value).arg(QString::fromStdString(limit.what));
    QCOMPARE(found.join(u','), QString("99 throttles,104.5 shuts down"));
}

void TestBoardSampler::filesForRootAreUnknown()
{
    if (::geteuid() == 0)
        QSKIP("root may read every file");
    BoardTree tree(agxOrinExample());
    QVERIFY(QFile::setPermissions(tree.path(kGpuLoad), {}));
    QVERIFY(QFile::setPermissions(tree.path("var/lib/nvpmodel/status"), {}));
    BoardSampler sampler(tree.root());
    const BoardState &state = sampler.sample(kSecondNs);
    QVERIFY(textOf(sampler, state, "GPU load").find("only root may read") != std::string::npos);
    QVERIFY(textOf(sampler, state, "power mode").starts_with("only root may read"));
}

void TestBoardSampler::takesNothingButRegularFiles()
{
    BoardTree tree;
    tree.write("sys/class/thermal/thermal_zone0/type", "pipe\n");
    QCOMPARE(::mkfifo(tree.path("sys/class/thermal/thermal_zone0/temp").toLocal8Bit().constData(), 0600), 0);
    tree.write("sys/class/thermal/thermal_zone1/type", "folder\n");
    QVERIFY(QDir().mkpath(tree.path("sys/class/thermal/thermal_zone1/temp")));
    tree.write("sys/class/thermal/thermal_zone2/type", "nothing\n");
    tree.write("sys/class/hwmon", "a file where a folder belongs");
    QCOMPARE(::mkfifo(tree.path("nothing").toLocal8Bit().constData(), 0600), 0);
    BoardSampler sampler(tree.root()); // Reading the pipe would block forever.
    const BoardState &state = sampler.sample(kSecondNs);
    for (const Reading<double> &reading : state.values)
        QVERIFY(!reading.known());
    QVERIFY(BoardSampler("/there/is/no/such/folder").items().size() < 10);
}

void TestBoardSampler::namesArePrintable()
{
    BoardTree tree;
    tree.write("sys/class/thermal/thermal_zone0/type", QByteArray("a\x1b[31m\xff\tb\nsecond line"));
    tree.write("sys/class/thermal/thermal_zone0/temp", "1000");
    tree.write("sys/class/thermal/thermal_zone1/type", QByteArray(100'000, 'x'));
    tree.write("sys/class/thermal/thermal_zone1/temp", "1000");
    tree.write("sys/class/thermal/thermal_zone2/temp", "1000");
    tree.write("sys/class/thermal/thermal_zone3/temp", "2000");
    BoardSampler sampler(tree.root());
    const BoardState &state = sampler.sample(kSecondNs);
    QCOMPARE(textOf(sampler, state, "temperature a?[31m??b"), std::string("1"));
    QCOMPARE(textOf(sampler, state, "temperature " + std::string(64, 'x')), std::string("1"));
    QCOMPARE(textOf(sampler, state, "temperature"), std::string("1"));
    QCOMPARE(textOf(sampler, state, "temperature 2"), std::string("2"));
}

void TestBoardSampler::listsABoundedNumber()
{
    BoardTree tree;
    for (int zone = 0; zone < 700; ++zone)
        tree.write(QString("sys/class/thermal/thermal_zone%1/temp").arg(zone), "1000");
    BoardSampler sampler(tree.root());
    QCOMPARE(sampler.items().size(), BoardLayout::kMaxItems);
    const BoardCounters counters(sampler.items());
    QCOMPARE(counters.infos().size(), BoardCounters::kMax);
    BoardSampler moved = std::move(sampler);
    QCOMPARE(moved.sample(kSecondNs).values.size(), BoardLayout::kMaxItems);
}

void TestBoardSampler::readsThisMachine()
{
    BoardSampler sampler("/");
    sampler.sample(kSecondNs);
    const BoardState &state = sampler.sample(2 * kSecondNs);
    QVERIFY(readingOf(sampler, state, "memory used")->known());
    for (const BoardItem &item : sampler.items())
        QVERIFY(!item.name.empty());
}

/// Ten readings a second of this machine and of a board's tree.
void TestBoardSampler::costsUnderHalfAPercentOfACore()
{
    const BoardTree tree(agxOrinExample());
    for (const std::string &root : {std::string("/"), tree.root()}) {
        BoardSampler sampler(root);
        sampler.sample(1, false);
        constexpr int kReadings = 300;
        const double before = threadSeconds();
        for (int i = 1; i <= kReadings; ++i)
            sampler.sample(1 + i * (kSecondNs / 10), false);
        const double ofACore = (threadSeconds() - before) / kReadings * 10;
        qInfo("%s: %.3f %% of a core at 10 Hz", root.c_str(), ofACore * 100);
        QVERIFY2(ofACore < 0.005, qPrintable(QString::number(ofACore)));
    }
}

JETSCOPE_TEST(TestBoardSampler)
#include "tst_boardsampler.moc"
