/**
 * Breaks a copy of the product with one mutant after the other, and checks that the tests which the
 * mutant names fail. Usage: `node run-mutants.ts [PROMISE or MUTANT…]`
 *
 * Prints a line per mutant. Exits with 0 when all are killed.
 */
import { CheckoutCopy } from './checkout-copy.ts'
import type { TestRun } from './checkout-copy.ts'
import { readMutants } from './mutants.ts'
import type { Mutant } from './mutants.ts'

const PARALLEL_MAX = 2

type Verdict =
  | { readonly end: 'killed'; readonly said: string }
  | { readonly end: 'survived'; readonly said: string }
  | { readonly end: 'broken'; readonly said: string }

const wanted = process.argv.slice(2)
const all = readMutants('.')
const unknown = wanted.find((name) => !all.some((mutant) => isWanted(mutant, name)))
const mutants =
  wanted.length === 0 ? all : all.filter((mutant) => wanted.some((name) => isWanted(mutant, name)))

// Test runs are killed when this process exits, so a signal must make it exit.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

if (unknown === undefined) await runAll()
else {
  process.stdout.write(`Cannot run "${unknown}": no mutant of this promise or name\n`)
  process.exitCode = 1
}

function isWanted({ promise, name }: Mutant, asked: string): boolean {
  return promise === asked || name === asked
}

async function runAll(): Promise<void> {
  const ends: Verdict['end'][] = []
  const queue = [...mutants]
  const before = new Map<string, Promise<string | undefined>>()
  const work = async () => {
    const copy = new CheckoutCopy('.')
    const removed = () => copy.remove()
    process.once('exit', removed)
    for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
      const verdict = await judge(mutant, copy, before)
      ends.push(verdict.end)
      process.stdout.write(`${mutant.name}: ${verdict.said}\n`)
    }
    process.off('exit', removed)
    removed()
  }
  await Promise.all(Array.from({ length: Math.min(PARALLEL_MAX, queue.length) }, work))
  const count = (wantedEnd: Verdict['end']) => ends.filter((end) => end === wantedEnd).length
  const killed = count('killed')
  process.stdout.write(
    `${killed} killed, ${count('survived')} survived, ${count('broken')} broken\n`,
  )
  if (killed < mutants.length) process.exitCode = 1
}

/** Checks that the tests pass without the mutant and fail with it. */
async function judge(
  mutant: Mutant,
  copy: CheckoutCopy,
  before: Map<string, Promise<string | undefined>>,
): Promise<Verdict> {
  const { promise, tests } = mutant
  const key = `${promise} ${tests.join(' ')}`
  const checked = before.get(key) ?? copy.run(promise, tests).then(faultWithoutMutant)
  before.set(key, checked)
  const fault = await checked
  if (fault !== undefined) return { end: 'broken', said: fault }
  try {
    copy.apply(mutant)
  } catch (error) {
    return { end: 'broken', said: String(error) }
  }
  try {
    const invalid = copy.invalidFile(mutant)
    if (invalid !== undefined) return { end: 'broken', said: `"${invalid}" does not compile` }
    return verdictOn(await copy.run(promise, tests))
  } finally {
    copy.revert(mutant)
  }
}

function faultWithoutMutant({ tests, broken }: TestRun): string | undefined {
  const red = tests.find(({ failure }) => failure !== undefined)
  if (red) return `red without it: "${red.title}" (${red.failure})`
  if (broken[0] !== undefined) return `red without it: ${broken[0]}`
  return tests.length === 0 ? 'no test that it names carries its promise' : undefined
}

function verdictOn({ tests, broken }: TestRun): Verdict {
  if (broken[0] !== undefined) return { end: 'broken', said: `the tests do not run: ${broken[0]}` }
  const failed = tests.find(({ failure }) => failure !== undefined)
  if (failed?.failure === undefined) return { end: 'survived', said: 'SURVIVED' }
  const { title, failure } = failed
  // An unknown name is a fault of the mutant: the test did not notice the broken rule.
  if (/^(Reference|Syntax)Error/.test(failure)) {
    return { end: 'broken', said: `the product does not run: ${failure}` }
  }
  return { end: 'killed', said: `killed by "${title}" (${failure})` }
}
