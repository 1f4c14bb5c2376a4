import { brokerDomain } from '../../apps/broker/case/index.ts'
import { brokerDisclosures, disclosureRegistry } from '../../apps/broker/disclosures/index.ts'
import { builtInPanel } from '../../apps/broker/lenders/index.ts'
import { sha256 } from './gated-case.fixture.ts'

const DAY_MS = 86_400_000
const LAUNCH = Date.parse('2026-03-01T00:00:00.000Z')

/** How many wordings of each text there are; each is in force for a day. */
export const WORDINGS = 4

export function momentOfWording(wording: number): number {
  return LAUNCH + wording * DAY_MS + DAY_MS / 2
}

const isoDay = (wording: number): string => new Date(LAUNCH + wording * DAY_MS).toISOString()

const newest = new Map(brokerDisclosures(builtInPanel.lenders).map((text) => [text.id, text]))

const texts = [...newest.values()].flatMap((text) =>
  Array.from({ length: WORDINGS }, (_, wording) => ({
    ...text,
    version: wording + 1,
    body: `${text.body}\n\nThis is wording ${wording + 1}.`,
    approvedAt: isoDay(0),
    effectiveFrom: isoDay(wording),
    effectiveTo: wording + 1 < WORDINGS ? isoDay(wording + 1) : null,
    retiredAt: null,
  })),
)

/** The broker's texts, each in several wordings that follow one another. */
export const wordings = disclosureRegistry(texts, sha256)

export const domainWithWordings = brokerDomain({ disclosures: wordings })
