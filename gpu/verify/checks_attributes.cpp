// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Whether the device opens, and whether the driver's attributes are those of the documents.
#include "core/board/boardidentity.h"
#include "gpu/verify/verifychecks.h"
#include "gpu/verify/workbench.h"

#include <algorithm>
#include <array>
#include <optional>

namespace jetscope {

namespace {

struct ChipRow {
    std::string_view chip;
    int major;
    int minor;
};
constexpr auto kChips = std::to_array<ChipRow>(
    {{"tegra210", 5, 3}, {"tegra186", 6, 2}, {"tegra194", 7, 2}, {"tegra234", 8, 7}, {"tegra264", 11, 0}});

constexpr int kCoherentCapability = 72; ///< I/O coherency.
constexpr int kThorCapability = 110;

int capabilityNumber(const DeviceFacts &facts)
{
    return facts.computeMajor * 10 + facts.computeMinor;
}

/// The documented value of an attribute, or why no document fixes it.
struct Documented {
    std::optional<int> value;
    std::string_view why;
};

struct AttributeRule {
    std::string_view name;
    Documented (*documented)(const DeviceFacts &facts, bool onTegra);
};

constexpr std::string_view kOnlyIntegrated = "no Tegra here: the document fixes it for integrated GPUs only";

constexpr auto kAttributeRules = std::to_array<AttributeRule>({
    {"integrated",
     [](const DeviceFacts &, bool onTegra) -> Documented {
         if (!onTegra)
             return {std::nullopt, "no Tegra here: the device tree names no chip"};
         return {1, {}};
     }},
    {"canMapHostMemory",
     [](const DeviceFacts &, bool) -> Documented {
         return {1, {}};
     }},
    {"managedMemory",
     [](const DeviceFacts &facts, bool onTegra) -> Documented {
         return {facts.integrated || !onTegra ? 1 : 0, {}};
     }},
    {"hostRegisterSupported",
     [](const DeviceFacts &facts, bool) -> Documented {
         return {!facts.integrated || capabilityNumber(facts) >= kCoherentCapability ? 1 : 0, {}};
     }},
    {"concurrentManagedAccess",
     [](const DeviceFacts &facts, bool) -> Documented {
         if (!facts.integrated)
             return {std::nullopt, kOnlyIntegrated};
         return {capabilityNumber(facts) >= kThorCapability ? 1 : 0, {}};
     }},
    {"pageableMemoryAccess",
     [](const DeviceFacts &facts, bool) -> Documented {
         if (!facts.integrated)
             return {std::nullopt, kOnlyIntegrated};
         return {capabilityNumber(facts) >= kThorCapability ? 1 : 0, {}};
     }},
});

} // namespace

Result<VerifyResult> checkDevice(VerifyWorld &world, std::string_view)
{
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Workbench> bench, Workbench::open(world));
    const ImageLayout layout = makeImageLayout(PixelFormat::Rgba8, 64, 32);
    const PixelBytes input = patternOf(layout.bytes, 1);
    JETSCOPE_TRY_ASSIGN(const PixelBytes found, bench->runOn(input, layout));
    const std::string difference = differenceOf(found, referenceOf(input, layout, {}));
    return difference.empty() ? passed() : failed("the first work gives a wrong picture: " + difference);
}

Result<VerifyResult> checkAttribute(VerifyWorld &world, std::string_view key)
{
    const auto *const rule = std::find_if(kAttributeRules.begin(), kAttributeRules.end(),
                                          [key](const AttributeRule &each) { return each.name == key; });
    if (rule == kAttributeRules.end())
        return sentence("no rule is known for this attribute");
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Workbench> bench, Workbench::open(world));
    const DeviceFacts &facts = bench->facts();
    const Documented documented = rule->documented(facts, readBoardIdentity(world.root).isJetson());
    if (!documented.value)
        return notPossible(std::string(documented.why));
    const auto found = std::find_if(facts.attributes.begin(), facts.attributes.end(),
                                    [key](const DeviceAttribute &each) { return each.name == key; });
    if (found == facts.attributes.end() || !found->value)
        return failed("the driver does not tell the attribute"
                      + (found == facts.attributes.end() ? std::string() : ": " + found->reason));
    return judged({{std::string(key), std::to_string(*documented.value), std::to_string(*found->value),
                    *documented.value == *found->value ? Agreement::Yes : Agreement::No}});
}

Result<VerifyResult> checkCapability(VerifyWorld &world, std::string_view)
{
    const BoardIdentity board = readBoardIdentity(world.root);
    if (!board.isJetson())
        return notPossible("no Tegra here: the device tree names no chip");
    const std::string chip = *board.chip.value;
    const auto *const row =
        std::find_if(kChips.begin(), kChips.end(), [&](const ChipRow &each) { return each.chip == chip; });
    if (row == kChips.end())
        return notPossible("no document that Jetscope knows names the compute capability of " + chip);
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Workbench> bench, Workbench::open(world));
    const auto text = [](int major, int minor) { return std::to_string(major) + "." + std::to_string(minor); };
    const std::string found = text(bench->facts().computeMajor, bench->facts().computeMinor);
    const std::string documented = text(row->major, row->minor);
    return judged(
        {{"compute capability of " + chip, documented, found, found == documented ? Agreement::Yes : Agreement::No}});
}

} // namespace jetscope
