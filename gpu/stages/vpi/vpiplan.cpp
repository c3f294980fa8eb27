// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/stages/vpi/vpiplan.h"

#include "core/pipelineconfig.h"
#include "gpu/stages/vpi/vpiabi.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <locale>
#include <sstream>

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

/// A number of an option, within its range.
Result<double> numberIn(const std::string &key, const std::string &text, double least, double most, bool isWhole)
{
    std::istringstream in(text);
    in.imbue(std::locale::classic());
    double value = 0;
    in >> value;
    const bool isNumber = !in.fail() && in.peek() == std::istringstream::traits_type::eof();
    if (isNumber && value >= least && value <= most && (!isWhole || value == std::floor(value)))
        return value;
    std::ostringstream range;
    range.imbue(std::locale::classic());
    range << least << " to " << most;
    return sentence("the option \"" + key + "\" must be a " + (isWhole ? "whole " : "") + "number from " + range.str()
                    + ", not " + quotedValue(text));
}

Result<bool> oneOf(const std::string &key, const std::string &text, const char *no, const char *yes)
{
    if (text == no || text == yes)
        return text == yes;
    return sentence("the option \"" + key + "\" must be " + no + " or " + yes + ", not " + quotedValue(text));
}

Status readBackend(VpiPlan &plan, const AlgorithmRow &row, const std::string &text)
{
    const auto found = std::find_if(kVpiBackends.begin(), kVpiBackends.end(),
                                    [&](const BackendRow &each) { return each.key == text; });
    if (found == kVpiBackends.end())
        return sentence("there is no backend " + quotedValue(text) + "; VPI has cpu, cuda, pva and vic");
    if ((row.backends & found->bit) == 0)
        return sentence("VPI's " + plan.name + " does not run on " + found->name + ", but on "
                        + backendNames(row.backends));
    plan.backend = found->bit;
    plan.backendName = found->name;
    return {};
}

/// Options that all algorithms have.
Result<bool> readCommon(VpiPlan &plan, const AlgorithmRow &row, const std::string &key, const std::string &text)
{
    if (key == "backend") {
        JETSCOPE_TRY(readBackend(plan, row, text));
    } else if (key == "stream") {
        JETSCOPE_TRY_ASSIGN(plan.isWrapped, oneOf(key, text, "own", "wrapped"));
    } else if (key == "wait") {
        JETSCOPE_TRY_ASSIGN(plan.waits, oneOf(key, text, "no", "yes"));
    } else if (key == "version") {
        JETSCOPE_TRY_ASSIGN(const double version, numberIn(key, text, 2, 4, true));
        plan.version = static_cast<int>(version);
    } else {
        return false;
    }
    return true;
}

/// Options of one algorithm. Returns whether there is this one.
Result<bool> readOwn(VpiPlan &plan, const std::string &key, const std::string &text)
{
    if (plan.algorithm == VpiAlgorithm::Gaussian && key == "size") {
        JETSCOPE_TRY_ASSIGN(const double size, numberIn(key, text, 3, 11, true));
        plan.size = static_cast<int>(size);
        if (plan.size % 2 == 0)
            return sentence("the option \"size\" must be odd, not " + quotedValue(text));
    } else if (plan.algorithm == VpiAlgorithm::Gaussian && key == "sigma") {
        JETSCOPE_TRY_ASSIGN(plan.sigma, numberIn(key, text, 0.1, 10, false));
    } else if (plan.algorithm == VpiAlgorithm::Rescale && key == "scale") {
        JETSCOPE_TRY_ASSIGN(plan.scale, numberIn(key, text, 0.0625, 1, false));
    } else if (plan.algorithm == VpiAlgorithm::Harris && key == "most") {
        JETSCOPE_TRY_ASSIGN(const double most, numberIn(key, text, 1, 1024, true));
        plan.most = static_cast<int>(most);
    } else if (plan.algorithm == VpiAlgorithm::Harris && key == "strength") {
        JETSCOPE_TRY_ASSIGN(plan.strength, numberIn(key, text, 0, 20, false));
    } else {
        return false;
    }
    return true;
}

Status checkTogether(const VpiPlan &plan)
{
    if (!plan.waits && !plan.isWrapped)
        return sentence("wait=no needs stream=wrapped: in a stream of its own, nothing else orders VPI's work");
    if (!plan.waits && plan.algorithm == VpiAlgorithm::Harris)
        return sentence("VPI's harris needs wait=yes, because the CPU reads the corners");
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
    JETSCOPE_TRY(readBackend(plan, *row, "cpu"));
    for (const auto &[key, text] : address.options) {
        JETSCOPE_TRY_ASSIGN(bool isKnown, readCommon(plan, *row, key, text));
        if (!isKnown) {
            JETSCOPE_TRY_ASSIGN(isKnown, readOwn(plan, key, text));
        }
        if (!isKnown)
            return sentence("VPI's " + plan.name + " has no option " + quotedValue(key));
    }
    JETSCOPE_TRY(checkTogether(plan));
    return plan;
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
