import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

export const SECRET = 'a-secret-of-at-least-32-characters-0'

/** The command as a person runs it, in a process of its own. */
export async function throughline(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  const flags = ['--conditions=throughline-source', '--disable-warning=ExperimentalWarning']
  const main = new URL('./main.ts', import.meta.url).pathname
  const options = { env: { PATH: process.env['PATH'], SECRET, ...env } }
  const run = promisify(execFile)(process.execPath, [...flags, main, ...args], options)
  return run.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({
      code: Number(code),
      stdout: `${stdout}`,
      stderr: `${stderr}`,
    }),
  )
}
