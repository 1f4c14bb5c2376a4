import { expect, test } from 'vitest'
import { Hash } from 'lucide'
import { GROUP_COMMANDS_MAX, findCommands, labelParts } from './commands.ts'

const record = (seq: number, text: string) => ({
  group: 'Records',
  label: `Record ${seq}: ${text}`,
  icon: Hash,
  run: () => undefined,
})
const labels = (found: ReturnType<typeof findCommands>) =>
  found.groups.map(({ name, commands }) => [name, ...commands.map(({ label }) => label)])

test('[surfaces 45] commands are found by every word of the text, in the label or the hint', () => {
  const commands = [
    { group: 'Go to', label: 'Audit', hint: 'Started 22 Nov', icon: Hash, run: () => undefined },
    record(4, 'Credit search granted'),
    record(5, 'Credit search refused'),
  ]
  expect(labels(findCommands(commands, ' SEARCH credit '))).toEqual([
    ['Records', 'Record 4: Credit search granted', 'Record 5: Credit search refused'],
  ])
  expect(labels(findCommands(commands, '22 nov'))).toEqual([['Go to', 'Audit']])
  expect(findCommands(commands, 'refund')).toEqual({ groups: [], count: 0 })
  expect(findCommands(commands, '').count).toBe(3)
})

test('[surfaces 45] a record is found by its number before records whose text has that number', () => {
  const commands = [record(2, 'Asks for £112'), record(112, 'Sent'), record(1_120, 'Sent')]
  expect(labels(findCommands(commands, '112'))).toEqual([
    ['Records', 'Record 112: Sent', 'Record 1120: Sent', 'Record 2: Asks for £112'],
  ])
})

test('a group shows a bounded number of commands and counts all of them', () => {
  const commands = Array.from({ length: 30 }, (_, seq) => record(seq, 'Sent'))
  const { groups, count } = findCommands(commands, 'sent')
  expect(groups[0]?.commands.length).toBe(GROUP_COMMANDS_MAX)
  expect(count).toBe(30)
})

const marked = (label: string, typed: string) =>
  labelParts(label, typed)
    .map(({ text, kind }) => (kind === 'matching' ? `[${text}]` : text))
    .join('')

test.each([
  ['Credit search granted', 'SEARCH cred', '[Cred]it [search] granted'],
  ['Record 112: sent 112', '112', 'Record [112]: sent [112]'],
  ['banana', 'ana an', 'b[anan]a'],
  ['Asks (again?)', '(again?', 'Asks [(again?])'],
  ['Start page', '', 'Start page'],
  ['Start page', 'x', 'Start page'],
  ['İstanbul', 'stan', 'İstanbul'],
  ['', 'a', ''],
])('[surfaces 45] in "%s", "%s" matches %s', (label, typed, parts) => {
  expect(marked(label, typed)).toBe(parts)
})
