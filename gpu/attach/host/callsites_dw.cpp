// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/attach/host/callsites.h"

#include "core/attach/read/functionname.h"
#include "gpu/attach/host/stackunwinder.h"

#include <algorithm>
#include <array>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>

namespace jetscope {

namespace {

std::string hexText(std::uint64_t number)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "+0x%llx", static_cast<unsigned long long>(number));
    return text.data();
}

std::string fileName(const std::string &path)
{
    return std::filesystem::path(path).filename().string();
}

std::string wherePart(const char *file, int line)
{
    return file && line > 0 ? fileName(file) + ":" + std::to_string(line) : std::string();
}

struct FreeScopes {
    void operator()(Dwarf_Die *scopes) const { std::free(scopes); }
};
using Scopes = std::unique_ptr<Dwarf_Die[], FreeScopes>;

/// The functions around an address that were inlined there, the innermost first, and the one that they were inlined
/// into last. Empty without debug information.
std::vector<Dwarf_Die> functionsAround(Dwfl_Module *module, Dwarf_Addr address)
{
    Dwarf_Addr bias = 0;
    Dwarf_Die *const unit = dwfl_module_addrdie(module, address, &bias);
    Dwarf_Die *around = nullptr;
    const int known = unit ? dwarf_getscopes(unit, address - bias, &around) : -1;
    const Scopes innermost(known > 0 ? around : nullptr);
    Dwarf_Die *outwards = nullptr;
    // The scopes of an address leave an inlined function by where it is written, those of a scope by where it is used.
    const int count = innermost ? dwarf_getscopes_die(&innermost[0], &outwards) : -1;
    const Scopes scopes(count > 0 ? outwards : nullptr);
    std::vector<Dwarf_Die> functions;
    for (int i = 0; i < count; ++i)
        if (const int tag = dwarf_tag(&scopes[i]); tag == DW_TAG_inlined_subroutine || tag == DW_TAG_subprogram)
            functions.push_back(scopes[i]);
    return functions;
}

/// Its name in the file, by which it is known also where it is inlined; empty if it has none.
std::string functionName(Dwarf_Die *function)
{
    Dwarf_Attribute memory;
    for (const unsigned attribute : {DW_AT_linkage_name, DW_AT_name})
        if (const char *name = dwarf_formstring(dwarf_attr_integrate(function, attribute, &memory)))
            return functionNameForUsers(name);
    return {};
}

/// Where the caller of an inlined function calls it: "frames.cpp:12"; empty if that is not known.
std::string callOf(Dwarf_Die *inlined)
{
    Dwarf_Attribute memory;
    Dwarf_Word file = 0;
    Dwarf_Word line = 0;
    Dwarf_Die unit;
    Dwarf_Files *files = nullptr;
    std::size_t count = 0;
    if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &memory), &file) != 0
        || dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &memory), &line) != 0
        || !dwarf_diecu(inlined, &unit, nullptr, nullptr) || dwarf_getsrcfiles(&unit, &files, &count) != 0
        || file >= count || line > INT_MAX)
        return {};
    return wherePart(dwarf_filesrc(files, file, nullptr, nullptr), static_cast<int>(line));
}

/// Written in a header of the system or of a toolkit there.
bool isOfSystemHeader(Dwarf_Die *function)
{
    const char *const file = dwarf_decl_file(function);
    const std::string_view path = file ? file : "";
    return path.starts_with("/usr/") && path.find("/include/") != std::string_view::npos;
}

/// The address at which the file is linked of an offset in it.
std::optional<GElf_Addr> linkedAddress(Elf *elf, std::uint64_t offset)
{
    std::size_t parts = 0;
    if (!elf || elf_getphdrnum(elf, &parts) != 0)
        return std::nullopt;
    for (std::size_t i = 0; i < parts; ++i) {
        GElf_Phdr part;
        if (gelf_getphdr(elf, static_cast<int>(i), &part) && part.p_type == PT_LOAD && offset >= part.p_offset
            && offset - part.p_offset < part.p_filesz)
            return part.p_vaddr + (offset - part.p_offset);
    }
    return std::nullopt;
}

