import { fork } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { benchmarks } from './benchmarks.ts'
import { earlierCheckout } from './earlier-checkout.ts'
import { COMPARED_HEADINGS, HEADINGS, tableOf } from './table.ts'

const { values, positionals: names } = parseArgs({
  options: { against: { type: 'string' } },
  allowPositionals: true,
})
const ids = benchmarks.map(({ id }) => id)
const unknown = names.filter((name) => !ids.some((id) => isNamed(id, name)))
if (unknown.length > 0) {
  console.error(`Cannot run ${unknown.join(', ')}: there are ${ids.join(', ')}`)
  process.exit(2)
}
const wanted = ids.filter((id) => names.length === 0 || names.some((name) => isNamed(id, name)))
const earlier = values.against === undefined ? undefined : earlierCheckout(values.against)

const rows: (readonly string[])[] = []
for (const id of wanted) {
  process.stderr.write(`${id}\n`)
  rows.push(await runApart(id))
}
console.log(tableOf(earlier ? COMPARED_HEADINGS : HEADINGS, rows))
// Its folder goes with this process.
process.exit()

/** `P2` names every line of it, `P2 10 %` one. */
function isNamed(id: string, name: string): boolean {
  return `${id} `.startsWith(`${name} `)
}

/** In a process of its own, because what ran before changes how the engine compiles what follows. */
async function runApart(id: string): Promise<readonly string[]> {
  const against = earlier ? [earlier.folder, earlier.name] : []
  const child = fork(new URL('run-one.ts', import.meta.url), [id, ...against])
  let row: readonly string[] | undefined
  // Nothing but a row is ever sent.
  child.on('message', (message) => (row = message as readonly string[]))
  await once(child, 'exit')
  if (!row) throw new Error(`Cannot measure "${id}": its process ended without a result`)
  return row
}
