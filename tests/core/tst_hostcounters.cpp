// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/recording/hostcounters.h"
#include "core/sysfile.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <sys/stat.h>

using namespace jetscope;

namespace {

/// A folder with files like those of a kernel.
class Tree {
public:
    void write(const QString &path, const QByteArray &text)
    {
        const QString whole = m_folder.filePath(path);
        QDir().mkpath(QFileInfo(whole).path());
        QFile file(whole);
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("the tree of the test cannot be written");
    }
    QString path(const QString &name) const { return m_folder.filePath(name); }
    std::string root() const { return m_folder.path().toStdString(); }

private:
    QTemporaryDir m_folder;
};

void writeOrin(Tree &tree)
{
    tree.write("sys/class/devfreq/15340000.vic/device/of_node/name", QByteArray("vic\0", 4));
    tree.write("sys/class/devfreq/15340000.vic/cur_freq", "1\n");
    tree.write("sys/class/devfreq/17000000.gpu/device/of_node/name", QByteArray("gpu\0", 4));
    tree.write("sys/class/devfreq/17000000.gpu/device/load", "735\n");
    tree.write("sys/class/devfreq/17000000.gpu/cur_freq", "918000000\n");
    tree.write("sys/kernel/debug/bpmp/debug/clk/emc/rate", "2133000000\n");
    tree.write("sys/devices/system/cpu/cpufreq/policy0/scaling_cur_freq", "729600\n");
    tree.write("sys/devices/system/cpu/cpufreq/policy4/scaling_cur_freq", "1510400\n");
    tree.write("sys/class/thermal/thermal_zone0/type", "cpu-thermal\n");
    tree.write("sys/class/thermal/thermal_zone0/temp", "46531\n");
    tree.write("sys/class/thermal/thermal_zone1/type", "cv0-thermal\n");
    tree.write("sys/class/thermal/thermal_zone1/temp", "-256000\n");
    tree.write("sys/class/hwmon/hwmon3/name", "ina3221\n");
    tree.write("sys/class/hwmon/hwmon3/in1_label", "VDD_IN\n");
    tree.write("sys/class/hwmon/hwmon3/in1_input", "5000\n");
    tree.write("sys/class/hwmon/hwmon3/curr1_input", "1140\n");
    tree.write("sys/class/hwmon/hwmon3/in2_label", "NC\n");
    tree.write("sys/class/hwmon/hwmon3/in2_input", "0\n");
    tree.write("sys/class/hwmon/hwmon3/curr2_input", "0\n");
}

/// "name unit value", in order.
QStringList readings(HostCounters &counters, std::int64_t nowNs = 5)
{
    std::vector<CounterSample> samples;
    counters.sample(nowNs, samples);
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

} // namespace

class TestHostCounters : public QObject {
    Q_OBJECT
private slots:
    void readsAJetson();
    void readsAnOlderJetson();
    void readsAPersonalComputer();
    void reportsChangesOnly();
    void whatMakesNoSenseIsUnknown();
    void takesNothingButRegularFiles();
    void namesArePrintable();
    void listsABoundedNumber();
    void readsThisMachine();
};

void TestHostCounters::readsAJetson()
{
    Tree tree;
    writeOrin(tree);
    HostCounters counters(tree.root(), 40);
    QCOMPARE(readings(counters),
             (QStringList{"GPU load 73.5 %", "GPU clock 918000000 Hz", "memory clock 2133000000 Hz",
                          "CPU clock 1510400000 Hz", "temperature cpu-thermal 46.531 °C",
                          "temperature cv0-thermal nan °C", "power VDD_IN 5.7 W"}));
    for (std::size_t i = 0; i < counters.infos().size(); ++i)
        QCOMPARE(counters.infos()[i].id, static_cast<CounterId>(40 + i));
}

void TestHostCounters::readsAnOlderJetson()
{
    Tree tree;
    const QString device = "sys/bus/i2c/devices/6-0040/iio:device0/";
    tree.write(device + "rail_name_0", "POM_5V_IN\n");
    tree.write(device + "in_power0_input", "1750\n");
    tree.write(device + "rail_name_1", "NC\n");
    tree.write(device + "in_power1_input", "1\n");
    tree.write("sys/class/devfreq/57000000.gpu/device/of_node/name", QByteArray("gpu\0", 4));
    tree.write("sys/class/devfreq/57000000.gpu/cur_freq", "76800000\n");
    HostCounters counters(tree.root());
    QCOMPARE(readings(counters), (QStringList{"GPU clock 76800000 Hz", "power POM_5V_IN 1.75 W"}));
}

void TestHostCounters::readsAPersonalComputer()
{
    Tree tree;
    for (int core = 0; core < 64; ++core)
        tree.write(QString("sys/devices/system/cpu/cpufreq/policy%1/scaling_cur_freq").arg(core),
                   QByteArray::number(1'000'000 + core) + "\n");
    tree.write("sys/class/hwmon/hwmon0/name", "nvme\n");
    tree.write("sys/class/hwmon/hwmon0/temp1_input", "30000\n");
    tree.write("sys/class/hwmon/hwmon1/name", "k10temp\n");
    tree.write("sys/class/hwmon/hwmon1/temp1_input", "51250\n");
    tree.write("sys/class/hwmon/hwmon2/name", "amdgpu\n");
    tree.write("sys/class/hwmon/hwmon2/power1_average", "11000000\n");
    HostCounters counters(tree.root());
    QCOMPARE(readings(counters),
             (QStringList{"CPU clock 1000007000 Hz", "temperature k10temp 51.25 °C", "power amdgpu 11 W"}));
}

void TestHostCounters::reportsChangesOnly()
{
    Tree tree;
    writeOrin(tree);
    HostCounters counters(tree.root());
    QVERIFY(!readings(counters).isEmpty());
    QVERIFY(readings(counters, 6).isEmpty());
    tree.write("sys/class/devfreq/17000000.gpu/device/load", "1000\n");
    tree.write("sys/class/thermal/thermal_zone1/temp", "40000\n");
    QCOMPARE(readings(counters, 7), (QStringList{"GPU load 100 %", "temperature cv0-thermal 40 °C"}));
    QVERIFY(QFile::resize(tree.path("sys/class/devfreq/17000000.gpu/device/load"), 0));
    QCOMPARE(readings(counters, 8), (QStringList{"GPU load nan %"}));
}

void TestHostCounters::whatMakesNoSenseIsUnknown()
{
    for (const QByteArray &text :
         {QByteArray(), QByteArray("\n"), QByteArray("nan"), QByteArray("12 13"), QByteArray("0x10"),
          QByteArray("12.5"), QByteArray("99999999999999999999999"), QByteArray("-9223372036854775808"),
          QByteArray("9223372036854775807"), QByteArray("1001"), QByteArray("-1"), QByteArray(4096, '1'),
          QByteArray("\xff\xfe\0\1", 4)}) {
        Tree tree;
        writeOrin(tree);
        HostCounters counters(tree.root());
        readings(counters);
        tree.write("sys/class/devfreq/17000000.gpu/device/load", text);
        QCOMPARE(readings(counters), (QStringList{"GPU load nan %"}));
    }
}

void TestHostCounters::takesNothingButRegularFiles()
{
    Tree tree;
    tree.write("sys/class/thermal/thermal_zone0/type", "pipe\n");
    QCOMPARE(::mkfifo(tree.path("sys/class/thermal/thermal_zone0/temp").toLocal8Bit().constData(), 0600), 0);
    tree.write("sys/class/thermal/thermal_zone1/type", "folder\n");
    QVERIFY(QDir().mkpath(tree.path("sys/class/thermal/thermal_zone1/temp")));
    tree.write("sys/class/thermal/thermal_zone2/type", "nothing\n");
    tree.write("sys/class/hwmon", "a file where a folder belongs");
    HostCounters counters(tree.root()); // Reading the pipe would block forever.
    QVERIFY(counters.infos().empty());
    QVERIFY(HostCounters("/there/is/no/such/folder").infos().empty());
    QVERIFY(HostCounters("").infos().size() <= HostCounters::kMost);
}

void TestHostCounters::namesArePrintable()
{
    Tree tree;
    tree.write("sys/class/thermal/thermal_zone0/type", QByteArray("a\x1b[31m\xff\tb\nsecond line"));
    tree.write("sys/class/thermal/thermal_zone0/temp", "1000");
    tree.write("sys/class/thermal/thermal_zone1/type", QByteArray(100'000, 'x'));
    tree.write("sys/class/thermal/thermal_zone1/temp", "1000");
    const HostCounters counters(tree.root());
    QCOMPARE(counters.infos().size(), std::size_t{2});
    QCOMPARE(counters.infos()[0].name, std::string("temperature a?[31m??b"));
    QCOMPARE(counters.infos()[1].name, "temperature " + std::string(64, 'x'));
}

void TestHostCounters::listsABoundedNumber()
{
    Tree tree;
    for (int zone = 0; zone < 200; ++zone)
        tree.write(QString("sys/class/thermal/thermal_zone%1/temp").arg(zone), "1000");
    HostCounters counters(tree.root());
    QCOMPARE(counters.infos().size(), HostCounters::kMost);
    HostCounters moved = std::move(counters);
    QCOMPARE(static_cast<std::size_t>(readings(moved).size()), HostCounters::kMost);
}

void TestHostCounters::readsThisMachine()
{
    // On the real machine: every listed counter has a name, a unit and a unique id.
    HostCounters counters("/", 10);
    std::vector<CounterSample> samples;
    counters.sample(1, samples);
    QCOMPARE(samples.size(), counters.infos().size());
    for (std::size_t i = 0; i < samples.size(); ++i) {
        QCOMPARE(samples[i].counter, counters.infos()[i].id);
        QVERIFY(!counters.infos()[i].name.empty() && !counters.infos()[i].unit.empty());
    }
}

QTEST_GUILESS_MAIN(TestHostCounters)
#include "tst_hostcounters.moc"
