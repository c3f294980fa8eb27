// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/board/boardidentity.h"

#include "core/system/sysfile.h"
#include "core/text/utf8.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <string_view>

namespace jetscope {

namespace {

constexpr std::size_t kMostIdentityText = 4096;
constexpr std::size_t kMostPackageLines = 4'000'000; ///< Of dpkg's list; a damaged file must not take forever.

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
    const Result<std::string> content = textOf(path, kMostIdentityText);
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
    const Result<std::string> content = textOf(path, kMostIdentityText);
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
    for (std::size_t i = 0; i < kMostPackageLines && std::getline(list, line); ++i) {
        if (line.starts_with("Package: "))
            isInside = line.substr(9) == package;
        else if (isInside && line.starts_with("Version: "))
            return line.substr(9);
    }
    return {};
}

Reading<L4tRelease> l4tOf(const std::string &root, bool isJetson)
{
    const Result<std::string> text = textOf(root + "/etc/nv_tegra_release", kMostIdentityText);
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

} // namespace

BoardIdentity readBoardIdentity(const std::string &root)
{
    const std::vector<std::string> compatible = propertyTexts(root + "/proc/device-tree/compatible");
    const Result<std::string> bootFile = textOf(root + "/etc/nv_boot_control.conf", kMostIdentityText);
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

} // namespace jetscope
