import { expect, test } from 'vitest'
import { START, documentsAfter, file } from './documents-after.fixture.ts'
import type { Said } from './documents-after.fixture.ts'

test('[D047] an offer stands on its job until an agent takes or declines it', async () => {
  const ids = ['1', '2'].map((end) => `018f0000-0000-7000-8000-00000000000${end}`)
  const [cook, baker] = ids
  const offers = async (...acts: readonly Said[]) => {
    const { documents } = await documentsAfter(
      file(),
      START,
      ['ui', 'job_saved', { id: cook, name: 'Cook' }],
      ['ui', 'job_saved', { id: baker, name: 'Baker' }],
      ['process', 'agent_work_offered', { agentName: 'Lyra', jobNames: ['Cook', 'Baker'] }],
      ['process', 'agent_work_offered', { agentName: 'Lyra', jobNames: ['Cook', 'Clerk'] }],
      ['process', 'agent_work_offered', { agentName: 'Orion', jobNames: ['Cook'] }],
      ...acts,
    )
    return documents.flatMap((each) => (each.type === 'job' ? [each.offeredTo] : []))
  }
  expect(await offers()).toEqual([['Lyra', 'Orion'], ['Lyra']])
  const declined: Said = ['ui', 'offer_declined', { jobId: cook, agentName: 'Orion' }]
  expect(await offers(declined)).toEqual([['Lyra'], ['Lyra']])
  const taken: Said = ['ui', 'job_saved', { id: baker, name: 'Baker', assignedAgent: 'Lyra' }]
  expect(await offers(taken)).toEqual([['Orion'], []])
})
