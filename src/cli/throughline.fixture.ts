import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { programArguments } from '../../test/program.fixture.ts'
import { bareEnvironment } from '../../test/server-process.fixture.ts'

export const SECRET = 'a-secret-of-at-least-32-characters-0'

/** The command as a person runs it, in a process of its own. */
export async function throughline(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  const program = [...programArguments('throughline'), ...args]
  const options = { env: { ...bareEnvironment(), SECRET, ...env } }
  const run = promisify(execFile)(process.execPath, program, options)
  return run.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({
      code: Number(code),
      stdout: `${stdout}`,
      stderr: `${stderr}`,
    }),
  )
}
