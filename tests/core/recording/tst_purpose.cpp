// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/advice/advicerules.h"
#include "core/path/lanesegments.h"
#include "core/settings/pipelineconfig.h"
#include "tests/support/testprogram.h"

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

using namespace jetscope;

namespace {

/// The enumerators after `Purpose::` in the sources of these folders.
QSet<QString> purposesNamedIn(const QStringList &folders)
{
    static const QRegularExpression named(QStringLiteral("\\bPurpose::([A-Za-z]+)"));
    QSet<QString> found;
    for (const QString &folder : folders) {
        QDirIterator files(QStringLiteral(JETSCOPE_SOURCES "/") + folder,
                           {QStringLiteral("*.cpp"), QStringLiteral("*.h")}, QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QFile file(files.next());
            if (!file.open(QIODevice::ReadOnly))
                return {};
            for (auto match = named.globalMatch(QString::fromUtf8(file.readAll())); match.hasNext();)
                found.insert(match.next().captured(1));
        }
    }
    return found;
}

/// The enumerators in their order.
QStringList purposeNames()
{
    QFile file(QStringLiteral(JETSCOPE_SOURCES "/core/recording/purpose.h"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QString text = QString::fromUtf8(file.readAll());
    static const QRegularExpression list(QStringLiteral("enum class Purpose[^{]*\\{([^}]*)\\}"));
    QStringList names = list.match(text).captured(1).split(QLatin1Char(','), Qt::SkipEmptyParts);
    for (QString &name : names)
        name = name.trimmed();
    names.removeAll(QString());
    return names;
}

PathShare shareOf(PathCause cause, Purpose purpose)
{
    PathShare share;
    share.cause = cause;
    share.purpose = purpose;
    return share;
}

/// The settings that the advice tries because of this purpose, and not because of the cause alone.
QStringList settingsTriedFor(Purpose purpose)
{
    QSet<QString> keys;
    for (std::size_t i = 0; i < enumCount<PathCause>(); ++i)
        for (const PieceRule &rule : pieceRules()) {
            const auto cause = static_cast<PathCause>(i);
            if (rule.piece(shareOf(cause, purpose)) && !rule.piece(shareOf(cause, Purpose::Work)))
                keys.insert(QString::fromUtf8(rule.key.data(), static_cast<qsizetype>(rule.key.size())));
        }
    QStringList sorted = keys.values();
    sorted.sort();
    return sorted;
}

} // namespace

class TestPurpose : public QObject {
    Q_OBJECT
private slots:
    void eachHasAKeyAndASentence()
    {
        QSet<QByteArray> keys;
        for (const PurposeRow &row : kPurposes) {
            const QByteArray key(row.key.data(), static_cast<qsizetype>(row.key.size()));
            QVERIFY2(!keys.contains(key), key.constData());
            keys.insert(key);
            QVERIFY2(row.does.ends_with('.'), key.constData());
            QVERIFY(purposeByKey(row.key) == row.purpose);
        }
        QVERIFY(!purposeByKey("of tomorrow"));
    }

    /// What is recorded is known to the rules, and what the rules name is recorded.
    void recordersAndRulesKnowTheSame()
    {
        const QStringList all = purposeNames();
        QCOMPARE(all.size(), static_cast<qsizetype>(kPurposes.size()));
        const QSet<QString> recorded = purposesNamedIn({"gpu", "core/attach"});
        const QSet<QString> path = purposesNamedIn({"core/path"});
        const QSet<QString> advice = purposesNamedIn({"core/measure/advice"});
        for (std::size_t i = 0; i < kPurposes.size(); ++i) {
            const QString &name = all[static_cast<qsizetype>(i)];
            const Purpose purpose = kPurposes[i].purpose;
            QVERIFY2(purpose == Purpose::Work || recorded.contains(name), qPrintable(name));
            QVERIFY2(path.contains(name), qPrintable(name));
            QVERIFY2(!advice.contains(name) || recorded.contains(name), qPrintable(name));
        }
        QVERIFY(QSet<QString>(all.begin(), all.end()).contains(recorded));
    }

    /// A wait for something is no work: the path asks its purpose what released it.
    void waitsAreToldFromWork()
    {
        for (int i = 0; i < kCategoryCount; ++i) {
            const auto category = static_cast<Category>(i);
            QCOMPARE(waitScopeOf(usualPurpose(category)) != WaitScope::None, isWait(category));
        }
    }

    /// The table says which settings help, the rules of the advice try them.
    void theAdviceTriesWhatTheTableSays()
    {
        for (const PurposeRow &row : kPurposes) {
            const QString settings =
                QString::fromUtf8(row.settings.data(), static_cast<qsizetype>(row.settings.size()));
            QCOMPARE(settingsTriedFor(row.purpose), settings.split(QLatin1Char(','), Qt::SkipEmptyParts));
        }
    }
};

JETSCOPE_TEST(TestPurpose)
#include "tst_purpose.moc"
