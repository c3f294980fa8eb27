// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/board/boardidentity.h"
#include "core/board/boardlayout.h"
#include "tests/support/boardtree.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QTest>

using namespace jetscope;
using testing::BoardExample;
using testing::BoardTree;

class TestBoardIdentity : public QObject {
    Q_OBJECT
private slots:
    void readsEachBoard_data();
    void readsEachBoard();
    void knowsTheReleaseFromThePackage();
    void whatMakesNoSenseIsUnknown_data();
    void whatMakesNoSenseIsUnknown();
    void cutReleasesAreUnknown();
    void mapsReleasesToJetpack();
    void parsesPowerModes();
    void powerModesSurviveGarbage();
    void parsesTheModeInForce();
    void aPersonalComputerIsNoJetson();
    void readsThisMachine();
};

void TestBoardIdentity::readsEachBoard_data()
{
    QTest::addColumn<int>("board");
    for (std::size_t i = 0; i < testing::boardExamples().size(); ++i)
        QTest::newRow(qPrintable(testing::boardExamples()[i].name)) << static_cast<int>(i);
}

void TestBoardIdentity::readsEachBoard()
{
    QFETCH(int, board);
    const BoardExample &example = testing::boardExamples()[static_cast<std::size_t>(board)];
    const BoardTree tree(example);
    const BoardIdentity identity = readBoardIdentity(tree.root());
    QVERIFY(identity.isJetson());
    QCOMPARE(identity.model.value, std::optional(example.expected.model));
    QCOMPARE(identity.module.value, std::optional(example.expected.module));
    QCOMPARE(identity.chip.value, std::optional(example.expected.chip));
    QVERIFY(identity.l4t.known());
    QCOMPARE(identity.l4t.value->text(), example.expected.l4t);
    QCOMPARE(identity.jetpack.value, std::optional(example.expected.jetpack));
    QCOMPARE(identity.kernel.value, std::optional(example.expected.kernel));
}

void TestBoardIdentity::knowsTheReleaseFromThePackage()
{
    BoardTree tree(testing::boardExamples()[3]);
    tree.remove("etc/nv_tegra_release");
    const Reading<L4tRelease> without = readBoardIdentity(tree.root()).l4t;
    QVERIFY(!without.known());
    QVERIFY2(without.reason.find("there is no file") != std::string::npos, without.reason.c_str());
    tree.write("var/lib/dpkg/status",
               "Package: nvidia-l4t-cuda\nVersion: 35.1.0-2022\n\nPackage: nvidia-l4t-core\nStatus: install ok "
               "installed\nVersion: 36.4.4-20250616085344\n\nPackage: zlib\nVersion: 1.2-3\n");
    const BoardIdentity identity = readBoardIdentity(tree.root());
    QVERIFY(identity.l4t.known());
    QCOMPARE(identity.l4t.value->text(), std::string("36.4.4"));
    QCOMPARE(identity.jetpack.value, std::optional(std::string("6.2.1")));
}

void TestBoardIdentity::whatMakesNoSenseIsUnknown_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("line feed") << QByteArray("\n");
    QTest::newRow("zero bytes") << QByteArray("\0\0\0", 3);
    QTest::newRow("not UTF-8") << QByteArray("NVIDIA \xff\xfe Jetson");
    QTest::newRow("cut UTF-8") << QByteArray("Jetson \xe2\x82");
    QTest::newRow("control characters") << QByteArray("a\x1b[31mred");
    QTest::newRow("long garbage") << QByteArray(100'000, '\x80');
}

void TestBoardIdentity::whatMakesNoSenseIsUnknown()
{
    QFETCH(QByteArray, content);
    BoardTree tree(testing::boardExamples()[3]);
    for (const char *path : {"proc/device-tree/model", "proc/device-tree/compatible", "etc/nv_tegra_release",
                             "etc/nv_boot_control.conf", "proc/sys/kernel/osrelease"})
        tree.write(path, content);
    const BoardIdentity identity = readBoardIdentity(tree.root());
    QVERIFY(!identity.model.known() && !identity.model.reason.empty());
    QVERIFY(!identity.module.known() && !identity.module.reason.empty());
    QVERIFY(!identity.chip.known() && !identity.chip.reason.empty());
    QVERIFY(!identity.l4t.known() && !identity.l4t.reason.empty());
    QVERIFY(!identity.jetpack.known() && !identity.jetpack.reason.empty());
    QVERIFY(!identity.kernel.known() && !identity.kernel.reason.empty());
}

void TestBoardIdentity::cutReleasesAreUnknown()
{
    const std::string whole = "# R36 (release), REVISION: 4.7, GCID: 42132812, BOARD: generic";
    QVERIFY(parseTegraRelease(whole).known());
    const std::size_t enough = whole.find(", GCID") + 1;
    for (std::size_t size = 0; size < enough; ++size)
        QVERIFY2(!parseTegraRelease(whole.substr(0, size)).known(), whole.substr(0, size).c_str());
    for (const char *text : {"# R-36 (release), REVISION: 4.7,", "# R36 (release), REVISION: -4.7,",
                             "# R99999999999999999999 (release), REVISION: 4.7,", "# R36, REVISION: 4.x,",
                             "# r36 (release), REVISION: 4.7,", "#R36(release)REVISION:4"})
        QVERIFY2(!parseTegraRelease(text).known(), text);
}

