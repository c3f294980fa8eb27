// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testprogram.h"

#include <cstdio>
#include <string>
#include <string_view>

namespace jetscope::test {

namespace {

/// Filled by constructors of static objects, so it must exist before them: no constructor of its own.
const RegisteredTest *s_tests = nullptr;

std::string baseName(std::string_view file)
{
    file.remove_prefix(file.rfind('/') + 1);
    return std::string(file.substr(0, file.rfind('.')));
}

} // namespace

RegisteredTest::RegisteredTest(const char *file, Run run)
    : m_file(file), m_run(run), m_next(std::exchange(s_tests, this))
{
}

int runRegisteredTest(int argc, char **argv)
{
    const std::string_view wanted = argc > 1 ? argv[1] : "";
    for (const RegisteredTest *test = s_tests; test; test = test->m_next)
        if (baseName(test->m_file) == wanted)
            return test->m_run(argc - 1, argv + 1); // Qt Test ignores the first argument, the name of a program.
    std::fprintf(stderr, "Usage: %s TEST [Qt Test's arguments]\nTests:\n", argv[0]);
    for (const RegisteredTest *test = s_tests; test; test = test->m_next)
        std::fprintf(stderr, "  %s\n", baseName(test->m_file).c_str());
    return 2;
}

} // namespace jetscope::test
