// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/hazards/rules.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <set>
#include <string>

using namespace jetscope;
using CoverageState = RuleCoverage::State;

namespace {

/// A device with the rules of a Jetson before Thor, and everything that can be shared.
DeviceFacts allOfAJetson()
{
    DeviceFacts facts;
    facts.integrated = true;
    facts.computeMajor = 8;
    facts.computeMinor = 7;
    for (Capability DeviceFacts::*each :
         {&DeviceFacts::mapHostMemory, &DeviceFacts::managedMemory, &DeviceFacts::hostRegister, &DeviceFacts::eglImage,
          &DeviceFacts::eglSync, &DeviceFacts::glInterop, &DeviceFacts::eglStream, &DeviceFacts::eglStreamInput,
          &DeviceFacts::nvBuf, &DeviceFacts::streamFlags, &DeviceFacts::graphs, &DeviceFacts::semaphores,
          &DeviceFacts::memoryPools})
        facts.*each = Capability::yes();
    return facts;
}

/// The device of above without one of its capabilities or with one attribute changed.
struct Variant {
    const char *name;
    DeviceFacts facts;
};

std::vector<Variant> variants()
{
    std::vector<Variant> all{{"jetson", allOfAJetson()}, {"nothing", DeviceFacts()}};
    const auto add = [&all](const char *name, auto change) {
        all.push_back({name, allOfAJetson()});
        change(all.back().facts);
    };
    add("concurrent", [](DeviceFacts &facts) { facts.concurrentManagedAccess = true; });
    add("discrete", [](DeviceFacts &facts) { facts.integrated = false; });
    add("old", [](DeviceFacts &facts) { facts.computeMajor = 5; });
    add("software", [](DeviceFacts &facts) { facts.software = true; });
    add("no managed memory", [](DeviceFacts &facts) { facts.managedMemory = Capability::no("why"); });
    add("no registration", [](DeviceFacts &facts) { facts.hostRegister = Capability::no("why"); });
    add("no EGLImage", [](DeviceFacts &facts) { facts.eglImage = Capability::no("why"); });
    add("no EGLSync", [](DeviceFacts &facts) { facts.eglSync = Capability::no("why"); });
    add("no flags and graphs",
        [](DeviceFacts &facts) { facts.streamFlags = facts.graphs = facts.semaphores = Capability::no("why"); });
    add("no pools", [](DeviceFacts &facts) { facts.memoryPools = Capability::no("why"); });
    add("system memory", [](DeviceFacts &facts) { facts.systemMemory = Capability::yes(); });
    add("no EGLStream", [](DeviceFacts &facts) { facts.eglStream = facts.eglStreamInput = Capability::no("why"); });
    return all;
}

CoverageState stateOf(RuleId id, const DeviceFacts &facts)
{
    return ruleOf(id).coverage(facts).state;
}

std::string lower(std::string_view text)
{
    std::string out(text);
    for (char &letter : out)
        letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return out;
}

int sentencesIn(std::string_view text)
{
    int count = 0;
    for (std::size_t at = 0; at < text.size(); ++at)
        if (text[at] == '.' && (at + 1 == text.size() || text[at + 1] == ' '))
            ++count;
    return count;
}

bool isNamedInOrder(std::string_view families)
{
    std::string expected;
    int number = 0;
    for (const Rule &rule : rules()) {
        while (!families.empty() && rule.name.front() != families.front()) {
            families.remove_prefix(1);
            number = 0;
        }
        if (rule.name != std::string(1, rule.name.front()) + std::to_string(++number))
            return false;
    }
    return families.size() == 1;
}

} // namespace