/// A place in a file's code as its module knows it: behind a call, or within it.
std::optional<GElf_Addr> moduleAddress(Dwfl_Module *module, const CodePlace &place)
{
    GElf_Addr bias = 0;
    Elf *const elf = module ? dwfl_module_getelf(module, &bias) : nullptr;
    const std::optional<GElf_Addr> linked = linkedAddress(elf, place.offset);
    return linked ? std::optional(*linked + bias) : std::nullopt;
}

/// What libdw unpacks of compressed sections at most: it does so in memory.
constexpr std::uint64_t kMaxUnpacked = std::uint64_t{2} << 30;

/// Of a compressed section; else 0.
std::uint64_t unpackedBytes(Elf_Scn *section)
{
    GElf_Chdr header;
    if (gelf_getchdr(section, &header))
        return header.ch_size;
    // The older way, in sections named .zdebug_*: "ZLIB" and the size, big-endian.
    constexpr std::string_view kMark = "ZLIB";
    constexpr std::size_t kHead = 12;
    const Elf_Data *const data = elf_rawdata(section, nullptr);
    if (!data || !data->d_buf || data->d_size < kHead || std::memcmp(data->d_buf, kMark.data(), kMark.size()) != 0)
        return 0;
    std::uint64_t bytes = 0;
    for (std::size_t i = kMark.size(); i < kHead; ++i)
        bytes = bytes << 8 | static_cast<const unsigned char *>(data->d_buf)[i];
    return bytes;
}

/// Whether a file can be read to its end: the inspected program, or whoever may write there, may have put a pipe, or
/// sections that are packed a thousandfold, in the place of a library.
bool isHarmless(Elf *elf)
{
    std::uint64_t unpacked = 0;
    for (Elf_Scn *section = elf_nextscn(elf, nullptr); section; section = elf_nextscn(elf, section)) {
        unpacked += std::min(unpackedBytes(section), kMaxUnpacked + 1);
        if (unpacked > kMaxUnpacked)
            return false;
    }
    return true;
}

/// A descriptor of a regular file that is ELF, as it is: libdw would unpack other kinds, too. -1: none.
int openElf(const char *path)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat facts {};
    if (file >= 0 && fstat(file, &facts) == 0 && S_ISREG(facts.st_mode)) {
        elf_version(EV_CURRENT);
        Elf *const elf = elf_begin(file, ELF_C_READ_MMAP, nullptr);
        const bool harmless = elf && elf_kind(elf) == ELF_K_ELF && isHarmless(elf);
        elf_end(elf);
        if (harmless)
            return file;
    }
    if (file >= 0)
        close(file);
    return -1;
}

/// Whether nothing but harmless files are in the places of a module's debug file, which libdw opens.
bool hasHarmlessDebugFiles(Dwfl_Module *module, const std::string &file, const char *link)
{
    const std::string folder = std::filesystem::path(file).parent_path().string();
    std::vector<std::string> places;
    if (link && *link == '/')
        places.emplace_back(link);
    else if (link)
        places = {folder + "/" + link, folder + "/.debug/" + link, "/usr/lib/debug" + folder + "/" + link};
    const unsigned char *id = nullptr;
    GElf_Addr address = 0;
    if (const int bytes = dwfl_module_build_id(module, &id, &address); bytes > 1) {
        std::string text;
        for (int i = 0; i < bytes; ++i) {
            std::array<char, 4> digits{};
            std::snprintf(digits.data(), digits.size(), i == 1 ? "/%02x" : "%02x", id[i]);
            text += digits.data();
        }
        places.push_back("/usr/lib/debug/.build-id/" + text + ".debug");
    }
    return std::all_of(places.begin(), places.end(), [](const std::string &place) {
        if (access(place.c_str(), F_OK) != 0)
            return true;
        const int opened = openElf(place.c_str());
        return opened >= 0 && close(opened) == 0;
    });
}

/// Only what is on this machine: asking a server for debug information takes long.
int findDebugFile(Dwfl_Module *module, void **, const char *, Dwarf_Addr, const char *file, const char *link,
                  GElf_Word crc, char **found)
{
    if (!hasHarmlessDebugFiles(module, file ? file : "", link))
        return -1;
    return dwfl_standard_find_debuginfo(module, nullptr, nullptr, 0, file, link, crc, found);
}

