// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// What `jetscope doctor` says of the machine and of its devices, with made trees in place of "/".
#include "app/board/machinereport.h"
#include "tests/app/jsonlines.h"
#include "tests/app/program.h"
#include "tests/support/boardtree.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QJsonArray>

using namespace jetscope;
using jetscope::testing::BoardTree;

namespace {

QJsonObject rowNamed(const QJsonObject &section, const QString &name)
{
    for (const QJsonValue &row : section["rows"].toArray())
        if (row.toObject()["name"].toString() == name)
            return row.toObject();
    return {};
}

QJsonObject deviceNamed(const QJsonObject &doctor, const QString &id)
{
    for (const QJsonValue &device : doctor["devices"].toArray())
        if (device.toObject()["id"].toString() == id)
            return device.toObject();
    return {};
}

} // namespace

class TestDoctorPlatform : public QObject {
    Q_OBJECT

private slots:
    void theBoardIsNamed_data();
    void theBoardIsNamed();
    void everySectionIsInTextAndJson();
    void devicesHaveTheirTables();
    void whatCannotBeReadIsNull();
    void extensionsAreListed();
    void theProgramReadsBelowARoot();
    void aRootThatIsMissingIsRefused();

private:
    static MachineReport examine(const BoardTree &tree)
    {
        CameraSurvey survey;
        survey.list = [] { return std::vector<CameraInfo>(); };
        survey.root = tree.root();
        return examineMachine(survey, [](int) { return CuptiOutcome(); });
    }
};

void TestDoctorPlatform::theBoardIsNamed_data()
{
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < jetscope::testing::boardExamples().size(); ++i)
        QTest::newRow(qPrintable(jetscope::testing::boardExamples()[i].name)) << static_cast<int>(i);
}

void TestDoctorPlatform::theBoardIsNamed()
{
    QFETCH(int, index);
    const jetscope::testing::BoardExample &example =
        jetscope::testing::boardExamples()[static_cast<std::size_t>(index)];
    const BoardTree tree(example);
    const MachineReport report = examine(tree);
    const QJsonObject board = printed(doctorJson(report))["board"].toObject();
    const std::map<const char *, std::string> wanted = {{"model", example.expected.model},
                                                        {"chip", example.expected.chip},
                                                        {"Jetson Linux (L4T)", example.expected.l4t},
                                                        {"JetPack", example.expected.jetpack}};
    for (const auto &[name, value] : wanted) {
        const QJsonObject row = rowNamed(board, QString::fromLatin1(name));
        QCOMPARE(row["value"].toString().toStdString(), value);
        QCOMPARE(row["value"].isNull(), value.empty());
        QCOMPARE(row["detail"].isNull(), !value.empty()); // Unknown, with the reason.
    }
    const QString text = QString::fromStdString(doctorText(report)).simplified();
    QVERIFY2(text.contains(QString::fromStdString(example.expected.model).simplified()), qPrintable(text));
}

void TestDoctorPlatform::everySectionIsInTextAndJson()
{
    BoardTree tree;
    tree.write("etc/group", "video:x:44:\n");
    tree.write("etc/modprobe.d/nvidia.conf", "options nvidia NVreg_RestrictProfilingToAdminUsers=1\n");
    const MachineReport report = examine(tree);
    const QJsonObject json = printed(doctorJson(report));
    const QString text = QString::fromStdString(doctorText(report)).simplified();
    for (const char *key : {"board", "permissions", "profiling", "libraries", "sharing"}) {
        const QJsonArray rows = json[QLatin1String(key)].toObject()["rows"].toArray();
        QVERIFY2(!rows.isEmpty(), key);
        for (const QJsonValue &value : rows) {
            const QJsonObject row = value.toObject();
            QVERIFY2(text.contains(row["name"].toString()), qPrintable(row["name"].toString()));
            for (const char *part : {"value", "detail", "command"})
                if (!row[QLatin1String(part)].isNull())
                    QVERIFY2(text.contains(row[QLatin1String(part)].toString().simplified()),
                             qPrintable(row[QLatin1String(part)].toString() + " is not in: " + text));
        }
    }
    QCOMPARE(rowNamed(json["profiling"].toObject(), "profiling by users")["state"].toString(), QString("bad"));
    QVERIFY(text.contains("NVreg_RestrictProfilingToAdminUsers=0"));
}

