// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Addresses of several sources, and what is true of such a source because of those in it.
#include "gpu/sources/framesource.h"
#include "gpu/sources/severaladdress.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace jetscope;

class TestSeveralAddress : public QObject {
    Q_OBJECT

private slots:
    void addresses_data();
    void addresses();
    void wrongAddresses_data();
    void wrongAddresses();
    void propertiesOfItsSources();
    void aSourceThatCannotBeOpenedIsNamed();
};

void TestSeveralAddress::addresses_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("drives");
    QTest::addColumn<QStringList>("sources");
    QTest::newRow("two") << "several:synthetic: | pattern:?delay=3" << 0
                         << QStringList{"synthetic:", "pattern:?delay=3"};
    QTest::newRow("the second") << "several:2 of v4l2:/dev/video0?size=64x48&fps=30|v4l2:" << 1
                                << QStringList{"v4l2:/dev/video0?size=64x48&fps=30", "v4l2:"};
    QTest::newRow("of in a name") << "several:file:two of three.mp4 | synthetic:" << 0
                                  << QStringList{"file:two of three.mp4", "synthetic:"};
    QTest::newRow("eight") << "several:8 of a:|b:|c:|d:|e:|f:|g:|h:" << 7
                           << QStringList{"a:", "b:", "c:", "d:", "e:", "f:", "g:", "h:"};
}

void TestSeveralAddress::addresses()
{
    QFETCH(QString, text);
    QFETCH(int, drives);
    QFETCH(QStringList, sources);
    const std::optional<SeveralAddress> address = severalIn(text.toStdString());
    QVERIFY(address);
    QCOMPARE(int(address->drives), drives);
    QStringList found;
    for (const std::string &each : address->sources)
        found.append(QString::fromStdString(each));
    QCOMPARE(found, sources);
    QCOMPARE(drivingSource(text.toStdString()), sources[drives].toStdString());
    // Its own words mean the same.
    const std::optional<SeveralAddress> again = severalIn(address->text());
    QVERIFY(again && again->sources == address->sources && again->drives == address->drives);
}

void TestSeveralAddress::wrongAddresses_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("said");
    QTest::newRow("none") << "several:"
                          << "empty";
    QTest::newRow("one") << "several:synthetic:"
                         << "2 to 8";
    QTest::newRow("nine") << "several:" + QStringList(9, "synthetic:").join("|") << "9 are given";
    QTest::newRow("an empty one") << "several:synthetic: | | synthetic:"
                                  << "empty";
    QTest::newRow("one too far") << "several:3 of synthetic: | synthetic:"
                                 << "source 3";
    QTest::newRow("zero") << "several:0 of synthetic: | synthetic:"
                          << "no number";
    QTest::newRow("huge") << "several:99999999999999999999 of synthetic: | synthetic:"
                          << "no number";
    QTest::newRow("in itself") << "several:several:a|b | synthetic:"
                               << "cannot be in one of them";
    QTest::newRow("unknown kind") << "several:synthetic: | nothing:x"
                                  << "nothing";
    QTest::newRow("wrong option") << "several:synthetic:?size=big | synthetic:"
                                  << "size";
    QTest::newRow("bars only") << "several:||||||||"
                               << "empty";
}

void TestSeveralAddress::wrongAddresses()
{
    QFETCH(QString, text);
    QFETCH(QString, said);
    const Status checked = checkSourceUri(text.toStdString());
    QVERIFY(!checked.ok());
    QVERIFY2(checked.error().message().find(said.toStdString()) != std::string::npos,
             checked.error().message().c_str());
}

void TestSeveralAddress::propertiesOfItsSources()
{
    // A pipeline that the user wrote is asked about in a list, too.
    QVERIFY(isOwnPipeline("several:synthetic: | gst:videotestsrc"));
    QVERIFY(!isOwnPipeline("several:synthetic: | pattern:"));
    QVERIFY(opensNothing("several:synthetic: | pattern:"));
    QVERIFY(!opensNothing("several:synthetic: | v4l2:/dev/video0"));
    QVERIFY(hasItsRate("several:synthetic: | pattern:"));
    QCOMPARE(drivingSource("synthetic:?fps=5"), std::string("synthetic:?fps=5"));
    QVERIFY(!severalIn("synthetic:"));
}

void TestSeveralAddress::aSourceThatCannotBeOpenedIsNamed()
{
    const auto opened = openSource("several:synthetic: | v4l2:/dev/video-that-is-not-there", Pacing::Real);
    QVERIFY(!opened.ok());
    QVERIFY2(opened.error().message().find("video-that-is-not-there") != std::string::npos,
             opened.error().message().c_str());
}

JETSCOPE_TEST(TestSeveralAddress)
#include "tst_severaladdress.moc"
