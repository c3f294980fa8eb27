// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/board/boardidentity.h"

#include "core/system/sysfile.h"
#include "core/text/utf8.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <fstream>

namespace jetscope {

namespace {

constexpr std::size_t kMaxIdentityText = 4096;
constexpr std::size_t kMaxPackageLines = 4'000'000; ///< Of dpkg's list; a damaged file must not take forever.

struct ModuleName {
    std::string_view part;
    const char *name;
};
constexpr auto kModules = std::to_array<ModuleName>({
    {"p3834", "Jetson AGX Thor"},
    {"p3767", "Jetson Orin NX or Orin Nano"},
    {"p3701", "Jetson AGX Orin"},
    {"p3668", "Jetson Xavier NX"},
    {"p2888", "Jetson AGX Xavier"},
    {"p3448", "Jetson Nano"},
    {"p3310", "Jetson TX2"},
    {"p3636", "Jetson TX2 NX"},
});

struct ChipId {
    std::string_view id;
    const char *chip;
};
constexpr auto kChipIds =
    std::to_array<ChipId>({{"0x21", "tegra210"}, {"0x18", "tegra186"}, {"0x19", "tegra194"}, {"0x23", "tegra234"}});

/// A whole text for display: UTF-8 without control characters. Other texts are unknown.
Reading<std::string> displayText(const std::string &path)
{
    const Result<std::string> content = textOf(path, kMaxIdentityText);
    if (!content.ok())
        return content.error();
    std::string text = content.value().substr(0, content.value().find('\0'));
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())))
        text.pop_back();
    if (text.empty())
        return sentence(path + " is empty");
    for (std::string_view rest = text; !rest.empty();) {
        const std::size_t length = characterLength(rest);
        if (length == 0 || isControl(rest.substr(0, length)))
            return sentence(path + " does not hold UTF-8 text");
        rest.remove_prefix(length);
    }
    return text;
}

/// The zero-terminated texts of a device-tree property.
std::vector<std::string> propertyTexts(const std::string &path)
{
    std::vector<std::string> texts;
    const Result<std::string> content = textOf(path, kMaxIdentityText);
    if (!content.ok())
        return texts;
    std::string_view rest = content.value();
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\0'), rest.size());
        texts.emplace_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return texts;
}

/// The value of a line "KEY value"; empty if there is none.
std::string valueOfKey(const std::string &text, std::string_view key)
{
    std::string_view rest = text;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = rest.substr(0, end);
        if (line.starts_with(key) && line.size() > key.size() && line[key.size()] == ' ')
            return std::string(line.substr(key.size() + 1));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return {};
}

bool isDigits(std::string_view text)
{
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

Reading<std::string> chipOf(const std::vector<std::string> &compatible, const std::string &bootControl)
{
    constexpr std::string_view kVendor = "nvidia,";
    constexpr std::string_view kTegra = "tegra";
    for (auto entry = compatible.rbegin(); entry != compatible.rend(); ++entry) {
        std::string_view name = *entry;
        if (!name.starts_with(kVendor))
            continue;
        name.remove_prefix(kVendor.size());
        if (name.starts_with(kTegra) && isDigits(name.substr(kTegra.size())) && name.size() < 16)
            return std::string(name);
    }
    const std::string id = valueOfKey(bootControl, "TEGRA_CHIPID");
    for (const ChipId &row : kChipIds)
        if (id == row.id)
            return std::string(row.chip);
    return sentence("neither the device tree nor /etc/nv_boot_control.conf names a Tegra chip");
}

/// "p3701-0005" with the module's name, if the text contains the number of a known module.
std::string moduleIn(const std::string &text)
{
    for (const ModuleName &module : kModules) {
        const std::size_t at = text.find(module.part);
        if (at == std::string::npos)
            continue;
        std::string number(module.part);
        const std::string sku = text.substr(std::min(at + number.size(), text.size()), 5);
        if (sku.size() == 5 && sku[0] == '-' && isDigits(sku.substr(1)))
            number += sku;
        return number + " (" + module.name + ")";
    }
    return {};
}

Reading<std::string> moduleOf(const std::vector<std::string> &compatible, const std::string &bootControl)
{
    for (const std::string &entry : compatible)
        if (std::string module = moduleIn(entry); !module.empty())
            return module;
    // BOARDID-FAB-SKU-…: "3701-500-0000-M.0-1-1-jetson-agx-orin-devkit-"
    const std::string spec = valueOfKey(bootControl, "TNSPEC");
    const std::size_t fab = spec.find('-');
    if (fab == 4 && isDigits(spec.substr(0, fab))) {
        const std::size_t sku = spec.find('-', fab + 1);
        const std::string text =
            "p" + spec.substr(0, fab) + (sku == std::string::npos ? std::string() : spec.substr(sku, 5));
        if (std::string module = moduleIn(text); !module.empty())
            return module;
    }
    return sentence("neither the device tree nor /etc/nv_boot_control.conf names a known module");
}

/// The version of an installed package, from dpkg's list.
std::string packageVersion(const std::string &root, const std::string &package)
{
    std::ifstream list(root + "/var/lib/dpkg/status");
    std::string line;
    bool isInside = false;
    for (std::size_t i = 0; i < kMaxPackageLines && std::getline(list, line); ++i) {
        if (line.starts_with("Package: "))
            isInside = line.substr(9) == package;
        else if (isInside && line.starts_with("Version: "))
            return line.substr(9);
    }
    return {};
}

Reading<L4tRelease> l4tOf(const std::string &root, bool isJetson)
{
    const Result<std::string> text = textOf(root + "/etc/nv_tegra_release", kMaxIdentityText);
    Reading<L4tRelease> release = text.ok() ? parseTegraRelease(text.value()) : Reading<L4tRelease>(text.error());
    if (release.known() || !isJetson)
        return release;
    const Reading<L4tRelease> ofPackage = parseL4tVersion(packageVersion(root, "nvidia-l4t-core"));
    return ofPackage.known() ? ofPackage : release;
}

Reading<std::string> modelOf(const std::string &root)
{
    Reading<std::string> model = displayText(root + "/proc/device-tree/model");
    if (model.known())
        return model;
    const Reading<std::string> product = displayText(root + "/sys/class/dmi/id/product_name");
    if (!product.known())
        return model;
    const Reading<std::string> vendor = displayText(root + "/sys/class/dmi/id/sys_vendor");
    return vendor.known() ? *vendor.value + " " + *product.value : *product.value;
}

constexpr int kMaxReleasePart = 999;

struct JetpackPair {
    L4tRelease l4t;
    const char *jetpack;
};
constexpr auto kJetpacks = std::to_array<JetpackPair>({
    {{39, 2, 0}, "7.2"},   {{38, 4, 0}, "7.1"},   {{38, 2, 0}, "7.0"},    {{38, 2, 1}, "7.0"},   {{38, 2, 2}, "7.0"},
    {{36, 5, 0}, "6.2.2"}, {{36, 4, 7}, "6.2.1"}, {{36, 4, 4}, "6.2.1"},  {{36, 4, 3}, "6.2"},   {{36, 4, 2}, "6.1"},
    {{36, 4, 0}, "6.1"},   {{36, 3, 0}, "6.0"},   {{36, 2, 0}, "6.0 DP"}, {{35, 6, 4}, "5.1.6"}, {{35, 6, 3}, "5.1.5"},
    {{35, 6, 2}, "5.1.5"}, {{35, 6, 1}, "5.1.5"}, {{35, 6, 0}, "5.1.4"},  {{35, 5, 0}, "5.1.3"}, {{35, 4, 1}, "5.1.2"},
    {{35, 3, 1}, "5.1.1"}, {{35, 2, 1}, "5.1"},   {{35, 1, 0}, "5.0.2"},  {{32, 7, 6}, "4.6.6"}, {{32, 7, 5}, "4.6.5"},
    {{32, 7, 4}, "4.6.4"}, {{32, 7, 3}, "4.6.3"}, {{32, 7, 2}, "4.6.2"},  {{32, 7, 1}, "4.6.1"}, {{32, 6, 1}, "4.6"},
});

/// Takes a number from the front of the text; false if there is none or it is not plausible.
bool takeReleasePart(std::string_view &text, int &value)
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || value < 0 || value > kMaxReleasePart)
        return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return true;
}