void TestDoctorPlatform::devicesHaveTheirTables()
{
    const BoardTree tree;
    const QJsonObject json = printed(doctorJson(examine(tree)));
    const auto caching = [&json](const QString &id, int row, const QString &processor) {
        return deviceNamed(json, id)["memory_table"]
            .toArray()[row]
            .toObject()[processor]
            .toObject()["caching"]
            .toString();
    };
    QCOMPARE(caching("soft:nano", 2, "cpu"), QString("uncached")); // Pinned memory.
    QCOMPARE(caching("soft:tx2", 2, "cpu"), QString("uncached"));
    QCOMPARE(caching("soft:xavier", 2, "cpu"), QString("cached"));
    QCOMPARE(caching("soft:orin", 2, "gpu"), QString("uncached"));
    QCOMPARE(caching("soft:nano", 3, "cpu"), QString("not supported")); // Registered memory.
    QCOMPARE(caching("soft:thor", 4, "gpu"), QString("the driver decides"));
    QVERIFY(deviceNamed(json, "soft:orin")["attach"].toObject()["available"].toBool());
    QVERIFY(!deviceNamed(json, "soft:thor")["attach"].toObject()["available"].toBool());
    QCOMPARE(deviceNamed(json, "soft:orin")["attach"].toObject()["transitions"].toArray().size(), 6);
    const QJsonObject attributes = deviceNamed(json, "soft:orin")["attributes"].toObject();
    QCOMPARE(rowNamed(attributes, "compute capability")["value"].toString(), QString("8.7"));
    QCOMPARE(rowNamed(attributes, "concurrentManagedAccess")["value"].toString(), QString("0"));
    const QJsonObject features = deviceNamed(json, "soft:nano")["features"].toObject();
    QCOMPARE(rowNamed(features, "cudaHostRegister")["state"].toString(), QString("bad"));
    QVERIFY(rowNamed(features, "cudaHostRegister")["detail"].toString().contains("cudaHostAlloc"));
}

void TestDoctorPlatform::whatCannotBeReadIsNull()
{
    const BoardTree tree;
    const QJsonObject json = printed(doctorJson(examine(tree)));
    const QJsonObject attributes = deviceNamed(json, "soft:orin")["attributes"].toObject();
    const QJsonObject limits = deviceNamed(json, "soft:orin")["limits"].toObject();
    for (const QJsonObject &row :
         {rowNamed(attributes, "CUDA of the driver"), rowNamed(limits, "allocatable"),
          rowNamed(json["board"].toObject(), "chip"), rowNamed(json["profiling"].toObject(), "profiling by users"),
          rowNamed(json["libraries"].toObject(), "deep-learning accelerators (DLA)")}) {
        QVERIFY(row["value"].isNull());
        QCOMPARE(row["state"].toString(), QString("unknown"));
        QVERIFY(!row["detail"].toString().isEmpty());
    }
}

void TestDoctorPlatform::extensionsAreListed()
{
    const BoardTree tree;
    const MachineReport report = examine(tree);
    QVERIFY(report.egl);
    const QJsonObject egl = printed(doctorJson(report))["egl"].toObject();
    QVERIFY(egl["extensions"].toArray().contains("EGL_KHR_surfaceless_context"));
    QVERIFY(egl["gl_extensions"].toArray().size() > 10);
    for (const QJsonValue &name : egl["gl_extensions"].toArray())
        QVERIFY2(name.toString().startsWith("GL_"), qPrintable(name.toString()));
}

void TestDoctorPlatform::theProgramReadsBelowARoot()
{
    const BoardTree tree(jetscope::testing::boardExamples().front());
    const Outcome outcome = runProgram({"doctor", "--sysroot", QString::fromStdString(tree.root()), "--json"});
    QVERIFY2(outcome.finished && outcome.code == 0, outcome.describe());
    QCOMPARE(rowNamed(outcome.json()["board"].toObject(), "model")["value"].toString().toStdString(),
             jetscope::testing::boardExamples().front().expected.model);
}

void TestDoctorPlatform::aRootThatIsMissingIsRefused()
{
    const Outcome outcome = runProgram({"doctor", "--sysroot", "/no/such/folder"});
    QVERIFY2(outcome.code == 2 && outcome.oneSentence(), outcome.describe());
}

JETSCOPE_TEST(TestDoctorPlatform)
#include "tst_doctorplatform.moc"
