// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/attach/host/programfile.h"

#include "core/system/filelimit.h"
#include "core/system/module.h"
#include "core/text/shorttext.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <fstream>
#include <optional>
#include <sstream>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

namespace jetscope {

namespace {

constexpr const char *kThisProgram = "/proc/self/exe";

/// What decides whether a library can be preloaded.
struct ElfFacts {
    unsigned char width = 0; ///< ELFCLASS64
    std::uint16_t machine = 0;
    bool isDynamic = false; ///< The dynamic linker starts it.
    std::string linker;     ///< Its path.
};

/// Empty if it is damaged. Keeps the place in the file.
std::string readText(std::ifstream &file, const Elf64_Phdr &part)
{
    constexpr std::uint64_t kLongest = 4096;
    const std::streampos place = file.tellg();
    std::string text(std::min<std::uint64_t>(part.p_filesz, kLongest), '\0');
    file.seekg(static_cast<std::streamoff>(part.p_offset));
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(std::strlen(text.c_str()) * (file ? 1 : 0));
    file.clear();
    file.seekg(place);
    return text;
}

/// Empty if the file is no program of this byte order, or if it is damaged.
std::optional<ElfFacts> readElf(const std::string &path)
{
    std::ifstream file(path, std::ios::binary);
    Elf64_Ehdr header{};
    file.read(reinterpret_cast<char *>(&header), sizeof header);
    if (file.gcount() < EI_NIDENT + 4 || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
        return std::nullopt;
    ElfFacts facts{header.e_ident[EI_CLASS], header.e_machine, true, {}};
    if (facts.width != ELFCLASS64)
        return facts;
    if (file.gcount() != sizeof header || header.e_phentsize != sizeof(Elf64_Phdr))
        return std::nullopt;
    facts.isDynamic = false;
    file.seekg(static_cast<std::streamoff>(header.e_phoff));
    for (int i = 0; i < header.e_phnum; ++i) {
        Elf64_Phdr part{};
        if (!file.read(reinterpret_cast<char *>(&part), sizeof part))
            return std::nullopt;
        if (part.p_type != PT_INTERP)
            continue;
        facts.isDynamic = true;
        facts.linker = readText(file, part);
    }
    return facts;
}

/// What the kernel reads of a file to see what it is. Programs that may be run but not read have no head.
Result<std::string> headOf(const std::string &path)
{
    constexpr std::size_t kHead = 256;
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return sentence(quotedWords(path) + " cannot be read, so it is not known whether it can be inspected: "
                        + (errno == EMFILE || errno == ENFILE
                               ? std::string(kNoFurtherFile)
                               : std::strerror(errno) + std::string("; allow reading it (\"chmod +r\")")));
    std::string head(kHead, '\0');
    const ssize_t count = pread(file, head.data(), head.size(), 0);
    close(file);
    head.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    return head;
}

/// The first word behind "#!"; empty if the file is no script.
std::string interpreterIn(const std::string &head)
{
    if (!head.starts_with("#!"))
        return {};
    std::istringstream words(head.substr(2, head.find('\n') - 2));
    std::string interpreter;
    words >> interpreter;
    return interpreter;
}

bool isFile(const std::string &path)
{
    struct stat facts {};
    return stat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode);
}

Result<std::string> locate(const std::string &name)
{
    if (name.find('/') != std::string::npos) {
        if (isFile(name))
            return name;
        return sentence(quotedWords(name)
                        + " is no program: give the path of a file, or the name of a program in PATH");
    }
    const char *const folders = std::getenv("PATH");
    std::istringstream list(folders ? folders : "/usr/local/bin:/usr/bin:/bin");
    for (std::string folder; std::getline(list, folder, ':');)
        if (const std::string path = (folder.empty() ? "." : folder) + "/" + name;
            isFile(path) && access(path.c_str(), X_OK) == 0)
            return path;
    return sentence("there is no program " + quotedWords(name) + " in PATH: give the path of its file, such as "
                    + quotedWords("./" + name));
}

/// glibc ignores LD_PRELOAD in programs that gain rights when they start.
Status checkRights(const std::string &path)
{
    if (access(path.c_str(), X_OK) != 0)
        return sentence(quotedWords(path)
                        + " may not be run by this user: allow it (\"chmod +x\"), or run Jetscope as a "
                          "user who may");
    struct stat facts {};
    if (stat(path.c_str(), &facts) != 0)
        return sentence(quotedWords(path) + " cannot be read: " + std::strerror(errno));
    const bool gainsUser = (facts.st_mode & S_ISUID) != 0 && facts.st_uid != geteuid();
    const bool gainsGroup = (facts.st_mode & S_ISGID) != 0 && facts.st_gid != getegid();
    const bool gainsMore = geteuid() != 0 && getxattr(path.c_str(), "security.capability", nullptr, 0) > 0;
    if (gainsUser || gainsGroup || gainsMore)
        return sentence(
            quotedWords(path)
            + " runs with more rights than this user has (set-uid, set-gid or capabilities), so nothing can "
              "be preloaded: inspect a copy without these rights, or run Jetscope as that user");
    return {};
}

Status checkKind(const std::string &path)
{
    const std::optional<ElfFacts> facts = readElf(path);
    if (!facts)
        return sentence(quotedWords(path) + " is neither a program nor a script with an interpreter: give a program");
    const std::optional<ElfFacts> own = readElf(kThisProgram);
    if (own && (facts->machine != own->machine || facts->width != own->width))
        return sentence(quotedWords(path)
                        + " is a program for another processor: inspect it with a Jetscope that is built for that one");
    if (!facts->isDynamic)
        return sentence(quotedWords(path)
                        + " is linked statically, so nothing can be preloaded: link it dynamically (without -static)");
    if (facts->linker.find("/ld-musl-") != std::string::npos)
        return sentence(quotedWords(path)
                        + " is linked to musl, whose linker cannot preload a library that needs glibc: inspect a build "
                          "of it that is linked to glibc");
    return {};
}

Result<std::string> findLibrary(const std::string &name)
{
    const std::string path = findOwnLibrary(name);
    if (path.empty())
        return sentence("the library " + name + " is missing in " + quotedWords(programFolder())
                        + " and where it is installed: install Jetscope again");
    if (path.find_first_of(": ") != std::string::npos)
        return sentence("the library " + quotedWords(path)
                        + " cannot be preloaded, because its path has a blank or a colon: install Jetscope elsewhere");
    return path;
}

} // namespace

Result<std::string> findProgram(const std::string &name)
{
    constexpr int kMaxScripts = 5; // As in the kernel.
    JETSCOPE_TRY_ASSIGN(const std::string path, locate(name));
    std::string file = path;
    for (int scripts = 0; scripts <= kMaxScripts; ++scripts) {
        JETSCOPE_TRY(checkRights(file));
        JETSCOPE_TRY_ASSIGN(const std::string head, headOf(file));
        const std::string interpreter = interpreterIn(head);
        if (interpreter.empty()) {
            JETSCOPE_TRY(checkKind(file));
            return path;
        }
        if (!isFile(interpreter))
            return sentence(quotedWords(file) + " names the interpreter " + quotedWords(interpreter)
                            + ", which does not exist: install it");
        file = interpreter;
    }
    return sentence(quotedWords(path)
                    + " is a script whose interpreter is a script, and so on: the system starts no more than "
                    + std::to_string(kMaxScripts) + " of them; name the program itself in its first line");
}

Result<std::string> findPreloadLibrary()
{
    return findLibrary("libjetscope-attach.so");
}

Result<std::string> findInjectedLibrary()
{
    return findLibrary("libjetscope-attach-cupti.so");
}

} // namespace jetscope
