/* Starts a program on the Cortex-M7 of QEMU's mps2-an500: vectors, FPU on, zeroed memory, output by semihosting. */
#include <stdint.h>
#include <stdlib.h>

extern uint32_t stack_top, bss_start, bss_end;
extern int main(void);
extern void initialise_monitor_handles(void);

void reset(void);
void fault(void);

__attribute__((section(".vectors"), used)) static void *const vectors[] = {
    &stack_top, (void *)reset, (void *)fault, (void *)fault, (void *)fault, (void *)fault, (void *)fault,
};

void reset(void)
{
    uint32_t *place;
    *(volatile uint32_t *)0xE000ED88u |= 0xFu << 20;
    __asm volatile("dsb\n isb");
    for (place = &bss_start; place < &bss_end; ++place)
        *place = 0;
    initialise_monitor_handles();
    exit(main());
}

void fault(void)
{
    for (;;)
        exit(2);
}

void _init(void);
void _fini(void);
void _init(void) {}
void _fini(void) {}
