import type { LogRecord } from 'throughline/log'
import { expect, test } from 'vitest'
import { DOMAIN_RECORDS_MAX, EMPTY_VIEW, foldView } from './thread-view.ts'

const record = (seq: number, type: string, data: LogRecord['data']): LogRecord => ({
  seq,
  id: `${seq}`,
  thread: 't',
  ts: seq,
  type,
  data,
  origin: { source: 'ui', depth: 0 },
  v: 1,
  prev: '',
  hash: '',
})

test('facts of a domain are kept apart from agent activity, which becomes messages', () => {
  const view = [
    record(0, 'case_created', {}),
    record(1, 'TEXT_MESSAGE_START', { messageId: 'm', role: 'user' }),
    record(2, 'TEXT_MESSAGE_CONTENT', { messageId: 'm', delta: 'Hello' }),
    record(5, 'TEXT_MESSAGE_END', { messageId: 'm' }),
  ].reduce(foldView, EMPTY_VIEW)
  expect(view.domainRecords.map(({ type }) => type)).toEqual(['case_created'])
  expect(view.conversation.messages.map(({ text }) => text)).toEqual(['Hello'])
  expect(view.shown).toBe(4)
})

test('a page keeps only the latest records of a long thread', () => {
  const records = Array.from({ length: DOMAIN_RECORDS_MAX + 3 }, (_, seq) => record(seq, 'x', {}))
  const kept = records.reduce(foldView, EMPTY_VIEW).domainRecords
  expect(kept).toHaveLength(DOMAIN_RECORDS_MAX)
  expect(kept[0]?.seq).toBe(3)
})
