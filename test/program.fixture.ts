import { join, resolve } from 'node:path'
import { inject } from 'vitest'
import { inTier } from './tier.fixture.ts'

/** The programs of the checkout that tests start, each in a process of its own. */
export const PROGRAMS = {
  'accept-heads': 'scripts/accept-heads.ts',
  'acp-agent': 'src/programs/acp/scripted-agent.fixture.ts',
  'append-on-a-failing-disk': 'test/programs/append-on-a-failing-disk.ts',
  'append-for-a-while': 'test/programs/append-for-a-while.ts',
  'erase-and-look': 'test/programs/erase-and-look.ts',
  'erase-until-point': 'test/programs/erase-until-point.ts',
  'errand-until-point': 'test/programs/errand-until-point.ts',
  lender: 'apps/lender/main.ts',
  'live-histories': 'test/simulation/main.ts',
  'list-until-point': 'test/programs/list-until-point.ts',
  'print-secret': 'test/programs/print-secret.ts',
  'read-flood': 'test/programs/read-flood.ts',
  'remote-until-killed': 'test/programs/remote-until-killed.ts',
  'scripted-cli': 'src/programs/scripted-cli/main.ts',
  server: 'apps/main.ts',
  throughline: 'src/cli/main.ts',
} as const

export type ProgramName = keyof typeof PROGRAMS

/**
 * Returns the arguments of Node that start a program. Every run starts it as one built file, which takes half
 * the time of its many sources; the full tier starts the sources, as people do.
 */
export function programArguments(name: ProgramName): readonly string[] {
  const file = inTier({
    quick: () => join(inject('programs'), `${name}.js`),
    full: () => resolve(PROGRAMS[name]),
  })()
  // A built one starts scripts of the checkout, which may have no `dist`.
  return ['--disable-warning=ExperimentalWarning', '--conditions=throughline-source', file]
}