class TestHazardRules : public QObject {
    Q_OBJECT

private slots:
    void everyRuleHasItsTexts()
    {
        std::set<std::string_view> titles;
        for (const Rule &rule : rules()) {
            const std::string name(rule.name);
            for (const std::string_view text : {rule.title, rule.sentence, rule.fix, rule.source}) {
                QVERIFY2(text.size() >= 5, name.c_str());
                QVERIFY2(text.find("  ") == std::string_view::npos && text.front() != ' ', name.c_str());
                for (const char letter : text)
                    QVERIFY2(letter >= ' ' && letter <= '~', name.c_str());
            }
            for (const std::string_view text : {rule.title, rule.condition, rule.fix, rule.source})
                QVERIFY2(text.empty() || (text.back() != '.' && text.back() != ' '), name.c_str());
            QVERIFY2(rule.sentence.back() == '.', name.c_str());
            QVERIFY2(sentencesIn(rule.sentence) <= 2, name.c_str());
            QVERIFY2(titles.insert(rule.title).second, name.c_str());
            QVERIFY2(rule.title.size() <= 70, name.c_str());
        }
    }

    void namesFollowTheFamilies()
    {
        QVERIFY(isNamedInOrder("OABCDEFGH"));
        QCOMPARE(ruleOf(RuleId::O1).name, std::string_view("O1"));
        QCOMPARE(ruleOf(RuleId::A17).name, std::string_view("A17"));
        QCOMPARE(ruleOf(RuleId::H5).name, std::string_view("H5"));
        QCOMPARE(&rules().back(), &ruleOf(RuleId::H5));
    }

    void namesAreFoundInAnyCase()
    {
        for (const Rule &rule : rules()) {
            QVERIFY(ruleNamed(rule.name) == rule.id);
            QVERIFY(ruleNamed(lower(rule.name)) == rule.id);
            QCOMPARE(&ruleOf(rule.id), &rule);
        }
    }

    void noOtherNameIsFound()
    {
        for (const std::string_view name : {"", "A", "1", "A0", "A26", "A01", "A1 ", " A1", "A1A", "I1", "A-1", "O2",
                                            "\xc3\x84"
                                            "1",
                                            "A\xff", "%s", "A1\n"})
            QVERIFY2(!ruleNamed(name), std::string(name).c_str());
        QVERIFY(!ruleNamed(std::string_view("A1\0", 3)));
        QVERIFY(!ruleNamed(std::string(1'000'000, 'A')));
    }

    void levelsAreThoseOfTheDocuments()
    {
        std::string text;
        for (const HazardLevel level : {HazardLevel::Error, HazardLevel::Luck, HazardLevel::Cost, HazardLevel::Note}) {
            text += (text.empty() ? "" : "; ") + std::string(nameOf(level)) + ":";
            for (const Rule &rule : rules())
                if (rule.level == level)
                    text += " " + std::string(rule.name);
        }
        QCOMPARE(text,
                 std::string("error: O1 A1 A2 A3 A4 A5 A6 A10 A11 A13 A15 A23 A24 A25 B1 B5 B6 B7 B8 C1 C2 C6 C7 D1 D2 "
                             "D4 D8 E1 E2 E3 E6 "
                             "E8 G2; "
                             "luck: A7 A12 C3 D3 G1; "
                             "cost: A8 A14 A16 A17 A18 A19 A22 B3 B4 C5 D7 E4 E5; "
                             "note: A9 A20 A21 B2 C4 D5 D6 E7 F1 F2 H1 H2 H3 H4 H5"));
    }

    void onlyCheckedRulesHaveNoReason()
    {
        for (const Variant &variant : variants()) {
            for (const Rule &rule : rules()) {
                const RuleCoverage found = rule.coverage(variant.facts);
                const std::string where = std::string(rule.name) + " " + variant.name;
                QVERIFY2(found.why.empty() == (found.state == CoverageState::Checked), where.c_str());
                QVERIFY2(found.why.empty() || found.why.back() != '.', where.c_str());
            }
        }
    }

    void countsAddUp()
    {
        for (const Variant &variant : variants()) {
            const CoverageCounts counts = coverageOf(variant.facts);
            QCOMPARE(std::size_t(counts.checked + counts.cannotCheck + counts.doesNotApply), rules().size());
            int checked = 0;
            for (const Rule &rule : rules())
                checked += rule.coverage(variant.facts).state == CoverageState::Checked ? 1 : 0;
            QCOMPARE(counts.checked, checked);
        }
    }

