import { contactsInText } from '../contacts-in-text.ts'
import { useFirm } from '../use-firm.ts'

/** A text in which the phone numbers and websites of the free services are links. */
export function LinkedContacts({ text }: { readonly text: string }) {
  const firm = useFirm()
  return contactsInText(text, firm?.freeHelp ?? []).map(({ text: piece, href }, index) =>
    href === undefined ? (
      piece
    ) : (
      <a
        key={index}
        href={href}
        {...(href.startsWith('tel:') ? {} : { target: '_blank', rel: 'noopener noreferrer' })}
      >
        <bdi>{piece}</bdi>
      </a>
    ),
  )
}
