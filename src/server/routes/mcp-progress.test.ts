import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { MCP_PROGRESS_MS, MCP_SILENCE_MAX_MS, McpProgress } from './mcp-progress.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('progress joins the words of a moment, and tells that a silent turn still works', async () => {
  const sent: object[] = []
  const progress = new McpProgress(async (each) => void sent.push(each))
  progress.say('One ')
  progress.say('moment.')
  await vi.advanceTimersByTimeAsync(MCP_PROGRESS_MS)
  await vi.advanceTimersByTimeAsync(2 * MCP_SILENCE_MAX_MS + MCP_PROGRESS_MS)
  progress.say(' Done.')
  await progress.stop()
  await vi.advanceTimersByTimeAsync(2 * MCP_SILENCE_MAX_MS)
  expect(sent).toEqual([
    { progress: 1, message: 'One moment.' },
    { progress: 2 },
    { progress: 3 },
    { progress: 4, message: ' Done.' },
  ])
})

test('a client that has gone ends no turn', async () => {
  const progress = new McpProgress(() => Promise.reject(new Error('gone')))
  progress.say('x')
  await vi.advanceTimersByTimeAsync(MCP_PROGRESS_MS)
  await progress.stop()
})
