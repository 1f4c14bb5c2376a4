import { OURS } from './benchmark.ts'
import type { Figures, Goal } from './benchmark.ts'

/** How many times as fast as `other` ours is; below 1 where the other is faster. */
export function speedBeside(figures: Figures, other: string): number {
  return figures.get(other)?.timesOurs ?? Number.NaN
}

export function faster(other: string, times: number): Goal {
  return {
    text: `≥ ${times} × ${other}`,
    isMet: (figures) => speedBeside(figures, other) >= times,
  }
}

export function shareOf(limit: string, share: number): Goal {
  return {
    text: `≥ ${Math.round(share * 100)} % of ${limit}`,
    isMet: (figures) => speedBeside(figures, limit) >= share,
  }
}

export function costBeside(other: string, times: number): Goal {
  return {
    text: `≤ ${times} × ${other}`,
    isMet: (figures) => speedBeside(figures, other) >= 1 / times,
  }
}

export function costAtMost(nanoseconds: number): Goal {
  return {
    text: `≤ ${nanoseconds} ns`,
    isMet: (figures) => costOf(figures, OURS) <= nanoseconds,
  }
}

/** Of something that is not counted in time. */
export function sizeAtMost(kilobytes: number): Goal {
  return {
    text: `≤ ${kilobytes.toLocaleString('en')} KB`,
    isMet: (figures) => costOf(figures, OURS) <= kilobytes,
  }
}

export function costOver(other: string, nanoseconds: number): Goal {
  return {
    text: `≤ ${other} + ${nanoseconds} ns`,
    isMet: (figures) => costOf(figures, OURS) - costOf(figures, other) <= nanoseconds,
  }
}

export function yieldsAtMost(count: number): Goal {
  return {
    text: `≤ ${count}`,
    isMet: (figures) => (figures.get(OURS)?.yielded ?? Number.NaN) <= count,
  }
}

export function yieldsAll(count: number): Goal {
  return {
    text: `all ${count}`,
    isMet: (figures) => figures.get(OURS)?.yielded === count,
  }
}

function costOf(figures: Figures, name: string): number {
  return figures.get(name)?.costPerUnit ?? Number.NaN
}
