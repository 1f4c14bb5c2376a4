import { ClientError } from 'throughline/client'
import { expect, test, vi } from 'vitest'
import { StateReader } from './state-reader.ts'

const noPause = () => Promise.resolve()

test('the state that is wanted during a reading is read afterwards', async () => {
  let readings = 0
  const release: (() => void)[] = []
  const reader = new StateReader({
    read: () =>
      new Promise((resolve) => {
        readings++
        release.push(() => resolve(readings))
      }),
    pause: noPause,
  })
  reader.want('1')
  reader.want('2')
  reader.want('3')
  expect(readings).toBe(1)
  release.shift()?.()
  await vi.waitFor(() => expect(readings).toBe(2))
  release.shift()?.()
  await vi.waitFor(() => expect(reader.getSnapshot()).toBe(2))
  expect(readings).toBe(2)
})

test('a reading that failed on the way is made again, one that is refused is not', async () => {
  const answers: (() => unknown)[] = [
    () => {
      throw new ClientError('network', 'Cannot ask')
    },
    () => 'state',
    () => {
      const problem = { type: '', title: '', status: 404, detail: '', code: 'not_found' }
      throw new ClientError('problem', 'Cannot ask', { problem })
    },
  ]
  let readings = 0
  const read = async () => String(answers[readings++]?.())
  const reader = new StateReader({ read, pause: noPause })
  reader.want('1')
  await vi.waitFor(() => expect(reader.getSnapshot()).toBe('state'))
  reader.want('2')
  await vi.waitFor(() => expect(readings).toBe(3))
  await new Promise((resolve) => setTimeout(resolve))
  expect(readings).toBe(3)
  expect(reader.getSnapshot()).toBe('state')
  answers.push(() => 'state of the case that is back')
  reader.want('2')
  await vi.waitFor(() => expect(reader.getSnapshot()).toBe('state of the case that is back'))
})
