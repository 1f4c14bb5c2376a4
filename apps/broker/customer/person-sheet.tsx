import { Mail, Phone } from 'lucide'
import { Icon, Note, Sheet } from '../../kit/index.ts'
import type { CaseView } from './case-view.ts'
import styles from './person-sheet.module.css'
import { referenceOf } from './reference.ts'
import { SHELL_WORDS } from './shell-words.ts'
import { useFirm } from './use-firm.ts'
import type { Pages } from './use-page-history.ts'

const words = SHELL_WORDS.person

export interface PersonSheetProps {
  readonly pages: Pages
  readonly view: CaseView
}

/** Shows how to reach a person, and the reference to quote. */
export function PersonSheet({ pages, view }: PersonSheetProps) {
  return (
    <Sheet sheet={pages.sheetNamed('person')} title={words.title}>
      <Contacts />
      <Note tone="plain">
        {words.reference} <bdi className={styles.reference}>{referenceOf(view)}</bdi>. {words.safe}
      </Note>
      <p className={styles.fine}>{words.example}</p>
    </Sheet>
  )
}

/** Shows the server's contact details; the built-in ones until they arrive. */
function Contacts() {
  const { phone, email, hours } = useFirm()?.support ?? {
    phone: words.phone,
    email: words.address,
    hours: { words: words.hours },
  }
  return (
    <ul className={styles.contacts}>
      <li>
        <div>
          <b>{words.call}</b> <span className={styles.hours}>{hours.words}</span>
        </div>
        <a className={styles.call} href={`tel:${phone.replaceAll(/\D/g, '')}`}>
          <Icon shape={Phone} /> <bdi>{phone}</bdi>
        </a>
      </li>
      <li>
        <div>
          <b>{words.write}</b> <span>{email}</span>
        </div>
        <a className={styles.call} href={`mailto:${email}`}>
          <Icon shape={Mail} /> {words.email}
        </a>
      </li>
    </ul>
  )
}
