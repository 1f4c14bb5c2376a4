import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Where `.ci/run` installs agents of other makers: they are no dependencies of the project. */
const FOLDER = process.env['PROGRAMS_DIR'] ?? join(homedir(), '.cache', 'throughline-programs')

/** The file of an installed program, or undefined where it is not installed. */
export function installed(name: 'claude-2.1.332' | 'claude-2.1.197' | 'opencode-1.18.33') {
  const command = name.startsWith('opencode') ? 'opencode-linux-x64/bin/opencode' : '.bin/claude'
  const file = join(FOLDER, name, 'node_modules', command)
  return existsSync(file) ? file : undefined
}
