import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../../test/folders.fixture.ts'
import { signInOf } from './sign-in.ts'

/** A program that says this when it is asked how it is signed in. */
function programSaying(text: string): string {
  const bin = join(newFolder(), 'claude')
  writeFileSync(bin, `#!/bin/sh\n[ "$*" = "auth status --json" ] && echo '${text}'\nexit 1\n`)
  chmodSync(bin, 0o755)
  return bin
}

const asked = (bin: string | undefined, environment: Readonly<Record<string, string>> = {}) =>
  signInOf({ bin, environment, now: () => 0 })

test('[D028] a login of the program’s own counts, without a key in the environment', async () => {
  const login = { loggedIn: true, authMethod: 'claude.ai', loginExpiresAt: 90_000_000 }
  expect(await asked(programSaying(JSON.stringify(login)))).toEqual({
    authMethod: 'oauth',
    needsSetup: false,
    expiresInMinutes: 1_500,
  })
  const atTime = { ...login, loginExpiresAt: '1970-01-02T01:00:00.000Z' }
  expect(await asked(programSaying(JSON.stringify(atTime)))).toMatchObject({
    expiresInMinutes: 1_500,
  })
})

test('[D028] a program that is not signed in needs setup, whatever its environment holds', async () => {
  const bin = programSaying('{"loggedIn":false,"authMethod":"none"}')
  expect(await asked(bin, { ANTHROPIC_API_KEY: 'sk-1' })).toMatchObject({ needsSetup: true })
  const keyed = programSaying('{"loggedIn":true,"authMethod":"api_key"}')
  expect(await asked(keyed)).toEqual({
    authMethod: 'setup_token',
    needsSetup: false,
    expiresInMinutes: null,
  })
})

test('[D028] a program that does not say how it is signed in needs a key, and the demonstration none', async () => {
  const bin = programSaying('Not that I know')
  expect(await asked(bin)).toMatchObject({ authMethod: 'none', needsSetup: true })
  expect(await asked(bin, { CLAUDE_CODE_OAUTH_TOKEN: 't' })).toMatchObject({
    authMethod: 'setup_token',
    needsSetup: false,
  })
  expect(await asked(join(newFolder(), 'absent'))).toMatchObject({ needsSetup: true })
  expect(await asked(undefined)).toMatchObject({ authMethod: 'none', needsSetup: false })
})
