import { Briefcase, FileText, Gauge, History, MessageSquare, Users } from 'lucide'
import type { IconNode } from 'lucide'
import { useEffect, useRef } from 'react'
import { Icon, VisuallyHidden } from '../../../kit/index.ts'
import type { AllowedRule, Job } from '../team-requests.ts'
import type { LiveTeam } from '../use-team.ts'
import { panelLink } from '../use-panel.ts'
import type { Panel, PanelName } from '../use-panel.ts'
import { WORDS } from '../words.ts'
import { AgentSheet } from './agent-sheet.tsx'
import { Documents } from './documents.tsx'
import { JobForm } from './job-form.tsx'
import { Jobs } from './jobs.tsx'
import styles from './pane.module.css'
import { ScreenPanel } from './screen-panel.tsx'
import { Sessions } from './sessions.tsx'
import { Usage } from './usage.tsx'

export interface PaneProps {
  readonly team: LiveTeam
  readonly kept: {
    readonly jobs: readonly Job[]
    readonly rules: readonly AllowedRule[]
  }
  /** What the address names; on a wide page documents stand there without it. */
  readonly panel: Panel | undefined
  readonly onWriteTo: (name: string) => void
}

/** One thing beside the conversation, and the way to the others. */
export function Pane(props: PaneProps) {
  const { team, kept, panel } = props
  return (
    <aside className={styles.pane} aria-label={WORDS.tabs.beside}>
      <Tabs team={team} kept={kept} panel={panel} />
      <div className={styles.panels} data-open={panel !== undefined || undefined}>
        <Shown {...props} />
      </div>
    </aside>
  )
}

function Shown(props: PaneProps) {
  const { panel } = props
  const panelOf = useRef<HTMLDivElement>(null)
  const key = panel ? `${panel.name} ${panel.of}` : ''
  useEffect(() => {
    if (key !== '') panelOf.current?.querySelector('h2')?.focus({ preventScroll: true })
  }, [key])
  return (
    <div ref={panelOf} className={styles.panel}>
      <PanelOf {...props} />
    </div>
  )
}

function PanelOf({ team, kept, panel, onWriteTo }: PaneProps) {
  const { jobs, rules } = kept
  switch (panel?.name) {
    case 'agent':
      return <AgentSheet team={team} jobs={jobs} name={panel.of} onWriteTo={onWriteTo} />
    case 'jobs':
      return <Jobs view={team.view} jobs={jobs} />
    case 'new-job':
      return <JobForm view={team.view} />
    case 'sessions':
      return <Sessions team={team} session={panel.of} />
    case 'usage':
      return <Usage team={team} rules={rules} />
    case 'screen':
      return <ScreenPanel commands={team.view.commands} />
    case 'documents':
    case undefined:
      return <Documents view={team.view} shown={panel?.of ?? ''} />
  }
}

interface Tab {
  readonly name: PanelName
  readonly label: string
  readonly icon: IconNode
  readonly count?: number
}

function Tabs({ team, kept, panel }: Pick<PaneProps, 'team' | 'kept' | 'panel'>) {
  const { view, permissions } = team
  const current = panel?.name === 'new-job' ? 'jobs' : panel?.name
  const tabs: readonly Tab[] = [
    { name: 'agent', label: WORDS.agent.heading, icon: Users },
    {
      name: 'documents',
      label: WORDS.documents.heading,
      icon: FileText,
      count: view.artifacts.length,
    },
    { name: 'jobs', label: WORDS.jobs.heading, icon: Briefcase, count: kept.jobs.length },
    { name: 'sessions', label: WORDS.sessions.heading, icon: History },
    { name: 'usage', label: WORDS.usage.heading, icon: Gauge },
  ]
  return (
    <nav className={styles.tabs} aria-label={WORDS.tabs.label}>
      <a
        href="#talk"
        className={styles.onlySmall}
        aria-current={current === undefined ? 'page' : undefined}
      >
        <Icon shape={MessageSquare} />
        <span>{WORDS.tabs.talk}</span>
        {permissions.length > 0 && (
          <span className={styles.need}>
            {permissions.length}
            <VisuallyHidden> {WORDS.tabs.needsYou(permissions.length)}</VisuallyHidden>
          </span>
        )}
      </a>
      {tabs.map(({ name, label, icon, count = 0 }) => (
        <a
          key={name}
          href={panelLink(name)}
          className={name === 'agent' ? styles.onlyLarge : ''}
          data-default={(name === 'documents' && current === undefined) || undefined}
          aria-current={name === current ? 'page' : undefined}
        >
          <Icon shape={icon} />
          <span>{label}</span>
          {count > 0 && <span className={styles.count}>{count}</span>}
        </a>
      ))}
    </nav>
  )
}
