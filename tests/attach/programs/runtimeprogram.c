// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
//
// runtimeprogram : the static runtime of CUDA asks the driver how many devices there are. Prints the answer's code.
#include <stdio.h>

extern int cudaGetDeviceCount(int *count);

int main(void)
{
    int count = 0;
    printf("%d\n", cudaGetDeviceCount(&count));
    return 0;
}
