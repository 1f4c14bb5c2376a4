import { fileURLToPath } from 'node:url'

export interface ScriptedClaudeParts {
  /** A module that exports `script`; without it the CLI repeats its prompt. */
  readonly script?: string
  /** The version of the real CLI that it plays; `2.1.330` by default. */
  readonly version?: string
}

/**
 * The command of the built-in CLI: a process of its own that speaks Claude Code's `stream-json` and needs no
 * model, for demonstrations and tests.
 */
export function scriptedClaude({ script, version }: ScriptedClaudeParts = {}): {
  readonly bin: string
  readonly args: readonly string[]
} {
  const isSource = import.meta.url.endsWith('.ts')
  const file = isSource ? './scripted-cli/main.ts' : './scripted-cli.js'
  return {
    bin: process.execPath,
    args: [
      // A script of a checkout imports the package from where this process has it.
      ...process.execArgv.filter((argument) => /^(?:--conditions|-C)=/.test(argument)),
      '--disable-warning=ExperimentalWarning',
      fileURLToPath(new URL(file, import.meta.url)),
      ...(script === undefined ? [] : [`--script=${script}`]),
      ...(version === undefined ? [] : [`--scripted-version=${version}`]),
    ],
  }
}
