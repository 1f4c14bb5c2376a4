import { AgentGrid } from '../team/console/grid/agent-grid.tsx'
import { Entries } from '../team/console/talk/conversation.tsx'
import { NeedsYou } from '../team/console/talk/needs-you.tsx'
import type { Job } from '../team/console/team-requests.ts'
import { UNKNOWN } from '../team/console/use-team.ts'
import type { LiveTeam } from '../team/console/use-team.ts'
import { EMPTY_VIEW } from '../team/console/view/team-view.ts'
import type { Entry } from '../team/console/view/talk.ts'
import type { TeamView } from '../team/console/view/team-view.ts'
import { Sample, Section } from './section.tsx'

const AGENT = {
  name: 'Lyra',
  status: 'alive',
  gridPosition: 0,
  color: '#c9b1e8',
  colorName: 'lilac',
  gender: 'woman',
  faceVariant: { eyes: 'round', mouth: 'cheerful' },
  individuationArtifact: '',
  createdAt: '2026-11-23T09:00:00.000Z',
  lastAliveAt: null,
  lastSessionId: null,
} as const

const SLEEPER = {
  ...AGENT,
  name: 'Orion',
  status: 'sleeping',
  gridPosition: 2,
  color: '#00afd1',
} as const

const SESSION = {
  id: 'team-2026-11-23-1',
  model: 'scripted',
  demoMode: true,
  startedAt: Date.UTC(2026, 10, 23, 9),
}
const AT = Date.UTC(2026, 10, 23, 9, 30)
const SUMMONS = { ts: AT, text: '', by: '', agent: 'Julian' }

const VIEW: TeamView = {
  ...EMPTY_VIEW,
  session: SESSION,
  waiting: [{ ...SUMMONS, uuid: 'summons', type: 'user_summon' }],
  agents: { 0: AGENT, 2: SLEEPER },
}

const team = (view: TeamView, more: Partial<LiveTeam> = {}): LiveTeam => ({
  ...UNKNOWN,
  status: 'live',
  tryNow: () => undefined,
  view,
  ...more,
})

const JOB = { description: '', contextDocs: '', skills: '', files: [], aboutYou: '' }
const JOBS: readonly Job[] = [
  { ...JOB, jobId: '1', name: 'Clerk', status: 'filled', assignedAgent: 'Lyra' },
  {
    ...JOB,
    jobId: '2',
    name: 'Cook',
    status: 'open',
    assignedAgent: null,
    offeredTo: ['Orion'],
  },
]

const CALL = { kind: 'call', state: 'done', startedAt: AT, endedAt: AT + 8_400, drawn: [] } as const
const ENTRIES: readonly Entry[] = [
  { kind: 'notice', key: 1, ts: AT, about: 'began', text: SESSION.id },
  { kind: 'person', key: 2, ts: AT, who: 'Ada', text: 'How far are you?', to: 'Lyra' },
  {
    kind: 'agent',
    key: 3,
    ts: AT,
    newest: 3,
    who: 'Lyra',
    to: 'Ada',
    parts: [
      { kind: 'said', key: 'a', text: 'I have read half of it.' },
      { kind: 'thought', key: 'b', text: 'The rest is in the other folder.' },
      {
        ...CALL,
        key: 'c',
        name: 'Bash',
        input: { command: 'npm test' },
        state: 'failed',
        output: '2 tests failed',
        parts: [],
      },
      {
        ...CALL,
        key: 'd',
        name: 'Edit',
        input: { file_path: 'total.ts', old_string: 'a\nb', new_string: 'a\nc' },
        output: 'Changed',
        parts: [],
      },
    ],
  },
  {
    kind: 'person',
    key: 5,
    ts: AT,
    who: 'Ada',
    text: 'Draw the Eiffel Tower.',
    to: null,
    undelivered: 'set_aside',
  },
  { kind: 'notice', key: 6, ts: AT, about: 'failed', text: 'The program ended' },
]

const ASKED = {
  request: 'a',
  toolName: 'Bash',
  input: JSON.stringify({ command: 'rm -r build\nnpm run build' }),
  digest: '',
  isWhole: true,
  folder: '/srv/shop',
}

/** What the team’s page is made of, besides the parts that all pages share. */
export function TeamSection() {
  return (
    <Section title="Team">
      <Sample of="AgentGrid, awake, asleep and hatching">
        <AgentGrid team={team(VIEW)} jobs={JOBS} panel={undefined} />
      </Sample>
      <Sample of="AgentGrid, checking">
        <AgentGrid
          team={team({ ...VIEW, waiting: [] }, { status: 'checking' })}
          jobs={[]}
          panel={undefined}
        />
      </Sample>
      <Sample of="Entries" width="whole">
        <Entries team={team({ ...VIEW, entries: ENTRIES })} shows="work" seen={undefined} />
      </Sample>
      <Sample of="NeedsYou" width="whole">
        <NeedsYou team={team(VIEW, { permissions: [ASKED] })} />
      </Sample>
    </Section>
  )
}
