import { Search, X } from 'lucide'
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import styles from './command-palette.module.css'
import type { Command, CommandGroup } from './commands.ts'
import { findCommands, labelParts } from './commands.ts'
import { IconButton } from './icon-button.tsx'
import { Icon } from './icon.tsx'
import { WORDS } from './words.ts'

export interface CommandSearchProps {
  readonly commands: () => readonly Command[]
  readonly onRun: (command: Command) => void
  readonly onClose: () => void
}

const WORDED = WORDS.palette
const TEXT_MAX = 200

/** A field to type in and the commands that match. The focus stays in the field. */
export function CommandSearch({ commands, onRun, onClose }: CommandSearchProps) {
  // The page's commands may change meanwhile; the choice must not move to another one.
  const [all] = useState(commands)
  const [text, setText] = useState('')
  const [asked, setActive] = useState(0)
  const { groups, count } = useMemo(() => findCommands(all, text), [all, text])
  const shown = groups.flatMap((group) => group.commands)
  const active = Math.min(asked, shown.length - 1)
  const list = useId()
  const act = (event: KeyboardEvent): void => {
    // Enter also ends a composed word.
    if (event.nativeEvent.isComposing) return
    const command = shown[active]
    const next = indexAfter(event.key, active, shown.length)
    if (event.key === 'Enter' && command) onRun(command)
    else if (next !== undefined) setActive(next)
    else return
    event.preventDefault()
  }
  return (
    <div className={styles.content}>
      <div className={styles.search}>
        <Icon shape={Search} />
        <input
          className={styles.field}
          role="combobox"
          aria-label={WORDED.name}
          aria-autocomplete="list"
          aria-expanded={shown.length > 0}
          aria-controls={shown.length > 0 ? list : undefined}
          aria-activedescendant={shown.length > 0 ? optionId(list, active) : undefined}
          autoComplete="off"
          spellCheck={false}
          maxLength={TEXT_MAX}
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setActive(0)
          }}
          onKeyDown={act}
        />
        <IconButton icon={X} label={WORDS.close} onClick={onClose} />
      </div>
      {shown.length > 0 && (
        <CommandList id={list} groups={groups} typed={text} active={active} onRun={onRun} />
      )}
      <div className={styles.foot}>
        <span role="status">{count === 0 ? WORDED.none : WORDED.found(shown.length, count)}</span>
        <span className={styles.keys}>{WORDED.help}</span>
      </div>
    </div>
  )
}

function indexAfter(key: string, active: number, count: number): number | undefined {
  if (count === 0) return undefined
  if (key === 'ArrowDown') return (active + 1) % count
  if (key === 'ArrowUp') return (active - 1 + count) % count
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : undefined
}

const optionId = (list: string, at: number): string => `${list}-${at}`

interface CommandListProps {
  readonly id: string
  readonly groups: readonly CommandGroup[]
  readonly typed: string
  readonly active: number
  readonly onRun: (command: Command) => void
}

function CommandList({ id, groups, typed, active, onRun }: CommandListProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    box.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [active, groups])
  const firsts = groups.map((_, at) =>
    groups.slice(0, at).reduce((sum, { commands }) => sum + commands.length, 0),
  )
  return (
    <div ref={box} id={id} className={styles.list} role="listbox" aria-label={WORDED.results}>
      {groups.map(({ name, commands }, group) => (
        <div key={name} role="group" aria-label={name}>
          <div className={styles.group} aria-hidden="true">
            {name}
          </div>
          {commands.map((command, within) => {
            const at = (firsts[group] ?? 0) + within
            return (
              <div
                key={optionId(id, at)}
                id={optionId(id, at)}
                role="option"
                aria-selected={at === active}
                className={styles.option}
                onClick={() => onRun(command)}
              >
                <Icon shape={command.icon} />
                <span className={styles.words}>
                  <CommandLabel label={command.label} typed={typed} />{' '}
                  {command.hint !== undefined && (
                    <span className={styles.hint}>{command.hint}</span>
                  )}
                </span>
              </div>
            )
          })}
        </div>
      ))}
    </div>
  )
}

function CommandLabel({ label, typed }: { readonly label: string; readonly typed: string }) {
  return (
    <span className={styles.label} dir="auto">
      {labelParts(label, typed).map(({ text, kind }, at) =>
        kind === 'matching' ? (
          <b key={at} className={styles.match}>
            {text}
          </b>
        ) : (
          text
        ),
      )}
    </span>
  )
}
