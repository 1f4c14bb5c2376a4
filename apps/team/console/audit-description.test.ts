import { expect, test } from 'vitest'
import type { Json } from 'throughline/client'
import { tellRecords } from '../../studio/story/index.ts'
import { recordNamed } from '../../studio/story/record-named.fixture.ts'
import { teamDomain } from '../events/index.ts'
import { teamDescription } from './audit-description.ts'

const sentenceOf = (type: string, data: Json): string =>
  tellRecords([recordNamed(type, data)], teamDescription.tellings)
    .flatMap(({ sentences }) => sentences)
    .join(' ')

test.each([
  ['user_message', { speakerName: 'Ada', text: ' Draw a lamp ' }, 'Ada: “Draw a lamp”'],
  ['auth_state', { authMethod: 'none' }, 'No sign-in is set for the program'],
  ['auth_state', { authMethod: 'setup_token' }, 'The program signs in by setup token'],
  ['session_end', { reason: 'user_ended' }, 'The session ended: user ended'],
  ['agent_registered', { agent: { name: 'Lamp' } }, 'The agent Lamp was added'],
  [
    'agent_work_offered',
    { agentName: 'Lamp', jobNames: ['draw', 'paint'] },
    'Lamp was offered: draw, paint',
  ],
  [
    'claude_text',
    {
      content: [
        { type: 'text', text: 'I will' },
        { type: 'thinking', thinking: 'Hm' },
      ],
    },
    'The lead: “I will”',
  ],
  ['claude_text', { content: [{ type: 'tool_use' }] }, 'The lead worked without words'],
  ['permission_answered', { approved: false }, 'The call was refused'],
  ['permission_answered', { approved: true }, 'The call was approved'],
])('%s of the team reads "%s"', (type, data, expected) => {
  expect(sentenceOf(type, data)).toBe(expected)
})

test('every event type of the team has a sentence of its own', () => {
  expect(Object.keys(teamDescription.tellings).toSorted()).toEqual(
    [...teamDomain.events.keys()].toSorted(),
  )
})
