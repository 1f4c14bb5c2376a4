import { Phone } from 'lucide'
import { Icon } from '../../../kit/index.ts'
import { useFirm } from '../use-firm.ts'
import styles from './free-help.module.css'

/** Independent services that help with money, each with the quickest way to it. */
export function FreeHelp() {
  const firm = useFirm()
  if (!firm || firm.freeHelp.length === 0) return null
  return (
    <ul className={styles.services}>
      {firm.freeHelp.map(({ name, website, phone }) => (
        <li key={name} className={styles.service}>
          <div>
            <b className={styles.name}>{name}</b>
            <a href={`https://www.${website}`} target="_blank" rel="noopener noreferrer">
              {website}
            </a>
          </div>
          {phone !== undefined && (
            <a className={styles.call} href={`tel:${phone.replaceAll(' ', '')}`}>
              <Icon shape={Phone} /> <bdi>{phone}</bdi>
            </a>
          )}
        </li>
      ))}
    </ul>
  )
}
