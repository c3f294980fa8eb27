// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A plug-in that imports 256 functions whose names begin with g, as those of GStreamer do. Nothing has them, and it
// does not call them.

#define EIGHT(X, n) X(n##0) X(n##1) X(n##2) X(n##3) X(n##4) X(n##5) X(n##6) X(n##7)
#define SOME(X, n)                                                                                                     \
    EIGHT(X, n##0)                                                                                                     \
    EIGHT(X, n##1) EIGHT(X, n##2) EIGHT(X, n##3) EIGHT(X, n##4) EIGHT(X, n##5) EIGHT(X, n##6) EIGHT(X, n##7)
#define ALL(X) SOME(X, 0) SOME(X, 1) SOME(X, 2) SOME(X, 3)

#define DECLARE(n) void g_function_##n(void);
ALL(DECLARE)

__attribute__((visibility("default"))) int run(int calls)
{
#define CALL(n)                                                                                                        \
    if (calls)                                                                                                         \
        g_function_##n();
    ALL(CALL)
    return 7;
}
