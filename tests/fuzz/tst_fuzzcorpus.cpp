// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/remote/wire/message.h"
#include "tests/fuzz/fuzztarget.h"
#include "tests/support/longrun.h"

#include <QDirIterator>
#include <QElapsedTimer>
#include <QFile>
#include <QTest>

#include <random>
#include <set>

using namespace jetscope::test;

namespace {

/// For each kind of file.
int mutatingMs()
{
    return jetscope::testing::isLongRun() ? 60'000 : 1'500;
}

QList<QByteArray> corpusOf(const QString &kind)
{
    QList<QByteArray> files;
    QDirIterator entries(QString(JETSCOPE_CORPUS "/") + kind, QDir::Files);
    while (entries.hasNext()) {
        QFile file(entries.next());
        if (file.open(QIODevice::ReadOnly))
            files << file.readAll();
    }
    return files;
}

using Target = void (*)(const std::uint8_t *bytes, std::size_t size);

Target targetOf(const QString &kind)
{
    if (kind == "verify")
        return openVerification;
    if (kind == "fleet")
        return readFleetLines;
    return kind == "stream" || kind == "content" ? readWire : openBytes;
}

void give(Target target, const QByteArray &bytes)
{
    target(reinterpret_cast<const std::uint8_t *>(bytes.constData()), static_cast<std::size_t>(bytes.size()));
}

/// Changes bytes, truncates, duplicates, and joins with another file.
QByteArray mutated(const QList<QByteArray> &corpus, std::mt19937 &random)
{
    const auto below = [&random](qsizetype end) {
        return static_cast<qsizetype>(random() % static_cast<std::uint32_t>(std::max<qsizetype>(1, end)));
    };
    QByteArray bytes = corpus[below(corpus.size())];
    for (qsizetype change = 1 + below(8); change > 0; --change) {
        const qsizetype at = below(bytes.size());
        const qsizetype size = below(64);
        switch (below(6)) {
        case 0:
            bytes = bytes.left(at);
            break;
        case 1:
            bytes.insert(at, bytes.mid(below(bytes.size()), size));
            break;
        case 2:
            bytes.remove(at, size);
            break;
        case 3:
            bytes = bytes.left(at) + corpus[below(corpus.size())].mid(at);
            break;
        default:
            if (!bytes.isEmpty())
                bytes[at] = static_cast<char>(below(3) ? below(256) : "\xff\0\x7f\"{}[],"[below(10)]);
            break;
        }
    }
    return bytes;
}

} // namespace

/// Opens the inputs that the fuzzers found, and mutations of them for a while.
class TestFuzzCorpus : public QObject {
    Q_OBJECT

private slots:
    void everyMessageHasASeed()
    {
        std::set<jetscope::MessageKind> kinds;
        for (const QByteArray &bytes : corpusOf("content"))
            kinds.insert(static_cast<jetscope::MessageKind>(bytes[0]));
        for (std::size_t kind = 0; kind < jetscope::kMessageKindCount; ++kind)
            QVERIFY2(kinds.contains(static_cast<jetscope::MessageKind>(kind)),
                     nameOf(static_cast<jetscope::MessageKind>(kind)).data());
    }

    void survives_data()
    {
        QTest::addColumn<QString>("kind");
        for (const char *kind :
             {"chrome", "nsys", "capture", "tegrastats", "counters", "verify", "fleet", "stream", "content"})
            QTest::newRow(kind) << kind;
    }

    void survives()
    {
        QFETCH(QString, kind);
        const Target target = targetOf(kind);
        const QList<QByteArray> corpus = corpusOf(kind);
        QVERIFY(!corpus.isEmpty());
        for (const QByteArray &bytes : corpus)
            give(target, bytes);
        std::mt19937 random(1);
        int tried = 0;
        for (QElapsedTimer timer =
                 [] {
                     QElapsedTimer t;
                     t.start();
                     return t;
                 }();
             timer.elapsed() < mutatingMs(); ++tried)
            give(target, mutated(corpus, random));
        QVERIFY(tried > 100);
    }
};

QTEST_GUILESS_MAIN(TestFuzzCorpus)
#include "tst_fuzzcorpus.moc"
