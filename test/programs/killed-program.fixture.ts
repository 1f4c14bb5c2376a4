import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { programArguments } from '../program.fixture.ts'
import type { ProgramName } from '../program.fixture.ts'

/** Runs a program until it has printed so many lines, kills it, and returns its output. */
export async function killedAfter(
  program: ProgramName,
  { args, lines }: { readonly args: readonly string[]; readonly lines: number },
): Promise<string> {
  const stdio: ['ignore', 'pipe', 'inherit'] = ['ignore', 'pipe', 'inherit']
  const node = [...programArguments(program), ...args]
  const child = spawn(process.execPath, node, { stdio })
  const closed = once(child, 'close')
  let printed = ''
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    printed += String(chunk)
    if (printed.split('\n').length > lines) break
  }
  child.kill('SIGKILL')
  await closed
  return printed
}
