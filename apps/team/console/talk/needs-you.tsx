import { Hand } from 'lucide'
import { useId, useState } from 'react'
import { Button, Icon, ShownText, TextField, inBackground } from '../../../kit/index.ts'
import { LEAD_NAME } from '../../events/grid.ts'
import { KnownFace } from '../grid/known-face.tsx'
import { tell } from '../team-requests.ts'
import type { Permission } from '../team-requests.ts'
import type { LiveTeam } from '../use-team.ts'
import { workingAgent } from '../view/team-view.ts'
import { WORDS } from '../words.ts'
import { questionsOf } from './asked-questions.ts'
import styles from './needs-you.module.css'
import { Counting } from './now.tsx'
import { besideCommand, commandOf, factsOf } from './permission-facts.ts'
import { QuestionForm } from './question-form.tsx'

/** The server takes a reason of at most 200 characters. */
const REASON_CHARS_MAX = 200

/** The calls that the program wants allowed, one at a time. It waits until a person answers. */
export function NeedsYou({ team }: { readonly team: LiveTeam }) {
  const { permissions } = team
  const [at, setAt] = useState(0)
  const heading = useId()
  const [fault, setFault] = useState<string>()
  const shown = permissions[Math.min(at, permissions.length - 1)]
  if (!shown) return <NotTaken fault={fault} onClose={() => setFault(undefined)} />
  const number = permissions.indexOf(shown) + 1
  return (
    <section className={styles.ask} id="needs-you" aria-labelledby={heading} tabIndex={-1}>
      <p className={styles.head}>
        <Icon shape={Hand} /> <b id={heading}>{WORDS.needsYou.heading}</b>
        <span>{WORDS.needsYou.of(number, permissions.length)}</span>
        {permissions.length > 1 && (
          <Button look="bare" onClick={() => setAt(number % permissions.length)}>
            {WORDS.needsYou.next}
          </Button>
        )}
        {shown.ts !== undefined && (
          <span className={styles.push}>
            {WORDS.needsYou.waits('')} <Counting since={shown.ts} />
          </span>
        )}
      </p>
      <Asked key={shown.request} team={team} permission={shown} onFault={setFault} />
      <NotTaken fault={fault} onClose={() => setFault(undefined)} />
    </section>
  )
}

/** Why an answer was not taken: somebody else may have answered first. */
function NotTaken(props: { readonly fault: string | undefined; readonly onClose: () => void }) {
  if (props.fault === undefined) return null
  return (
    <p role="alert" className={styles.notTaken}>
      {props.fault}{' '}
      <Button look="bare" onClick={props.onClose}>
        {WORDS.needsYou.close}
      </Button>
    </p>
  )
}

interface AskedProps {
  readonly team: LiveTeam
  readonly permission: Permission
  readonly onFault: (fault: string | undefined) => void
}

function Asked(props: AskedProps) {
  const { permission } = props
  const questions = permission.isWhole ? questionsOf(permission) : []
  if (questions.length === 0) return <ToolApproval {...props} />
  return (
    <div className={styles.body}>
      <h3>{WORDS.questions.heading}</h3>
      <QuestionForm permission={permission} questions={questions} />
    </div>
  )
}

function ToolApproval({ team: { view, status }, permission, onFault }: AskedProps) {
  const { toolName, input, isWhole, folder, parentToolUseId } = permission
  const name = workingAgent(view) ?? LEAD_NAME
  const command = commandOf(permission)
  const isCommand = command !== undefined
  return (
    <div className={styles.body}>
      <div className={styles.who}>
        <KnownFace agents={view.agents} name={name} size="middle" />
        <div>
          <h3>
            {isCommand ? WORDS.needsYou.command(name) : WORDS.needsYou.question(name, toolName)}
          </h3>
          <p className={styles.meta}>
            {folder !== undefined && (
              <>
                {WORDS.needsYou.inFolder} <code dir="ltr">{folder}</code>{' '}
              </>
            )}
            {parentToolUseId !== undefined && WORDS.needsYou.forHelper}
          </p>
        </div>
      </div>
      {isCommand && (
        <pre className={styles.whole} tabIndex={0} role="region" aria-label={WORDS.needsYou.whole}>
          <ShownText text={command} />
        </pre>
      )}
      <Facts facts={isCommand ? besideCommand(input) : factsOf(input)} />
      {!isWhole && <p className={styles.warning}>{WORDS.needsYou.tooLong}</p>}
      <Answers permission={permission} isLost={status === 'lost'} onFault={onFault} />
    </div>
  )
}

function Facts({ facts }: { readonly facts: ReturnType<typeof factsOf> }) {
  if (facts.length === 0) return null
  return (
    <dl className={styles.facts} tabIndex={0} role="region" aria-label={WORDS.needsYou.input}>
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <ShownText text={value} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

interface AnswersProps extends Pick<AskedProps, 'permission' | 'onFault'> {
  readonly isLost: boolean
}

function Answers({ permission, isLost, onFault }: AnswersProps) {
  const { request, digest, isWhole, always } = permission
  const [isSaying, setSaying] = useState(false)
  const [why, setWhy] = useState('')
  const answer = async (given: Given): Promise<void> => {
    onFault(await tell('/api/permissions', { request, digest, ...given }))
  }
  const say = (given: Given): void => inBackground(answer(given))
  const lost = isLost ? { unavailable: '' } : {}
  return (
    <div className={styles.answers}>
      <Button look="equal" {...lost} onClick={() => say({ approved: false })}>
        {WORDS.needsYou.no}
      </Button>
      {isWhole && (
        <Button look="equal" {...lost} onClick={() => say({ approved: true })}>
          {WORDS.needsYou.yes}
        </Button>
      )}
      {always && !isLost && (
        <Button look="bare" onClick={() => say({ approved: true, always: true })}>
          {WORDS.needsYou.always}
        </Button>
      )}
      {!isSaying && !isLost && (
        <Button look="bare" onClick={() => setSaying(true)}>
          {WORDS.needsYou.sayWhy}
        </Button>
      )}
      <span className={styles.meta} data-lost={isLost || undefined}>
        {isLost ? WORDS.needsYou.lost : WORDS.needsYou.nothingRuns}
      </span>
      {isSaying && (
        <div className={styles.why}>
          <TextField
            id={`why-${request}`}
            label={WORDS.needsYou.why}
            hint={WORDS.needsYou.whyHint}
            value={why}
            maxLength={REASON_CHARS_MAX}
            onChange={setWhy}
          />
          <Button look="equal" {...lost} onClick={() => say({ approved: false, message: why })}>
            {WORDS.needsYou.no}
          </Button>
        </div>
      )}
    </div>
  )
}

interface Given {
  readonly approved: boolean
  readonly always?: true
  readonly message?: string
}
