// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTest>

namespace jetscope::test {

/// Several test classes share one program, because compiling and linking a program for each takes most of a clean
/// build. The first argument names the test: `coretests tst_verdict [Qt Test's arguments]`. ctest runs each test in a
/// process of its own.
class RegisteredTest {
public:
    using Run = int (*)(int argc, char **argv);

    /// @param file The test's source file; its base name is the name of the test.
    RegisteredTest(const char *file, Run run);

private:
    friend int runRegisteredTest(int argc, char **argv);

    const char *m_file;
    Run m_run;
    const RegisteredTest *m_next;
};

/// Runs the test that the first argument names. Lists the tests and returns 2 if it names none.
int runRegisteredTest(int argc, char **argv);

} // namespace jetscope::test

/// Adds a test class to the program, in place of QTEST_MAIN. Needs an include of the .moc file below it.
#define JETSCOPE_TEST(TestClass)                                                                                       \
    static const jetscope::test::RegisteredTest registered##TestClass(__FILE__, [](int argc, char **argv) {            \
        TestClass test;                                                                                                \
        return QTest::qExec(&test, argc, argv);                                                                        \
    });
