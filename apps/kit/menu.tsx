import type { IconNode } from 'lucide'
import { Menu as MenuIcon, X } from 'lucide'
import { useId, useRef } from 'react'
import { Icon } from './icon.tsx'
import { IconButton } from './icon-button.tsx'
import styles from './menu.module.css'
import { WORDS } from './words.ts'

export interface MenuItem {
  readonly key: string
  readonly icon: IconNode
  readonly title: string
  readonly text?: string
  /** A link leads somewhere, a choice does something. */
  readonly act: { readonly href: string } | { readonly onChoose: () => void }
}

export interface MenuProps {
  /** On the button that opens the menu. */
  readonly label: string
  readonly title: string
  readonly items: readonly MenuItem[]
}

/** A button that opens a list of links and acts: the browser's own popover. */
export function Menu({ label, title, items }: MenuProps) {
  const id = useId()
  const heading = useId()
  const popover = useRef<HTMLDivElement>(null)
  const hide = (): void => popover.current?.hidePopover()
  return (
    <>
      <button type="button" className={styles.opener} popoverTarget={id}>
        {label} <Icon shape={MenuIcon} />
      </button>
      <div
        ref={popover}
        id={id}
        popover="auto"
        role="group"
        className={styles.menu}
        aria-labelledby={heading}
      >
        <div className={styles.head}>
          <h2 id={heading}>{title}</h2>
          <IconButton icon={X} label={WORDS.close} onClick={hide} />
        </div>
        <ul className={styles.items}>
          {items.map((item) => (
            <li key={item.key} className={styles.item}>
              <MenuAct item={item} onChosen={hide} />
            </li>
          ))}
        </ul>
      </div>
    </>
  )
}

interface MenuActProps {
  readonly item: MenuItem
  readonly onChosen: () => void
}

function MenuAct({ item: { icon, title, text, act }, onChosen }: MenuActProps) {
  const content = (
    <>
      <span className={styles.dot}>
        <Icon shape={icon} />
      </span>
      <span>
        <b className={styles.title}>{title}</b>
        {text !== undefined && <span className={styles.text}>{text}</span>}
      </span>
    </>
  )
  if ('href' in act) {
    return (
      <a className={styles.act} href={act.href} onClick={onChosen}>
        {content}
      </a>
    )
  }
  const choose = (): void => {
    onChosen()
    act.onChoose()
  }
  return (
    <button type="button" className={styles.act} onClick={choose}>
      {content}
    </button>
  )
}
