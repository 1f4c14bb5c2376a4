import { TestRunner, afterEach, onTestFailed } from 'vitest'

/** Numbers from 0 to 1 that a seed repeats (mulberry32). */
export function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Returns a seed that differs in each run, or the one of `SEED`. A test that fails prints it. */
export function newSeed(): number {
  const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 32)
  const print = (): void =>
    void process.stderr.write(`The seed was ${seed}: SEED=${seed} repeats it\n`)
  if (TestRunner.getCurrentTest()) onTestFailed(print)
  else afterEach(({ task }) => (task.result?.state === 'fail' ? print() : undefined))
  return seed
}
