import { expect, test } from 'vitest'
import type { SessionEvent } from 'throughline/server/extend'
import { TeamReader } from './index.ts'
import { gave } from './said.fixture.ts'

function read(event: SessionEvent) {
  const parts = { folder: '/team', screenPort: 3848, artifacts: [], usesModel: true }
  return new TeamReader(parts).take(event)
}

test.each([
  [`curl -s -X POST http://localhost:3848/cmd -d 'FACE happy'`, 'FACE happy', 'happy'],
  [`curl localhost:3848/cmd -d "BG night\nFACE on sad"`, 'BG night\nFACE on sad', 'sad'],
  [`curl http://127.0.0.1:3848/cmd --data-raw 'FACE off'`, 'FACE off', undefined],
  [`curl 'http://[::1]:3848/cmd' -d 'BG night'`, 'BG night', undefined],
  [`curl localhost:3848/cmd --data-binary @- <<'END'\nT hello\nEND`, 'T hello', undefined],
  [`curl localhost:3848/cmd -d @- <<'END' && ls\nT it's me\nEND\nls`, "T it's me", undefined],
  [`curl localhost:3848/cmd -d @- <<< 'T hello'`, 'T hello', undefined],
  [`curl localhost:3848/cmd --data-binary $'CLR\\nT a\\'b'`, "CLR\nT a'b", undefined],
  [`curl -sd CLR localhost:3848/cmd`, 'CLR', undefined],
  [`echo 'FACE happy' | curl --data-binary @- localhost:3848/cmd`, 'FACE happy', 'happy'],
  [
    `printf '%s\\n' 'BG night' "T 5%" |\n curl localhost:3848/cmd -d @-`,
    'BG night\nT 5%',
    undefined,
  ],
  [
    `cat <<EOF | curl -s localhost:3848/cmd --data-binary @-\nCLR\nT hi\nEOF`,
    'CLR\nT hi',
    undefined,
  ],
  [`bash -c "curl localhost:3848/cmd -d 'T hello'"`, 'T hello', undefined],
  [`cd memory && curl example.com -d 'x'; curl localhost:3848/cmd -d 'CLR'`, 'CLR', undefined],
])('[D073] [D053] [D054] [D138] the screen command of %s', (shell, command, expression) => {
  const [, screen] = read(gave('Bash', { command: shell }))
  expect(screen).toEqual({
    type: 'screen_command',
    data: expression === undefined ? { command } : { command, expression },
  })
})

test('each request of a shell call to the screen is a command of its own', () => {
  const command = `curl localhost:3848/cmd -d 'BG night' && curl localhost:3848/cmd \\
  -d 'COL 3' -d 'DOT 1 2'\ncurl 'localhost:3848/cmd' -d "T Good night" # the end\n`
  const [, ...drawn] = read(gave('Bash', { command }))
  expect(drawn.map(({ data }) => data)).toEqual([
    { command: 'BG night' },
    { command: 'COL 3\nDOT 1 2' },
    { command: 'T Good night' },
  ])
})

test('another command, another port and a failed call are no screen commands', () => {
  const derived = [
    ...read(gave('Bash', { command: 'ls memory' })),
    ...read(gave('Bash', { command: `curl localhost:3849/cmd -d 'FACE sad'` })),
    ...read(gave('Bash', { command: `curl localhost:3848/cmd -d 'FACE sad'` }, { isError: true })),
    ...read(gave('Bash', { command: `echo "curl localhost:3848/cmd -d 'FACE sad'"` })),
    ...read(gave('Bash', { command: `curl example.com -d 'FACE sad'; curl localhost:3848/cmd` })),
    ...read(gave('Bash', { command: `curl localhost:3848/cmd -d @drawing.txt` })),
  ]
  expect(derived.map(({ type }) => type)).toEqual(Array(6).fill('claude_tool_result'))
})
