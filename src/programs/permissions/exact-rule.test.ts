import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exactRule } from './exact-rule.ts'
import { PermissionDecider } from './permission-rules.ts'

const ruleOf = (command: string, more: object = {}, tool = 'Bash') =>
  exactRule(tool, { command, ...more })

test('[X32] a rule names one plain command of Bash, word by word', () => {
  expect(ruleOf('npm test')).toEqual({ tool: 'Bash', pattern: 'npm test' })
  expect(ruleOf('  git  log\t"--oneline" \n', { description: 'x', timeout: 5 })).toEqual({
    tool: 'Bash',
    pattern: 'git log --oneline',
  })
})

test('[X32] no rule is made where none says just the command', () => {
  const commands = [
    'a; b',
    'a && b',
    'a | b',
    'ls *',
    "ls 'a b'",
    "ls ' a'",
    "ls 'a  '",
    ", '  .'",
    "ls ''",
    'ls $HOME',
    'a > b',
    '',
    'ls "a*"',
  ]
  expect(commands.map((command) => ruleOf(command))).toEqual(commands.map(() => undefined))
  expect(ruleOf('ls', { dangerouslyDisableSandbox: true })).toBeUndefined()
  expect(exactRule('WebFetch', { url: 'https://docs.example/a' })).toBeUndefined()
  expect(exactRule('Write', { file_path: 'a', content: 'b' })).toBeUndefined()
  expect(ruleOf('ls', {}, 'mcp__shell__run')).toBeUndefined()
})

test('[X32] the rules of programs read it as this command, and as no other', () => {
  const words = fc.stringMatching(/^[a-z@%+:,./=*'" -]{1,6}$/)
  const lines = fc.array(words, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(' '))
  fc.assert(
    fc.property(lines, lines, (line, other) => {
      const [rule, otherRule] = [ruleOf(line), ruleOf(other)]
      if (!rule) return
      const decider = new PermissionDecider({ allow: [`${rule.tool}(${rule.pattern})`] })
      expect(decider.decide('Bash', { command: line }).behavior).toBe('allow')
      const isSame = otherRule?.pattern === rule.pattern
      expect(decider.decide('Bash', { command: other }).behavior).toBe(isSame ? 'allow' : 'ask')
    }),
  )
})
