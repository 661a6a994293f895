/* SPDX-License-Identifier: Apache-2.0 */
/* What the demonstration needs of a machine: an emulated one of QEMU. */
#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

#define BOARD_RATE 1000 /* interrupts of the timer in a second */

/* Of the linker. */
extern const char board_text_start[], board_text_end[];

void board_start_timer(void);
void board_put(uint8_t byte); /* to the serial port */
_Noreturn void board_exit(void);

int main(void);

/* Of the program: called by each interrupt of the timer, after the sample. */
void on_tick(void);

#endif
