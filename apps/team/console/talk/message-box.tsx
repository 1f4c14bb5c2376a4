import { ArrowUp, LoaderCircle, Users } from 'lucide'
import { useId, useState } from 'react'
import { Button, Icon, VisuallyHidden, inBackground, useDraft } from '../../../kit/index.ts'
import { LEAD_NAME } from '../../events/grid.ts'
import { KnownFace } from '../grid/known-face.tsx'
import { tell } from '../team-requests.ts'
import type { LiveTeam } from '../use-team.ts'
import type { TeamView } from '../view/team-view.ts'
import { isHeld } from '../view/standing.ts'
import { WORDS } from '../words.ts'
import styles from './message-box.module.css'

const NOTHING = { text: '' }

export interface MessageBoxProps {
  readonly team: LiveTeam
  /** The agent that the message is for; empty for the team. */
  readonly target: string
  readonly onTarget: (name: string) => void
  readonly onSent: () => void
}

/** Writes to the team or to one agent. The text stays until the server has it. */
export function MessageBox({ team, target, onTarget, onSent }: MessageBoxProps) {
  const { view, status } = team
  const id = useId()
  const { text, setDraft, fault, isSending, send } = useMessage({ team, target, onSent })
  // The program works on the first, unless the budget keeps it from that.
  const waiting = Math.max(0, view.waiting.length - (isHeld(team) ? 0 : 1))
  return (
    <form
      className={styles.box}
      onSubmit={(event) => {
        event.preventDefault()
        inBackground(send())
      }}
    >
      <Targets view={view} target={target} onTarget={onTarget} />
      <div className={styles.write}>
        <VisuallyHidden>
          <label htmlFor={id}>{WORDS.chat.message}</label>
        </VisuallyHidden>
        <textarea
          id={id}
          data-message-box
          rows={1}
          dir="auto"
          placeholder={WORDS.chat.placeholder}
          value={text}
          onChange={(event) => setDraft({ text: event.target.value })}
          onKeyDown={(event) => {
            // A word that is still being composed ends with Enter.
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
            event.preventDefault()
            inBackground(send())
          }}
        />
        <Button
          type="submit"
          readiness={isSending ? 'busy' : 'ready'}
          {...(status === 'lost' && { unavailable: '' })}
        >
          <Icon shape={ArrowUp} /> <span className={styles.send}>{WORDS.chat.send}</span>
        </Button>
      </div>
      <p className={styles.keys}>
        {waiting > 0 && (
          <span>
            <Icon shape={LoaderCircle} />{' '}
            {isHeld(team) ? WORDS.chat.held(waiting) : WORDS.chat.waits(waiting)}
          </span>
        )}
        {status === 'lost' && <span>{WORDS.chat.kept}</span>}
        <span className={styles.push}>{WORDS.chat.keys}</span>
      </p>
      {fault !== undefined && (
        <p role="alert" className={styles.fault}>
          {WORDS.chat.notSent} {fault}
        </p>
      )}
    </form>
  )
}

/** A message until the server has it. */
function useMessage({ team, target, onSent }: Omit<MessageBoxProps, 'onTarget'>) {
  const [{ text }, setDraft, forgetDraft] = useDraft('team-message', NOTHING)
  const [fault, setFault] = useState<string>()
  const [isSending, setSending] = useState(false)
  const send = async (): Promise<void> => {
    const message = text.trim()
    if (message === '' || isSending || team.status === 'lost') return
    setSending(true)
    const to = target === '' ? {} : { targetAgent: target }
    const failed = await tell('/api/send', { id: crypto.randomUUID(), message, ...to })
    setSending(false)
    setFault(failed)
    if (failed !== undefined) return
    setDraft(NOTHING)
    forgetDraft()
    onSent()
  }
  return { text, setDraft, fault, isSending, send }
}

type TargetsProps = Pick<MessageBoxProps, 'target' | 'onTarget'> & { readonly view: TeamView }

function Targets({ view, target, onTarget }: TargetsProps) {
  const awake = Object.values(view.agents).filter(({ status }) => status === 'alive')
  const names = ['', ...awake.map(({ name }) => name)]
  if (target !== '' && !names.includes(target)) names.push(target)
  if (names.length === 1) return null
  return (
    <fieldset className={styles.to}>
      <legend>{WORDS.chat.target}</legend>
      {names.map((name) => (
        <label key={name}>
          <input type="radio" name="to" checked={name === target} onChange={() => onTarget(name)} />
          {name === '' ? (
            <Icon shape={Users} />
          ) : (
            <KnownFace agents={view.agents} name={name} size="tiny" />
          )}
          <span>{name === '' ? WORDS.chat.everyone : name}</span>
        </label>
      ))}
    </fieldset>
  )
}

/** A name that the person may write to: the lead is the team's. */
export function targetOf(name: string): string {
  return name === LEAD_NAME ? '' : name
}
