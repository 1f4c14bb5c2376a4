import { useState } from 'react'
import { ArrowLeft } from 'lucide'
import {
  Button,
  ButtonRow,
  Form,
  Icon,
  LinkButton,
  TextField,
  errorAt,
  inBackground,
} from '../../../kit/index.ts'
import { EMPTY_JOB, JOB_FIELDS, jobBody } from './job-draft.ts'
import type { JobDraft } from './job-draft.ts'
import styles from './jobs.module.css'
import { PanelHead } from './panel-parts.tsx'
import { tell } from '../team-requests.ts'
import { panelLink } from '../use-panel.ts'
import type { TeamView } from '../view/team-view.ts'
import { useJobHelp } from './use-job-help.ts'
import { WORDS } from '../words.ts'

const LINES: readonly (keyof JobDraft)[] = ['description', 'contextDocs', 'files', 'aboutYou']

/** A new job. The team fills in the fields that are empty, when a person asks for it. */
export function JobForm({ view }: { readonly view: TeamView }) {
  const [draft, setDraft] = useState(EMPTY_JOB)
  const [errors, setErrors] = useState<readonly { field: string; message: string }[]>([])
  const help = useJobHelp(view.jobHelp, setDraft)
  const refuse = (message: string): void => setErrors([{ field: 'job-name', message }])
  const save = async (): Promise<void> => {
    if (draft.name.trim() === '') return refuse(WORDS.jobs.noName)
    const fault = await tell('/api/jobs', jobBody(draft))
    if (fault !== undefined) return refuse(fault)
    setErrors([])
    setDraft(EMPTY_JOB)
    help.forget()
    location.hash = panelLink('jobs')
  }
  return (
    <section aria-label={WORDS.jobs.newJob}>
      <PanelHead title={WORDS.jobs.newJob}>
        <LinkButton look="bare" href={panelLink('jobs')}>
          <Icon shape={ArrowLeft} /> {WORDS.jobs.heading}
        </LinkButton>
      </PanelHead>
      <div className={styles.form}>
        <Form errors={errors} onSubmit={() => inBackground(save())}>
          {JOB_FIELDS.map((field) => {
            const error = errorAt(errors, `job-${field}`)
            return (
              <TextField
                key={field}
                id={`job-${field}`}
                label={WORDS.jobs[field]}
                kind={LINES.includes(field) ? 'lines' : 'text'}
                value={draft[field]}
                onChange={(value) => setDraft((before) => ({ ...before, [field]: value }))}
                {...(error === undefined ? {} : { error })}
              />
            )
          })}
          <p className={styles.meta} role="status">
            {help.notice ?? WORDS.jobs.helpHint}
          </p>
          <ButtonRow>
            <Button
              look="quiet"
              readiness={help.isWaiting ? 'waiting' : 'ready'}
              unavailable={view.session ? undefined : WORDS.jobs.needsSession}
              onClick={() => inBackground(help.ask(draft))}
            >
              {WORDS.jobs.help}
            </Button>
            <Button look="quiet" type="submit">
              {WORDS.jobs.add}
            </Button>
          </ButtonRow>
        </Form>
      </div>
    </section>
  )
}
