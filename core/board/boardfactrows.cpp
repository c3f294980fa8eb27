// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/board/boardfactrows.h"

#include "core/board/boardidentity.h"
#include "core/system/sysfile.h"
#include "core/text/sha256.h"

#include <span>
#include <string_view>
#include <sys/utsname.h>

namespace jetscope {

namespace {

constexpr std::size_t kHashDigits = 12;

/// Empty for an empty text. The purpose keeps hashes of other programs apart.
std::string shortHash(std::string_view purpose, const std::string &text)
{
    if (text.empty())
        return {};
    Sha256 sum;
    sum.add(std::as_bytes(std::span(purpose)));
    sum.add(std::as_bytes(std::span(text)));
    return sum.hex().substr(0, kHashDigits);
}

/// Boards that were made of one image may have the machine's id in common, but not the serial number.
std::string idOfMachine(const std::string &root)
{
    for (const char *path : {"/proc/device-tree/serial-number", "/etc/machine-id"})
        if (std::string line = lineOf(root + path); !line.empty())
            return line;
    return {};
}

} // namespace

std::vector<std::pair<std::string, std::string>> boardFactRows(const std::string &root)
{
    const std::string below = root == "/" ? std::string() : root;
    const BoardIdentity identity = readBoardIdentity(below);
    utsname machine{};
    uname(&machine);
    const std::vector<std::pair<std::string, std::string>> all{
        {kBoardIdFact, shortHash("jetscope board ", idOfMachine(below))},
        {kBoardSocFact, identity.chip.known() ? *identity.chip.value : std::string(machine.machine)},
        {kBoardJetpackFact,
         identity.jetpack.known() ? *identity.jetpack.value : std::string(identity.isJetson() ? "" : "none")},
        {kBoardKernelFact, identity.kernel.known() ? *identity.kernel.value : std::string()},
        {kBoardBootFact, shortHash("jetscope boot ", lineOf(below + "/proc/sys/kernel/random/boot_id"))}};
    std::vector<std::pair<std::string, std::string>> known;
    for (const auto &row : all)
        if (!row.second.empty())
            known.push_back(row);
    return known;
}

} // namespace jetscope
