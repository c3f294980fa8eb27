// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jetscope {

/// Where code is: a file, and an offset in it.
struct CodePlace {
    std::string file;
    std::uint64_t offset = 0;

    bool operator==(const CodePlace &) const = default;
};

/// A file of code in the memory of a process.
struct CodeMapping {
    std::uint64_t start = 0;
    std::uint64_t end = 0; ///< Behind the last byte.
    CodePlace place;       ///< Of `start`.
};
/// The executable files in the text of /proc/PID/maps, in order; lines that are not understood are left out.
std::vector<CodeMapping> parseMappings(std::string_view text);
/// The place of an address; empty if it is in none of the files.
std::optional<CodePlace> placeIn(const std::vector<CodeMapping> &mappings, std::uint64_t address);

/// Finds the file and offset of addresses in inspected processes. They are looked up while the process runs, because
/// nothing is known of it afterwards. Memory is bounded. Not thread-safe.
class ModuleTable {
public:
    /// `folder`: where the kernel's folders of processes are.
    explicit ModuleTable(std::string folder = "/proc") : m_folder(std::move(folder)) {}

    /// What is known of a process without looking: the text of its maps when its program started.
    void add(std::int32_t process, std::string_view maps);
    /// Remembers where an address is. Reads the mappings of the process if they do not hold it, but not often.
    void see(std::int32_t process, std::uint64_t address, std::int64_t nowNs);
    /// Empty if it was not seen, or if it is not in a file.
    std::optional<CodePlace> find(std::int32_t process, std::uint64_t address) const;
    /// The files in the memory of a process when it was last looked at, in order; null if it was not.
    std::shared_ptr<const std::vector<CodeMapping>> mappings(std::int32_t process) const;

private:
    struct Process {
        std::shared_ptr<const std::vector<CodeMapping>> mappings = std::make_shared<std::vector<CodeMapping>>();
        std::int64_t readNs = 0;
    };

    bool lookUp(const Process &process, std::pair<std::int32_t, std::uint64_t> key);

    const std::string m_folder;
    std::map<std::int32_t, Process> m_processes;
    std::map<std::pair<std::int32_t, std::uint64_t>, CodePlace> m_places;
};

} // namespace jetscope
