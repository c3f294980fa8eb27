// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
//
// nestedprogram PLUGIN FRAMES : makes frames by a library that came with a plug-in; is not linked to GL itself.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    void *plugin = argc > 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    void (*make)(int) = plugin ? (void (*)(int))dlsym(plugin, "outer_frames") : NULL;
    if (!make)
        return 1;
    make(atoi(argv[2]));
    printf("made %s frames\n", argv[2]);
    return 6;
}
