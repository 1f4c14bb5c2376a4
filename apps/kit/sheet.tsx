import { X } from 'lucide'
import type { ReactNode } from 'react'
import { useEffect, useId, useRef } from 'react'
import { IconButton } from './icon-button.tsx'
import styles from './sheet.module.css'
import type { SheetState } from './use-sheet.ts'
import { WORDS } from './words.ts'

export interface SheetProps {
  /** From `useSheet`. */
  readonly sheet: SheetState
  readonly title: string
  readonly note?: string
  /** `bottom`: over a phone's page. `middle`: a dialog on a larger screen. */
  readonly place?: 'bottom' | 'middle'
  /** `tall`: as high as it may get, so that new content does not move it. */
  readonly height?: 'content' | 'tall'
  /** Stays in view below what scrolls. */
  readonly foot?: ReactNode
  readonly children: ReactNode
}

/** A modal dialog. It keeps the focus inside and gives it back; Escape, Back and Close close it. */
export function Sheet({
  sheet,
  title,
  note,
  place = 'bottom',
  height = 'content',
  foot,
  children,
}: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  const { isOpen, close } = sheet
  useEffect(() => {
    if (isOpen) dialog.current?.showModal()
    else dialog.current?.close()
  }, [isOpen])
  return (
    <dialog
      ref={dialog}
      className={`${styles.sheet} ${styles[place]} ${height === 'tall' ? styles.tall : ''}`}
      aria-labelledby={heading}
      onClose={close}
      onClick={(event) => {
        // The content covers the whole dialog, so the target is the dialog only for its backdrop.
        if (event.target === dialog.current) close()
      }}
    >
      {isOpen && (
        <div className={styles.content}>
          <header className={styles.head}>
            <div>
              <h2 id={heading}>{title}</h2>
              {note !== undefined && <p className={styles.note}>{note}</p>}
            </div>
            <IconButton icon={X} label={WORDS.close} onClick={close} />
          </header>
          <div className={styles.body}>{children}</div>
          {foot !== undefined && <footer className={styles.foot}>{foot}</footer>}
        </div>
      )}
    </dialog>
  )
}
