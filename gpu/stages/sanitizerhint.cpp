// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/stages/sanitizerhint.h"

#include "gpu/cupti/cuptilibrary.h"
#include "gpu/stages/stagetrial.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <vector>

#include <unistd.h>

namespace jetscope {

namespace {

namespace fs = std::filesystem;

constexpr const char *kSanitizer = "/compute-sanitizer";
/// What a trial says of a kernel that used memory which memcheck knows not to be its own. With the last, the driver
/// found it out itself.
constexpr const char *kReasons[] = {"wrote outside", "cuCtxSynchronize: "};
constexpr const char *kShowsTheLine = "; this shows the line: ";

bool isProgram(const std::string &file)
{
    std::error_code error;
    return fs::is_regular_file(file, error) && access(file.c_str(), X_OK) == 0;
}

std::string findSanitizer()
{
    const char *const path = std::getenv("PATH");
    std::istringstream folders(path ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');)
        if (!folder.empty() && isProgram(folder + kSanitizer))
            return folder + kSanitizer;
    for (const std::string &toolkit : CuptiSurvey::ofThisMachine().toolkits)
        if (isProgram(toolkit + "/bin" + kSanitizer))
            return toolkit + "/bin" + kSanitizer;
    return {};
}

/// As a shell takes it for one word.
std::string shellWord(const std::string &word)
{
    const bool isPlain = std::all_of(word.begin(), word.end(), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string("/._-+").find(c) != std::string::npos;
    });
    if (isPlain && !word.empty())
        return word;
    std::string quoted = "'";
    for (const char c : word)
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

} // namespace

std::string sanitizerHint(const std::string &reason, const KernelTrial &trial, const std::string &folder)
{
    const bool isAboutMemory = std::any_of(std::begin(kReasons), std::end(kReasons), [&reason](const char *part) {
        return reason.find(part) != std::string::npos;
    });
    const std::string sanitizer = isAboutMemory && !folder.empty() ? findSanitizer() : std::string();
    if (sanitizer.empty())
        return {};
    // The trial's own file goes with the trial.
    const std::string kept = folder + "/refused.code";
    std::error_code error;
    fs::create_directories(folder, error);
    const bool isKept = fs::copy_file(trial.cubinFile, kept, fs::copy_options::overwrite_existing, error);
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    if (!isKept || error)
        return {};
    std::vector<std::string> words = {sanitizer, "--tool", "memcheck", program.string()};
    const StageTrialPlan plan = kernelTrialPlan(trial.ordinal, kept, trial.driver, KernelTrialMemory::Exact);
    words.insert(words.end(), plan.command.begin() + 1, plan.command.end());
    words.insert(words.end(), plan.words.begin(), plan.words.end());
    std::string command;
    for (const std::string &word : words)
        command += (command.empty() ? "" : " ") + shellWord(word);
    return kShowsTheLine + command;
}

std::string beforeSanitizerHint(std::string reason, const std::string &addition)
{
    return reason.insert(std::min(reason.find(kShowsTheLine), reason.size()), addition);
}

} // namespace jetscope
