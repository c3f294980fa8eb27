// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/recording/span.h"
#include "core/result.h"
#include "core/settings/choices.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <set>
#include <thread>

using namespace jetscope;

namespace {

template <class T>
std::string joinedNames()
{
    std::string out;
    for (const Choice<T> &choice : choices<T>())
        out.append(out.empty() ? "" : " ").append(choice.name);
    return out;
}

std::string numbered(int number)
{
    return std::string("number ").append(std::to_string(number));
}

/// Checks that values are complete and unique, names distinct, and each help text one sentence.
template <class T>
bool isSound(T last)
{
    std::set<T> values;
    std::set<std::string_view> names;
    std::set<std::string_view> labels;
    for (const Choice<T> &choice : choices<T>()) {
        values.insert(choice.value);
        names.insert(choice.name);
        labels.insert(choice.label);
        if (choice.help.size() < 20 || choice.help.back() != '.' || choice.help.find(". ") != std::string_view::npos)
            return false;
        if (choiceByName<T>(choice.name) != choice.value || nameOf(choice.value) != choice.name)
            return false;
    }
    const std::size_t count = static_cast<std::size_t>(last) + 1;
    return values.size() == count && names.size() == count && labels.size() == count && choices<T>().size() == count;
}

} // namespace

class TestChoices : public QObject {
    Q_OBJECT

private slots:
    void namesAreThoseOfTheCommandLine()
    {
        QCOMPARE(joinedNames<MemoryKind>(),
                 std::string("pageable pinned zero-copy unified unified-attach registered gl-texture nvbuf system "
                             "unified-prefetch registered-io pool dmabuf"));
        QCOMPARE(joinedNames<OutputKind>(), std::string("eglimage gl-interop eglstream copy-back"));
        QCOMPARE(joinedNames<SyncMode>(),
                 std::string("finish stream event poll callback eglsync implicit none flag graph external"));
        QCOMPARE(joinedNames<StreamPriority>(), std::string("normal high low"));
        QCOMPARE(joinedNames<GpuShare>(), std::string("all three-quarters half quarter eighth"));
        QCOMPARE(joinedNames<Beside>(), std::string("nothing cpu copies context"));
        QCOMPARE(joinedNames<WaitPolicy>(), std::string("auto spin yield block"));
        QCOMPARE(joinedNames<CpuStagePlacement>(), std::string("off serial pipelined same-input"));
        QCOMPARE(joinedNames<CpuWork>(), std::string("canny contours histogram"));
        QCOMPARE(joinedNames<Filter>(), std::string("identity gaussian5 gaussian15 sobel threshold sharpen invert"));
    }

    void tablesAreCompleteAndExplained()
    {
        QVERIFY(isSound(MemoryKind::Dmabuf));
        QVERIFY(isSound(OutputKind::CopyBack));
        QVERIFY(isSound(SyncMode::External));
        QVERIFY(isSound(StreamPriority::Low));
        QVERIFY(isSound(GpuShare::Eighth));
        QVERIFY(isSound(Beside::Context));
        QVERIFY(isSound(WaitPolicy::Block));
        QVERIFY(isSound(CpuStagePlacement::SameInput));
        QVERIFY(isSound(CpuWork::Histogram));
        QVERIFY(isSound(Filter::Invert));
        QVERIFY(!choiceByName<Filter>("sobel ").has_value());
    }

    void categoriesHaveNamesApart()
    {
        std::set<std::string_view> names;
        for (int i = 0; i < kCategoryCount; ++i)
            names.insert(categoryName(static_cast<Category>(i)));
        QCOMPARE(names.size(), std::size_t{kCategoryCount});
        QCOMPARE(categoryName(static_cast<Category>(200)), std::string_view("?"));
        QVERIFY(isWait(Category::WaitInput) && isWait(Category::WaitSync) && !isWait(Category::Tool));
    }

    void aNameAndCategoryHaveOneId()
    {
        const NameId kernel = internName("sobel", Category::Kernel);
        QCOMPARE(internName("sobel", Category::Kernel), kernel);
        QVERIFY(internName("sobel", Category::CpuStage) != kernel);
        const NameId bounded = internName("sobel", Category::Kernel, Certainty::Bounded);
        QVERIFY(bounded != kernel);
        QCOMPARE(spanName(bounded), std::string("sobel"));
        QCOMPARE(spanCertainty(bounded), Certainty::Bounded);
        QCOMPARE(spanCertainty(kernel), Certainty::Exact);
        QCOMPARE(spanName(kernel), std::string("sobel"));
        QCOMPARE(spanCategory(kernel), Category::Kernel);
        QCOMPARE(spanCategory(0xffff), Category::Tool); // Never interned.
    }

    void namesAreInternedAndReadFromManyThreads()
    {
        std::vector<std::thread> threads;
        std::array<bool, 4> good{};
        for (std::size_t t = 0; t < good.size(); ++t)
            threads.emplace_back([&, t] {
                good[t] = true;
                for (int i = 0; i < 500; ++i) {
                    const std::string name = numbered(i);
                    const NameId id = internName(name, Category::Submit);
                    good[t] = good[t] && spanName(id) == name && spanCategory(id) == Category::Submit;
                }
            });
        for (std::thread &thread : threads)
            thread.join();
        QVERIFY(std::all_of(good.begin(), good.end(), [](bool ok) { return ok; }));
    }

    /// Must be the last test, because it uses up all ids.
    void namesBeyondTheLastIdShareTheUnnamedOne()
    {
        for (int i = 0; i < 70'000; ++i)
            internName(numbered(i), Category::Kernel);
        QCOMPARE(internName("one more", Category::Kernel), NameId{0});
        QCOMPARE(spanCategory(0), Category::Tool);
        QCOMPARE(spanName(internName(numbered(7), Category::Kernel)), numbered(7));
    }

    void errorsNameCallTextAndCode()
    {
        QCOMPARE((Error{"cudaMalloc", 2, "out of memory"}).message(),
                 std::string("cudaMalloc: out of memory (code 2)"));
        QCOMPARE((Error{{}, 0, "Give a file."}).message(), std::string("Give a file."));
        QVERIFY(!Result<int>(Error{{}, 0, "no"}).ok());
        QCOMPARE(Result<int>(5).value(), 5);
    }
};

JETSCOPE_TEST(TestChoices)
#include "tst_choices.moc"
