import type { FreeHelp } from '../disclosures/firm-details.ts'

/** A piece of a text: plain words, or a phone number or website with the address that it leads to. */
export interface TextPiece {
  readonly text: string
  readonly href?: string
}

/** Splits a text at the phone numbers and websites of these services; no letter is lost. Pure. */
export function contactsInText(text: string, services: readonly FreeHelp[]): readonly TextPiece[] {
  const contacts = services.flatMap(({ website, phone }): readonly Required<TextPiece>[] => [
    { text: website, href: `https://www.${website}` },
    ...(phone === undefined ? [] : [{ text: phone, href: `tel:${phone.replaceAll(' ', '')}` }]),
  ])
  const pieces: TextPiece[] = []
  let rest = text
  while (rest !== '') {
    const found = contacts
      .map((contact) => ({ contact, at: rest.indexOf(contact.text) }))
      .filter(({ at }) => at >= 0)
      .toSorted((a, b) => a.at - b.at)[0]
    if (!found) return [...pieces, { text: rest }]
    const { contact, at } = found
    if (at > 0) pieces.push({ text: rest.slice(0, at) })
    pieces.push(contact)
    rest = rest.slice(at + contact.text.length)
  }
  return pieces
}
