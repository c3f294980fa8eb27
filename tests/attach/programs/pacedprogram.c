// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
//
// pacedprogram [ARGUMENT…] : prints its arguments, its folder and the variable PACED, then makes about 500 frames a
// second until it is told to end (SIGTERM). Prints how many, and exits with 42. As "pacedprogram stubborn" it does not
// end.
#include "frames.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

extern void linked_frames(int frames);

static volatile sig_atomic_t s_end;

static void on_end(int signal)
{
    (void)signal;
    s_end = 1;
}

int main(int argc, char **argv)
{
    const int stubborn = argc > 1 && strcmp(argv[1], "stubborn") == 0;
    struct sigaction action = {.sa_handler = stubborn ? SIG_IGN : on_end};
    sigaction(SIGTERM, &action, NULL);
    for (int i = 1; i < argc; ++i)
        printf("argument %s\n", argv[i]);
    char folder[1024];
    const char *value = getenv("PACED");
    printf("folder %s\nvalue %s\n", getcwd(folder, sizeof folder), value ? value : "none");
    fflush(stdout);
    unsigned long frames = 0;
    for (; !s_end; ++frames) {
        linked_frames(1);
        const struct timespec pause = {0, 2000000};
        nanosleep(&pause, NULL);
    }
    printf("made %lu frames\n", frames);
    fprintf(stderr, "ended as asked\n");
    return 42;
}
