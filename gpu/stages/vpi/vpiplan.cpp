// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/stages/vpi/vpiplan.h"

#include "core/settings/pipelineconfig.h"
#include "gpu/stages/stageoptions.h"
#include "gpu/stages/vpi/vpiabi.h"

#include <algorithm>
#include <array>

namespace jetscope {

namespace {

struct BackendRow {
    std::uint64_t bit;
    const char *key;
    const char *name;
};
constexpr std::array kVpiBackends = {BackendRow{vpi::kCpu, "cpu", "CPU"}, BackendRow{vpi::kCuda, "cuda", "CUDA"},
                                     BackendRow{vpi::kPva, "pva", "PVA"}, BackendRow{vpi::kVic, "vic", "VIC"}};

/// Backends and formats after the tables of VPI's algorithm reference. VPI 4.1 has more: what all versions have counts.
struct AlgorithmRow {
    VpiAlgorithm algorithm;
    const char *key;
    std::uint64_t backends;
    PixelFormat reads;
    PixelFormat makes;
};
constexpr std::array kVpiAlgorithms = {
    AlgorithmRow{VpiAlgorithm::Gaussian, "gaussian", vpi::kCpu | vpi::kCuda | vpi::kPva, PixelFormat::Grey8,
                 PixelFormat::Grey8},
    AlgorithmRow{VpiAlgorithm::Rescale, "rescale", vpi::kCpu | vpi::kCuda | vpi::kVic, PixelFormat::Rgba8,
                 PixelFormat::Rgba8},
    AlgorithmRow{VpiAlgorithm::Convert, "convert", vpi::kCpu | vpi::kCuda | vpi::kVic, PixelFormat::Rgba8,
                 PixelFormat::Grey8},
    AlgorithmRow{VpiAlgorithm::Harris, "harris", vpi::kCpu | vpi::kCuda | vpi::kPva, PixelFormat::Grey8,
                 PixelFormat::Grey8},
};

struct Limit {
    VpiAlgorithm algorithm;
    std::uint64_t backend;
    int leastWidth;
    int leastHeight;
    int mostWidth;
    int mostHeight;
};
constexpr std::array kVpiLimits = {
    Limit{VpiAlgorithm::Gaussian, vpi::kPva, 64, 32, 3264, 2448},
    Limit{VpiAlgorithm::Harris, vpi::kPva, 160, 120, 3264, 2448},
    Limit{VpiAlgorithm::Rescale, vpi::kVic, 16, 16, 16384, 16384},
};

/// Of the algorithms that VIC has: no other backend reads what a camera has in its buffers.
FilterOption bufferOption()
{
    return wordOption(
        "buffer",
        "What VIC reads of a frame in a camera's own buffer (memory kind nvbuf): the buffer, wrapped by its "
        "descriptor or by its EGLImage, or the picture that CUDA makes of it in memory.",
        {"nvbuf", "eglimage", "memory"}); // The last one is what always works.
}

/// What an algorithm has beside the options of all.
void addOwnOptions(std::vector<FilterOption> &options, VpiAlgorithm algorithm)
{
    switch (algorithm) {
    case VpiAlgorithm::Gaussian:
        options.push_back(
            wordOption("size", "The width and the height of the blur's kernel in pixels.", {"3", "5", "7", "9", "11"}));
        options.back().usual = options.back().value = 1;
        options.push_back({"sigma", "The standard deviation of the blur in pixels.", 0.1, 10, 1.2, 0.1, 1.2, {}, 2});
        return;
    case VpiAlgorithm::Rescale:
        options.push_back({"scale",
                           "The frame is made smaller by this factor, and enlarged to its size again.",
                           0.0625,
                           1,
                           0.5,
                           0.0625,
                           0.5,
                           {},
                           4});
        options.push_back(bufferOption());
        return;
    case VpiAlgorithm::Convert:
        options.push_back(bufferOption());
        return;
    case VpiAlgorithm::Harris:
        options.push_back({"most", "How many corners are marked, the strongest first.", 1, 1024, 64, 1, 64, {}});
        options.push_back(wordOption("read",
                                     "Who reads the corners: the run of the stage, which marks them in the picture, or "
                                     "the CPU stage, whose answer the view draws.",
                                     {"run", "cpu-stage"}));
        options.push_back({"strength", "The least score of a corner.", 0, 20, 20, 0.5, 20, {}, 2});
        return;
    }
}

std::vector<FilterOption> vpiOptions(const AlgorithmRow &row)
{
    std::vector<std::string> backends;
    for (const BackendRow &each : kVpiBackends)
        if ((row.backends & each.bit) != 0)
            backends.emplace_back(each.key);
    std::vector<FilterOption> options = {wordOption("backend", "What executes the algorithm.", backends)};
    addOwnOptions(options, row.algorithm);
    options.push_back(
        wordOption("stream", "A stream of VPI, or VPI's work in the CUDA stream of the frame.", {"own", "wrapped"}));
    options.push_back(
        wordOption("wait", "Whether VPI is waited for before the work behind it is submitted.", {"yes", "no"}));
    options.push_back(wordOption("version", "The version of VPI.", {"newest", "2", "3", "4"}));
    return options;
}

VpiWrapping wrappingNamed(const std::string &word)
{
    return word == "nvbuf" ? VpiWrapping::Descriptor : word == "memory" ? VpiWrapping::Memory : VpiWrapping::EglImage;
}

void takeOptions(VpiPlan &plan)
{
    const auto word = [&](const char *name) { return wordOf(optionNamed(plan.options, name)); };
    const auto number = [&](const char *name) { return optionNamed(plan.options, name).value; };
    const std::string backend = word("backend");
    const BackendRow &row = *std::find_if(kVpiBackends.begin(), kVpiBackends.end(),
                                          [&](const BackendRow &each) { return each.key == backend; });
    plan.backend = row.bit;
    plan.backendName = row.name;
    plan.isWrapped = word("stream") == "wrapped";
    plan.waits = word("wait") == "yes";
    plan.version = word("version") == "newest" ? 0 : word("version")[0] - '0';
    switch (plan.algorithm) {
    case VpiAlgorithm::Gaussian:
        plan.size = 3 + 2 * static_cast<int>(number("size"));
        plan.sigma = number("sigma");
        return;
    case VpiAlgorithm::Rescale:
        plan.scale = number("scale");
        plan.wrapping = wrappingNamed(word("buffer"));
        return;
    case VpiAlgorithm::Convert:
        plan.wrapping = wrappingNamed(word("buffer"));
        return;
    case VpiAlgorithm::Harris:
        plan.most = static_cast<int>(number("most"));
        plan.strength = number("strength");
        plan.isReadByCpuStage = word("read") == "cpu-stage";
        return;
    }
}

/// Says of words why they do not go with the other options, and checks those that are wanted.
Status limitTogether(VpiPlan &plan)
{
    const auto refuse = [&](const char *option, const char *word, const char *reason) {
        for (FilterOption &each : plan.options)
            for (OptionChoice &choice : each.choices)
                if (each.name == option && choice.name == word)
                    choice.capability = Capability::no(reason);
    };
    if (plan.algorithm == VpiAlgorithm::Harris && !plan.isReadByCpuStage)
        refuse("wait", "no", "VPI's harris needs wait=yes where its run reads the corners");
    else if (!plan.isWrapped)
        refuse("wait", "no", "wait=no needs stream=wrapped: in a stream of its own, nothing else orders VPI's work");
    else if (!plan.waits)
        refuse("stream", "own", "wait=no needs stream=wrapped: take wait=yes first");
    if (plan.backend != vpi::kVic || !plan.waits)
        refuse("buffer", "eglimage", "buffer=eglimage needs backend=vic and wait=yes");
    if (!plan.waits)
        refuse("read", "run", "wait=no needs read=cpu-stage: take wait=yes first");
    for (const FilterOption &each : plan.options)
        if (!each.choices.empty())
            if (const Capability &wanted = each.choices[static_cast<std::size_t>(each.value)].capability;
                !wanted.available)
                return sentence(wanted.reason);
    return {};
}

} // namespace

std::string backendNames(std::uint64_t backends)
{
    std::vector<std::string> names;
    for (const BackendRow &row : kVpiBackends)
        if ((backends & row.bit) != 0)
            names.emplace_back(row.name);
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
        text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
    return text.empty() ? "none" : text;
}

Result<VpiPlan> VpiPlan::parse(const StageAddress &address)
{
    const auto row = std::find_if(kVpiAlgorithms.begin(), kVpiAlgorithms.end(),
                                  [&](const AlgorithmRow &each) { return each.key == address.path; });
    if (row == kVpiAlgorithms.end())
        return sentence("there is no algorithm " + quotedValue(address.path)
                        + "; there are gaussian, rescale, convert and harris");
    VpiPlan plan;
    plan.algorithm = row->algorithm;
    plan.name = row->key;
    plan.reads = row->reads;
    plan.makes = row->makes;
    plan.options = vpiOptions(*row);
    JETSCOPE_TRY(setOptions(plan.options, address, true));
    takeOptions(plan);
    JETSCOPE_TRY(limitTogether(plan));
    return plan;
}

void VpiPlan::limitBackends(std::uint64_t backends, const std::string &ofVpi)
{
    for (OptionChoice &choice : options.front().choices)
        for (const BackendRow &row : kVpiBackends)
            if (choice.name == row.key && (backends & row.bit) == 0)
                choice.capability = Capability::no("VPI " + ofVpi + " has no " + row.name + " on this machine");
}

void VpiPlan::takeMemory(const std::string &reason)
{
    whyMemory = reason;
    for (FilterOption &each : options)
        if (each.name == "buffer") {
            each.choices[static_cast<std::size_t>(each.value)].capability = Capability::no(reason);
            each.value = static_cast<double>(each.choices.size() - 1);
        }
}

std::string VpiPlan::limit(int width, int height) const
{
    const double factor = algorithm == VpiAlgorithm::Rescale ? scale : 1;
    const int leastWidth = static_cast<int>(width * factor);
    const int leastHeight = static_cast<int>(height * factor);
    if (leastWidth < 1 || leastHeight < 1)
        return "the smaller picture would have no pixels";
    for (const Limit &each : kVpiLimits)
        if (each.algorithm == algorithm && each.backend == backend
            && (leastWidth < each.leastWidth || leastHeight < each.leastHeight || width > each.mostWidth
                || height > each.mostHeight))
            return backendName + " takes pictures of " + std::to_string(each.leastWidth) + "x"
                + std::to_string(each.leastHeight) + " to " + std::to_string(each.mostWidth) + "x"
                + std::to_string(each.mostHeight) + " pixels for " + name + ", not " + std::to_string(leastWidth) + "x"
                + std::to_string(leastHeight);
    return {};
}

} // namespace jetscope
