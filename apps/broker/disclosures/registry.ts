import { readBody } from './body.ts'
import type { Disclosure, DisclosureText } from './disclosure.ts'
import { KEY_FACTS, beginsWith } from './key-facts.ts'

const BODY_LENGTH_MAX = 8_000

export interface DisclosureRegistry {
  /** One version, retired or not, for ever; without a number the newest. */
  disclosure(id: string, version?: number): Disclosure | undefined
  /** The version to show at this moment (ISO-8601); none when nothing is in force. */
  current(id: string, at: string): Disclosure | undefined
}

/**
 * Holds every version of every disclosure, oldest first. Case records point into it by version and
 * hash, so a version is only ever added, or closed by its dates.
 */
export function disclosureRegistry(
  texts: readonly DisclosureText[],
  sha256: (text: string) => string,
): DisclosureRegistry {
  const histories = new Map<string, Disclosure[]>()
  for (const text of texts) {
    const history = histories.get(text.id) ?? []
    history.push(publish(text, history.at(-1), sha256))
    histories.set(text.id, history)
  }
  return {
    disclosure: (id, version) => {
      const history = histories.get(id)
      return version === undefined
        ? history?.at(-1)
        : history?.find((published) => published.version === version)
    },
    current: (id, at) => {
      const moment = instant(at)
      return histories.get(id)?.find((published) => inForce(published, moment))
    },
  }
}

function inForce({ effectiveFrom, effectiveTo, retiredAt }: Disclosure, moment: number): boolean {
  const ends = [effectiveTo, retiredAt].filter((end) => end !== null)
  return instant(effectiveFrom) <= moment && ends.every((end) => moment < instant(end))
}

function publish(
  text: DisclosureText,
  previous: Disclosure | undefined,
  sha256: (text: string) => string,
): Disclosure {
  const { draftedBy, keyFacts = [], ...published } = text
  const fault = faultOf(text, draftedBy) ?? orderFault(text, previous)
  if (fault) throw new Error(`Cannot publish '${text.id}' version ${text.version}: ${fault}`)
  return { ...published, keyFacts, contentHash: sha256(text.body) }
}

function faultOf(text: DisclosureText, draftedBy: string): string | undefined {
  if (text.approvedBy === draftedBy) return `'${draftedBy}' drafted and approved it`
  if (text.approvedBy === '') return 'nobody approved it'
  if (instant(text.approvedAt) > instant(text.effectiveFrom)) return 'it took effect unapproved'
  if (text.body.length > BODY_LENGTH_MAX) return `it is longer than ${BODY_LENGTH_MAX} characters`
  if (malformed(text.body)) return 'its body is more than paragraphs and lists'
  return keyFactsFault(text)
}

function keyFactsFault({ keyFacts, body }: DisclosureText): string | undefined {
  if (!keyFacts) return undefined
  if (keyFacts.length !== KEY_FACTS) return `it has ${keyFacts.length} key facts, not ${KEY_FACTS}`
  return beginsWith(body, keyFacts) ? undefined : 'its body does not begin with its key facts'
}

function orderFault(text: DisclosureText, previous: Disclosure | undefined): string | undefined {
  const expected = (previous?.version ?? 0) + 1
  if (text.version !== expected) return `expected version ${expected}`
  if (!previous) return undefined
  const end = previous.effectiveTo ?? previous.retiredAt
  if (end === null) return `version ${previous.version} was not closed`
  if (instant(text.effectiveFrom) < instant(end)) return `version ${previous.version} is in force`
  return undefined
}

function malformed(body: string): boolean {
  const lines = readBody(body).flatMap((block) =>
    block.kind === 'paragraph' ? [block.text] : block.items,
  )
  // Markup would be shown as text, a line break would not be shown at all.
  return lines.some((line) => line.trim() !== line || line === '' || /[\n\r\t<>*_#`]/.test(line))
}

function instant(iso: string): number {
  const ms = Date.parse(iso)
  if (Number.isNaN(ms)) throw new Error(`Cannot read the time: it is '${iso}'`)
  return ms
}
