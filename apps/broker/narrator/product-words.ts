import type { ProductSpec } from '../case/index.ts'

type ProductPart = 'panels' | 'battery' | 'charger' | 'other'

const MENTIONED: Readonly<Record<ProductPart, RegExp>> = {
  panels: /\b(?:solar|panels?|pv|array)\b/i,
  battery: /\b(?:battery|batteries|storage|powerwall)\b/i,
  charger: /\b(?:ev|charger|charge ?point|zappi)\b/i,
  other: /\b(?:and|plus) (?:an)?other\b|\bother (?:bits|extras|items|work)\b|\bheat pump\b/i,
}
const PARTS = Object.keys(MENTIONED) as readonly ProductPart[]
const KIT = '(?:battery|batteries|storage|ev|charger|charge ?point|panels?|solar)'
const WITHOUT = new RegExp(
  `\\b(?:no|not an?|without(?: an?| any)?|minus the|drop the|lose the) (?:\\w+ )?${KIT}\\b` +
    `(?:(?: or| nor|,) (?:an? )?(?:\\w+ )?${KIT}\\b)*`,
  'gi',
)
/** Words that mark a product as undecided. */
const UNDECIDED = new RegExp(
  `\\b(?:chang\\w+ (?:her|his|their) minds?|not sure|unsure|undecided|thinking|ask(?:s|ed|ing)?) about (?:the |an? )?${KIT}`,
  'gi',
)
const OWN_CAR = /\b(?:drives?|has|have|got|owns?) an? (?:\w+ )?ev\b(?! charger| charge ?point)/gi
const ALONE = /\b(?:just|only)\b/i

const SPECS: Readonly<Record<ProductSpec, readonly ProductPart[]>> = {
  panels_only: ['panels'],
  panels_battery: ['panels', 'battery'],
  panels_battery_ev: ['panels', 'battery', 'charger'],
  panels_battery_ev_other: ['panels', 'battery', 'charger', 'other'],
}
const NAMES = Object.keys(SPECS) as readonly ProductSpec[]

/**
 * Reads the product from a message. With a known product, the message adds parts or removes them. The
 * list has no battery alone and no charger without a battery: the narrator asks about such a project.
 */
export function readProduct(said: string, known?: ProductSpec): ProductSpec | undefined {
  const taken = partsIn([...said.matchAll(WITHOUT)].map(([words]) => words).join(' '))
  const given = partsIn(said.replace(WITHOUT, ' ').replace(OWN_CAR, ' ').replace(UNDECIDED, ' '))
  const adds = known !== undefined && !given.includes('panels') && !ALONE.test(said)
  if (given.length === 0 && !(adds && taken.length > 0)) return undefined
  const bare = given[0] === 'battery' && (taken.includes('panels') || ALONE.test(said))
  if (bare) return undefined
  const base = adds ? SPECS[known] : []
  // A battery comes with panels unless it is said otherwise, and the rest does not come alone.
  const meant = new Set<ProductPart>([
    ...base,
    ...given,
    ...(given.includes('battery') ? PANELS : []),
  ])
  for (const part of taken) meant.delete(part)
  return NAMES.find((name) => SPECS[name].length === meant.size && isAll(SPECS[name], meant))
}

const PANELS: readonly ProductPart[] = ['panels']

function isAll(parts: readonly ProductPart[], meant: ReadonlySet<ProductPart>): boolean {
  return parts.every((part) => meant.has(part))
}

function partsIn(text: string): readonly ProductPart[] {
  return PARTS.filter((part) => MENTIONED[part].test(text))
}
