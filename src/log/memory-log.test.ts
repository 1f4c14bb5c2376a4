import { hash, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { eventLogContract } from './log.contract.ts'
import { MemoryLog } from './memory-log.ts'

const sha256 = (text: string) => hash('sha256', text, 'hex')
const open = () => new MemoryLog({ hash: sha256, now: () => 1_000, id: randomUUID })

for (const { name, run } of eventLogContract(open)) test(name, run)

test('a memory log has an epoch of its own unless it is given one', () => {
  expect(open().epoch).not.toBe(open().epoch)
  const given = new MemoryLog({ hash: sha256, now: () => 0, id: randomUUID, epoch: 'e' })
  expect(given.epoch).toBe('e')
})

test('a hash that is not hex SHA-256 is refused at once', () => {
  const md5 = (text: string) => hash('md5', text, 'hex')
  expect(() => new MemoryLog({ hash: md5, now: () => 0, id: randomUUID })).toThrow('SHA-256')
})