    void jetsonChecksWhatTheLedgerSees()
    {
        std::string names;
        for (const Rule &rule : rules())
            if (rule.coverage(allOfAJetson()).state == CoverageState::Checked)
                names += (names.empty() ? "" : " ") + std::string(rule.name);
        QCOMPARE(names,
                 std::string("O1 A1 A2 A3 A4 A5 A7 A9 A11 A14 A17 A18 A19 A22 A23 A24 B1 B4 B5 B6 B7 B8 C1 C5 C6 D1 D2 "
                             "D4 D8 E1 E2 E3 E4 E6 G1 "
                             "G2"));
    }

    void attributesTurnRulesOnAndOff_data()
    {
        QTest::addColumn<QString>("variant");
        QTest::addColumn<QString>("turnedOff");
        QTest::newRow("concurrent") << "concurrent"
                                    << "A1 A2 A3 A4 A5 A7 A8 A9";
        QTest::newRow("no managed memory") << "no managed memory"
                                           << "A1 A2 A3 A4 A5 A7 A8 A9 A12 A18";
        QTest::newRow("no registration") << "no registration"
                                         << "A14";
        QTest::newRow("no EGLImage") << "no EGLImage"
                                     << "C1 C5 C6";
        QTest::newRow("no EGLSync") << "no EGLSync"
                                    << "D1 D2 D3 D4";
        QTest::newRow("no flags and graphs") << "no flags and graphs"
                                             << "B6 B7 B8 D8";
        QTest::newRow("no pools") << "no pools"
                                  << "A19 A23";
        QTest::newRow("system memory") << "system memory"
                                       << "A24";
        QTest::newRow("no EGLStream") << "no EGLStream"
                                      << "E1 E2 E3 E4 E6";
        QTest::newRow("software") << "software"
                                  << "A14 A22 D3 G1 G2";
    }

    void attributesTurnRulesOnAndOff()
    {
        QFETCH(QString, variant);
        QFETCH(QString, turnedOff);
        QStringList found;
        for (const Variant &each : variants()) {
            if (variant != each.name)
                continue;
            for (const Rule &rule : rules())
                if (stateOf(rule.id, allOfAJetson()) != CoverageState::DoesNotApply
                    && stateOf(rule.id, each.facts) == CoverageState::DoesNotApply)
                    found << QString::fromUtf8(rule.name.data(), qsizetype(rule.name.size()));
        }
        QCOMPARE(found.join(' '), turnedOff);
    }

    void oneDirectionOfEglStreamsIsEnough()
    {
        DeviceFacts facts = allOfAJetson();
        facts.eglStream = Capability::no("why");
        QVERIFY(stateOf(RuleId::E2, facts) == CoverageState::Checked);
        facts = allOfAJetson();
        facts.eglStreamInput = Capability::no("why");
        QVERIFY(stateOf(RuleId::E2, facts) == CoverageState::Checked);
    }

    void conditionOnConcurrentAccessIsKept()
    {
        DeviceFacts concurrent = allOfAJetson();
        concurrent.concurrentManagedAccess = true;
        int rulesWithIt = 0;
        for (const Rule &rule : rules()) {
            if (rule.condition != "concurrentManagedAccess = 0")
                continue;
            ++rulesWithIt;
            QVERIFY2(stateOf(rule.id, concurrent) == CoverageState::DoesNotApply, std::string(rule.name).c_str());
        }
        QCOMPARE(rulesWithIt, 8);
    }

    void uncachedMemoryIsForOldIntegratedGpus()
    {
        DeviceFacts facts = allOfAJetson();
        for (const RuleId id : {RuleId::A15, RuleId::A16}) {
            facts = allOfAJetson();
            QVERIFY(stateOf(id, facts) == CoverageState::DoesNotApply);
            facts.computeMajor = 5;
            QVERIFY(stateOf(id, facts) == CoverageState::Checked);
            facts.integrated = false;
            QVERIFY(stateOf(id, facts) == CoverageState::DoesNotApply);
        }
    }
};

JETSCOPE_TEST(TestHazardRules)
#include "tst_hazardrules.moc"
