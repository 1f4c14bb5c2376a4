import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { COMMAND_CHARS_MAX, plainCommands } from './plain-commands.ts'

test.each([
  ['ls', [['ls']]],
  [
    "  curl -s 'http://localhost:1/cmd'  -d 'FACE happy'",
    [['curl', '-s', 'http://localhost:1/cmd', '-d', 'FACE happy']],
  ],
  ['r\'m\' -rf "a b"', [['rm', '-rf', 'a b']]],
  ["echo ''", [['echo', '']]],
  [
    'git add -A && git commit -m x; git push\nls | wc -l',
    [['git', 'add', '-A'], ['git', 'commit', '-m', 'x'], ['git', 'push'], ['ls'], ['wc', '-l']],
  ],
  ["curl -d 'a\nb' x", [['curl', '-d', 'a\nb', 'x']]],
  ['git log --format=%H', [['git', 'log', '--format=%H']]],
])('%j is read as its words', (line, commands) => {
  expect(plainCommands(line)).toEqual(commands)
})

test.each([
  'echo $HOME',
  'echo "$HOME"',
  'echo `id`',
  'echo "`id`"',
  'echo $(id)',
  'ls > file',
  'ls < file',
  'ls 2>&1',
  'sleep 9 &',
  'ls *',
  'ls ?',
  'ls [a]',
  'ls ~',
  'ls {a,b}',
  'ls # all',
  'ls \\\n-a',
  'r\\m x',
  "echo 'a",
  'echo "a',
  'echo "a\\"; id; "',
  'PATH=. ls',
  'ls; LD_PRELOAD=x ls',
  '(ls)',
  '! ls',
  'cat <<E\nx\nE',
  "echo $'x'",
  'echo "!1"',
  'ls\r',
  'ls \u00A0-a',
  'ls\0',
  "ls 'a\0@b'",
  'ls "a\0b"',
  'if ls',
  'ls; then rm x',
  'time ls',
  '',
  ' ',
  `ls ${'a'.repeat(COMMAND_CHARS_MAX)}`,
])('%j is not read: a shell may make something else of it', (line) => {
  expect(plainCommands(line)).toBeUndefined()
})

test('what is read is what a shell makes of it', () => {
  const piece = fc.constantFrom(
    'a',
    '-b',
    '/c',
    "'d e'",
    '"f g"',
    "''",
    'h=i',
    '$j',
    '`k`',
    '\\',
    '*',
    '~',
    '#',
    '&',
    '(',
    "'",
    '"',
    '>',
    '{1,2}',
    '!',
    ' ',
    ' ',
  )
  const lines = fc
    .array(piece, { maxLength: 8 })
    .map((pieces) => `printf '%s\\n' ${pieces.join('')}`)
  fc.assert(
    fc.property(lines, (line) => {
      const read = plainCommands(line)
      if (read?.length !== 1) return
      const [, , ...words] = read[0] ?? []
      const { status, stdout } = spawnSync('sh', ['-c', line], { encoding: 'utf8' })
      // A line that a shell cannot read does nothing.
      if (status === 2 && stdout === '') return
      expect(stdout).toBe(words.length === 0 ? '\n' : words.map((word) => `${word}\n`).join(''))
    }),
    { numRuns: 300 },
  )
})