constexpr Dwfl_Callbacks kOffline = {dwfl_build_id_find_elf, findDebugFile, dwfl_offline_section_address, nullptr};

} // namespace

class CallSites::Files {
public:
    Dwfl_Module *moduleOf(const std::string &path)
    {
        const auto [known, isNew] = m_modules.try_emplace(path);
        if (!isNew)
            return known->second.module;
        Entry &entry = known->second;
        entry.session.reset(dwfl_begin(&kOffline));
        if (!entry.session)
            return nullptr;
        dwfl_report_begin(entry.session.get());
        if (const int file = openElf(path.c_str()); file >= 0) {
            entry.module = dwfl_report_offline(entry.session.get(), path.c_str(), path.c_str(), file);
            if (!entry.module) // Else the file is the module's.
                close(file);
        }
        dwfl_report_end(entry.session.get(), nullptr, nullptr);
        return entry.module;
    }

private:
    struct End {
        void operator()(Dwfl *session) const { dwfl_end(session); }
    };
    struct Entry {
        std::unique_ptr<Dwfl, End> session;
        Dwfl_Module *module = nullptr;
    };

    std::map<std::string, Entry> m_modules;
};

CallSites::CallSites() : m_files(std::make_unique<Files>()) {}
CallSites::~CallSites() = default;

std::string CallSites::look(const CodePlace &place)
{
    const std::string plain = fileName(place.file) + hexText(place.offset);
    Dwfl_Module *module = m_files->moduleOf(place.file);
    const std::optional<GElf_Addr> behind = moduleAddress(module, place);
    if (!behind)
        return plain;
    const GElf_Addr address = *behind - 1; // Inside of the call.
    GElf_Off within = 0;
    GElf_Sym symbol;
    const char *name = dwfl_module_addrinfo(module, address, &within, &symbol, nullptr, nullptr, nullptr);
    int line = 0;
    Dwfl_Line *source = dwfl_module_getsrc(module, address);
    const char *file = source ? dwfl_lineinfo(source, nullptr, &line, nullptr, nullptr, nullptr) : nullptr;
    std::string where = wherePart(file, line);
    // What headers of the runtime inline, as templates of cuda_runtime.h, is not what the program calls it in.
    for (Dwarf_Die &function : functionsAround(module, address)) {
        const std::string inlined = functionName(&function);
        const bool isOwn = !isRuntimeFunction(inlined) && !isOfSystemHeader(&function);
        if (isOwn && !inlined.empty() && !where.empty())
            return inlined + " (" + where + ")";
        if (isOwn || dwarf_tag(&function) == DW_TAG_subprogram)
            break;
        where = callOf(&function);
    }
    if (!name)
        return where.empty() ? plain : where + " (" + fileName(place.file) + ")";
    if (where.empty())
        return functionNameForUsers(name) + hexText(within) + " (" + fileName(place.file) + ")";
    return functionNameForUsers(name) + " (" + where + ")";
}

std::string CallSites::symbolOf(const CodePlace &place)
{
    Dwfl_Module *module = m_files->moduleOf(place.file);
    const std::optional<GElf_Addr> behind = moduleAddress(module, place);
    GElf_Off within = 0;
    GElf_Sym symbol;
    const char *name =
        behind ? dwfl_module_addrinfo(module, *behind - 1, &within, &symbol, nullptr, nullptr, nullptr) : nullptr;
    return name ? functionNameForUsers(name) : std::string();
}

std::vector<CodePlace> CallSites::unwind(const CallStack &stack, const std::vector<CodeMapping> &mappings)
{
    std::vector<CodePlace> returns;
    StackUnwinder unwinder(stack);
    for (auto place = placeIn(mappings, unwinder.address()); place; place = placeIn(mappings, unwinder.address())) {
        returns.push_back(*place);
        Dwfl_Module *module = m_files->moduleOf(place->file);
        const std::optional<GElf_Addr> behind = moduleAddress(module, *place);
        if (!behind || !unwinder.step(module, *behind - 1))
            break;
    }
    return returns;
}

} // namespace jetscope
