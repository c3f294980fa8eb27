// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
// What readers of `--json` rely on, whatever library prints it.
#include "app/commandline/jsonvalues.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <limits>

using namespace jetscope;

class TestJsonValues : public QObject {
    Q_OBJECT

private slots:
    void numbers_data();
    void numbers();
    void wholeNumbersInsideOfOthers();
    void invalidTextIsReplaced();
    void controlCharactersAreEscaped();
    void keysAreSorted();
    void figuresAreRoundedAndMayBeUnknown();
    void causesOfMissingFramesAddUp();
};

void TestJsonValues::numbers_data()
{
    QTest::addColumn<QByteArray>("printed");
    QTest::addColumn<double>("number");
    QTest::newRow("a whole number") << QByteArray("1") << 1.0;
    QTest::newRow("zero below") << QByteArray("0") << -0.0;
    QTest::newRow("below zero") << QByteArray("-60") << -60.0;
    QTest::newRow("large") << QByteArray("1000000000000000000") << 1e18;
    QTest::newRow("a fraction") << QByteArray("0.1") << 0.1;
    QTest::newRow("the shortest form") << QByteArray("59.94005994005994") << 60000.0 / 1001;
    QTest::newRow("no number") << QByteArray("null") << std::numeric_limits<double>::quiet_NaN();
    QTest::newRow("infinite") << QByteArray("null") << std::numeric_limits<double>::infinity();
    QTest::newRow("infinite below") << QByteArray("null") << -std::numeric_limits<double>::infinity();
}

void TestJsonValues::numbers()
{
    QFETCH(const QByteArray, printed);
    QFETCH(const double, number);
    QCOMPARE(QByteArray::fromStdString(jsonLine({{"n", number}})), "{\"n\":" + printed + "}\n");
}

void TestJsonValues::wholeNumbersInsideOfOthers()
{
    const JsonObject inner{{"fps", std::vector<double>{30, 59.5}}, {"most", std::numeric_limits<std::uint64_t>::max()}};
    QCOMPARE(jsonLine({{"rows", JsonArray{inner, JsonArray(), JsonObject(), JsonValue(), true}}}),
             std::string(R"({"rows":[{"fps":[30,59.5],"most":18446744073709551615},[],{},null,true]})"
                         "\n"));
}

void TestJsonValues::invalidTextIsReplaced()
{
    const std::string damaged = "a\xff\xc3(b\xc3\xa9";
    QCOMPARE(jsonLine({{damaged, damaged}}), std::string("{\"a��(bé\":\"a��(bé\"}\n"));
    QCOMPARE(jsonLine({{"cut", "x\xe2\x96"}}), std::string("{\"cut\":\"x�\"}\n"));
}

void TestJsonValues::controlCharactersAreEscaped()
{
    QCOMPARE(jsonLine({{"t", "\"\\/\b\f\n\r\t\x01\x7f"}}),
             std::string("{\"t\":\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\x7f\"}\n"));
}

void TestJsonValues::keysAreSorted()
{
    JsonObject object{{"b", 1}, {"a_reason", 2}, {"B", 3}};
    object["a"] = 4;
    QCOMPARE(jsonLine(object),
             std::string(R"({"B":3,"a":4,"a_reason":2,"b":1})"
                         "\n"));
}

void TestJsonValues::figuresAreRoundedAndMayBeUnknown()
{
    QCOMPARE(jsonLine({{"a", jsonNumber(1.23456789)},
                       {"b", jsonNumber(2.0000000001)},
                       {"c", jsonNumber(std::optional(1.23456789))},
                       {"d", jsonNumber(std::nullopt)},
                       {"e", jsonTextOrNull("")},
                       {"f", jsonTextOrNull("x")}}),
             std::string(R"({"a":1.234568,"b":2,"c":1.23456789,"d":null,"e":null,"f":"x"})"
                         "\n"));
}

void TestJsonValues::causesOfMissingFramesAddUp()
{
    const std::vector<LostFrames> lost{{12, 3, LossCause::NoBuffer, 99, "no buffer was queued for 61.0 ms"},
                                       {17, 1, LossCause::Overtaken, 120, "late"}};
    LossCounts counts;
    for (const LostFrames &each : lost)
        counts.add(each);
    QCOMPARE(jsonLine({{"lost", lossCountsJson(counts)}}),
             std::string(R"({"lost":{"causes":{"no-buffer":3,"overtaken":1},"frames":4}})"
                         "\n"));
    QCOMPARE(jsonLine({{"rows", lostFramesJson({lost.front()})}}),
             std::string(R"({"rows":[{"cause":"no-buffer","evidence":"no buffer was queued for 61.0 ms","first":12,)"
                         R"("frames":3,"time_ns":99}]})"
                         "\n"));
}

JETSCOPE_TEST(TestJsonValues)
#include "tst_jsonvalues.moc"
