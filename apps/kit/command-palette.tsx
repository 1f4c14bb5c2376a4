import { Search } from 'lucide'
import { useEffect, useRef, useState } from 'react'
import { CommandSearch } from './command-search.tsx'
import styles from './command-palette.module.css'
import type { Command } from './commands.ts'
import { Icon } from './icon.tsx'
import { WORDS } from './words.ts'

export interface CommandPaletteProps {
  /** Called when the palette opens; the list then stays as it is. */
  readonly commands: () => readonly Command[]
  /** `where there is room`: in a full header, the button is its icon alone on a narrow page. */
  readonly label?: 'always' | 'where there is room'
}

const WORDED = WORDS.palette

/** A button and the keys Ctrl K, on a Mac Cmd K, open a dialog that finds and runs commands. */
export function CommandPalette({ commands, label = 'always' }: CommandPaletteProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [isOpen, setOpen] = useState(false)
  const open = (): void => setOpen(true)
  const close = (): void => dialog.current?.close()
  useEffect(() => {
    if (isOpen) dialog.current?.showModal()
  }, [isOpen])
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!isPaletteKey(event)) return
      event.preventDefault()
      if (dialog.current?.open === true) dialog.current.close()
      else setOpen(true)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  const run = (command: Command): void => {
    // Closing gives the focus back first, so that a command can move it.
    close()
    command.run()
  }
  return (
    <>
      <button
        type="button"
        className={`${styles.opener} ${label === 'always' ? '' : styles.inFullHeader}`}
        aria-keyshortcuts={isMac() ? 'Meta+K' : 'Control+K'}
        aria-haspopup="dialog"
        onClick={open}
      >
        <Icon shape={Search} />
        <span className={styles.openerLabel}>{WORDED.name}</span>{' '}
        <kbd className={styles.key}>{isMac() ? WORDED.keysOnMac : WORDED.keys}</kbd>
      </button>
      <dialog
        ref={dialog}
        className={styles.dialog}
        aria-label={WORDED.name}
        onClose={() => {
          returnCaret()
          setOpen(false)
        }}
        onClick={(event) => {
          // The content covers the whole dialog, so the target is the dialog only for its backdrop.
          if (event.target === dialog.current) close()
        }}
      >
        {isOpen && <CommandSearch commands={commands} onRun={run} onClose={close} />}
      </dialog>
    </>
  )
}

/** Chromium gives the focus back to a field but may leave the caret in the dialog: typed text is lost then. */
function returnCaret(): void {
  const focused = document.activeElement
  if (!(focused instanceof HTMLInputElement || focused instanceof HTMLTextAreaElement)) return
  focused.blur()
  focused.focus({ preventScroll: true })
}

function isPaletteKey({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean {
  if (key.toLowerCase() !== 'k' || shiftKey || altKey) return false
  // On a Mac Ctrl K deletes to the end of a line of text.
  return isMac() ? metaKey && !ctrlKey : ctrlKey && !metaKey
}

function isMac(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent)
}
