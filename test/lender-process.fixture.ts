import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import { programArguments } from './program.fixture.ts'
import { bareEnvironment } from './server-process.fixture.ts'

export interface Told {
  readonly key: string
  readonly lender: string
  readonly brokerCaseId: string
  readonly decision: string
  readonly requests: number
}

export interface LenderProcess {
  readonly url: string
  /** The lenders' decisions, oldest first. */
  decisions(): Promise<readonly Told[]>
  /** Replaces what goes wrong from now on. */
  suffer(...faults: readonly object[]): Promise<void>
  end(): void
}

/** The lender simulator in a process of its own, until it is ended. */
export async function launchLender(env: Readonly<Record<string, string>> = {}) {
  const child = launch(env)
  let output = ''
  for await (const chunk of child.stdout) {
    output += String(chunk)
    const url = /lender ready (\S+)/.exec(output)?.[1]
    if (url === undefined) continue
    child.stdout.resume()
    return { ...lenderAt(url), end: () => void child.kill('SIGKILL') }
  }
  throw new Error(`Cannot start the lender: ${output}`)
}

/** Starts a lender process that ends with the test. */
export async function startLender(env: Readonly<Record<string, string>> = {}) {
  const lender = await launchLender(env)
  onTestFinished(lender.end)
  return lender
}

/** Runs a simulator that is expected to exit, and resolves with its reason. */
export async function failToStartLender(env: Readonly<Record<string, string>>) {
  const child = launch(env)
  let said = ''
  child.stderr.on('data', (chunk) => (said += String(chunk)))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, said }
}

function launch(env: Readonly<Record<string, string>>) {
  return spawn(process.execPath, programArguments('lender'), {
    env: { ...bareEnvironment(), PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

function lenderAt(url: string): Omit<LenderProcess, 'end'> {
  return {
    url,
    async decisions() {
      const response = await fetch(`${url}/decisions`)
      const { decisions } = (await response.json()) as { decisions: readonly Told[] }
      return decisions
    },
    async suffer(...faults) {
      await fetch(`${url}/faults`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(faults),
      })
    },
  }
}