bool takeText(std::string_view &text, std::string_view expected)
{
    if (!text.starts_with(expected))
        return false;
    text.remove_prefix(expected.size());
    return true;
}

} // namespace

BoardIdentity readBoardIdentity(const std::string &root)
{
    const std::vector<std::string> compatible = propertyTexts(root + "/proc/device-tree/compatible");
    const Result<std::string> bootFile = textOf(root + "/etc/nv_boot_control.conf", kMaxIdentityText);
    const std::string bootControl = bootFile.ok() ? bootFile.value() : std::string();
    BoardIdentity identity;
    identity.model = modelOf(root);
    identity.chip = chipOf(compatible, bootControl);
    identity.module = moduleOf(compatible, bootControl);
    identity.l4t = l4tOf(root, identity.isJetson());
    identity.jetpack = identity.l4t.known() ? jetpackOf(*identity.l4t.value)
                                            : Reading<std::string>(sentence("the release of L4T is unknown"));
    identity.kernel = displayText(root + "/proc/sys/kernel/osrelease");
    return identity;
}

std::string L4tRelease::text() const
{
    return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

Reading<L4tRelease> parseTegraRelease(std::string_view text)
{
    constexpr std::string_view kRevision = "REVISION:";
    const Error unknown = sentence("/etc/nv_tegra_release does not begin with a release such as \"# R36 (release), "
                                   "REVISION: 4.7\"");
    std::string_view line = text.substr(0, text.find('\n'));
    L4tRelease release;
    takeText(line, "#");
    while (takeText(line, " ")) {}
    if (!takeText(line, "R") || !takeReleasePart(line, release.major))
        return unknown;
    const std::size_t revision = line.find(kRevision);
    if (revision == std::string_view::npos)
        return unknown;
    line.remove_prefix(revision + kRevision.size());
    while (takeText(line, " ")) {}
    // Without what follows the number, the line may have been cut inside it.
    if (!takeReleasePart(line, release.minor) || !takeText(line, ".") || !takeReleasePart(line, release.patch)
        || !takeText(line, ","))
        return unknown;
    return release;
}

Reading<L4tRelease> parseL4tVersion(std::string_view version)
{
    L4tRelease release;
    if (!takeReleasePart(version, release.major) || !takeText(version, ".") || !takeReleasePart(version, release.minor)
        || !takeText(version, ".") || !takeReleasePart(version, release.patch) || !takeText(version, "-"))
        return sentence("the version of the package nvidia-l4t-core is not a release");
    return release;
}

Reading<std::string> jetpackOf(const L4tRelease &release)
{
    for (const JetpackPair &pair : kJetpacks)
        if (pair.l4t == release)
            return std::string(pair.jetpack);
    return sentence("no JetPack is known for L4T " + release.text());
}

} // namespace jetscope