void TestBoardIdentity::mapsReleasesToJetpack()
{
    QCOMPARE(jetpackOf({32, 7, 1}).value, std::optional(std::string("4.6.1")));
    QCOMPARE(jetpackOf({35, 6, 2}).value, std::optional(std::string("5.1.5")));
    QCOMPARE(jetpackOf({39, 2, 0}).value, std::optional(std::string("7.2")));
    const Reading<std::string> none = jetpackOf({40, 1, 2});
    QVERIFY(!none.known());
    QCOMPARE(none.reason, std::string("no JetPack is known for L4T 40.1.2"));
}

void TestBoardIdentity::parsesPowerModes()
{
    const PowerModes modes = parsePowerModes("# comment < POWER_MODEL ID=9 NAME=NO >\r\n"
                                             "< PARAM TYPE=CLOCK NAME=EMC >\n"
                                             "  < POWER_MODEL ID=0 NAME=MAXN >\r\n"
                                             "CPU_ONLINE CORE_0 1\n"
                                             "<POWER_MODEL ID=3 NAME=MODE_30W_ALL>\n"
                                             "< POWER_MODEL ID=3 NAME=SECOND >\n"
                                             "< PM_CONFIG DEFAULT=3 >");
    QCOMPARE(modes.modes, (std::vector<PowerMode>{{0, "MAXN"}, {3, "MODE_30W_ALL"}}));
    QCOMPARE(modes.defaultId, std::optional(3));
    QCOMPARE(modes.textOf(3), std::string("MODE_30W_ALL (3)"));
    QCOMPARE(modes.textOf(7), std::string("7"));
}

void TestBoardIdentity::powerModesSurviveGarbage()
{
    const std::string whole = "< POWER_MODEL ID=12 NAME=MODE_15W >";
    for (std::size_t size = 0; size < whole.size(); ++size)
        QVERIFY2(parsePowerModes(whole.substr(0, size)).modes.empty(), whole.substr(0, size).c_str());
    for (const char *text :
         {"< POWER_MODEL >", "< POWER_MODEL ID= NAME= >", "< POWER_MODEL ID=-1 NAME=A >",
          "< POWER_MODEL ID=1x NAME=A >", "< POWER_MODEL ID=99999999999 NAME=A >", "< POWER_MODEL ID=1 NAME=\xff >",
          "< POWER_MODEL ID=1 NAME=\x1b[0m >", "<>", "<", ">", "< PM_CONFIG DEFAULT=x >", "POWER_MODEL ID=1 NAME=A"}) {
        const PowerModes modes = parsePowerModes(text);
        QVERIFY2(modes.modes.empty() && !modes.defaultId, text);
    }
    std::string many;
    for (int id = 0; id < 5000; ++id)
        many += "< POWER_MODEL ID=" + std::to_string(id) + " NAME=M >\n";
    QCOMPARE(parsePowerModes(many).modes.size(), std::size_t{64});
    QVERIFY(parsePowerModes("< POWER_MODEL ID=1 NAME=" + std::string(100'000, 'x') + " >").modes.empty());
}

void TestBoardIdentity::parsesTheModeInForce()
{
    QCOMPARE(parsePowerModeStatus("pmode:0002\n"), std::optional(2));
    QCOMPARE(parsePowerModeStatus("pmode:0000"), std::optional(0));
    QCOMPARE(parsePowerModeStatus("pmode:0003 fmode:quiet"), std::optional(3));
    for (const char *text : {"", "pmode:", "pmode:-1", "pmode:x", "pmode:2x", "pmode:123456789", "PMODE:2", " pmode:2"})
        QVERIFY2(!parsePowerModeStatus(text), text);
}

void TestBoardIdentity::aPersonalComputerIsNoJetson()
{
    BoardTree tree;
    tree.write("sys/class/dmi/id/product_name", "Model 9\n");
    tree.write("sys/class/dmi/id/sys_vendor", "Maker\n");
    const BoardIdentity identity = readBoardIdentity(tree.root());
    QVERIFY(!identity.isJetson());
    QCOMPARE(identity.model.value, std::optional(std::string("Maker Model 9")));
    QVERIFY(!identity.l4t.known() && !identity.jetpack.known());
    QVERIFY(!readBoardIdentity("/there/is/no/such/folder").model.known());
}

void TestBoardIdentity::readsThisMachine()
{
    const BoardIdentity identity = readBoardIdentity("/");
    QVERIFY2(identity.kernel.known(), identity.kernel.reason.c_str());
}

JETSCOPE_TEST(TestBoardIdentity)
#include "tst_boardidentity.moc"
