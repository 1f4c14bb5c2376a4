import { AgentGrid } from '../team/console/agent-grid.tsx'
import { Said } from '../team/console/conversation.tsx'
import { EMPTY_VIEW } from '../team/console/team-view.ts'
import type { Job } from '../team/console/team-requests.ts'
import type { TeamItem, TeamView } from '../team/console/team-view.ts'
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

const VIEW: TeamView = {
  ...EMPTY_VIEW,
  session: { id: 'team-2026-11-23-1', model: 'scripted', demoMode: true },
  waiting: [{ uuid: 'summons', type: 'user_summon' }],
  agents: { 0: AGENT, 2: SLEEPER },
}

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

const SAID: readonly TeamItem[] = [
  { key: 1, by: 'person', who: 'Ada', text: 'How far are you?', calls: [], to: 'Lyra', depth: 0 },
  {
    key: 2,
    by: 'agent',
    who: 'Lyra',
    text: 'I have read half of it.',
    calls: [],
    to: null,
    depth: 0,
  },
  { key: 3, by: 'agent', who: '', text: '', calls: ['Read', 'Write'], to: null, depth: 0 },
  {
    key: 5,
    by: 'person',
    who: 'Ada',
    text: 'Draw the Eiffel Tower.',
    calls: [],
    to: null,
    depth: 0,
    undelivered: 'set_aside',
  },
  { key: 4, by: 'notice', who: '', text: 'The program ended', calls: [], to: null, depth: 0 },
]

/** What the team’s page is made of, besides the parts that all pages share. */
export function TeamSection() {
  return (
    <Section title="Team">
      <Sample of="AgentGrid, awake, asleep and hatching">
        <AgentGrid view={VIEW} status="live" jobs={JOBS} />
      </Sample>
      <Sample of="AgentGrid, checking">
        <AgentGrid view={{ ...VIEW, waiting: [] }} status="checking" jobs={[]} />
      </Sample>
      <Sample of="Said" width="whole">
        {SAID.map((item) => (
          <Said key={item.key} item={item} />
        ))}
      </Sample>
    </Section>
  )
}
