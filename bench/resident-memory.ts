import { readFileSync, writeFileSync } from 'node:fs'

/** The resident memory of this process in KB: now, or at its peak. */
export function residentKb(field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync('/proc/self/status', 'utf8')
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1])
}

/** Resets the peak of the resident memory to the present value. */
export function resetPeak(): void {
  writeFileSync('/proc/self/clear_refs', '5')
}
