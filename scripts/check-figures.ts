/**
 * Names every promise whose figure is missing or stale. Usage: `node check-figures.ts [--release]`
 *
 * Exits with 1 when there is one and `--release` is given, otherwise with 0.
 */
import { UNKNOWN_IN_SHALLOW_CLONE, figureAges } from './figure-age.ts'
import { readFigures } from './figures.ts'
import { PROMISES } from './promises.ts'

const isRelease = process.argv.includes('--release')
const { figures } = readFigures()
const ages = figures.map(figureAges('.'))
const missing = PROMISES.filter(({ id, tier }) => {
  return tier !== 'later' && !figures.some((figure) => figure.id === id)
})
const faults = [
  ...missing.map(({ id }) => `${id}: not measured`),
  ...figures.flatMap(({ id, file }, index) => {
    const stale = ages[index]?.stale
    return stale === undefined ? [] : [`${id} (${file}): ${stale}`]
  }),
]
const unknown = ages.filter(({ age }) => age === UNKNOWN_IN_SHALLOW_CLONE).length

for (const fault of faults) console.log(`${isRelease ? 'refused' : 'warning'}: ${fault}`)
if (unknown > 0) console.log(`The age of ${unknown} figures is ${UNKNOWN_IN_SHALLOW_CLONE}.`)
console.log(`${faults.length} figures are stale or missing, of ${figures.length + missing.length}`)
if (isRelease && faults.length > 0) {
  console.log('Cannot release: measure them with npm run test:full -- <path of the test>')
  process.exitCode = 1
}
