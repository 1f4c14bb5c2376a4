import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../folders.fixture.ts'
import { readTeam } from '../../apps/team-settings.ts'

test('[D022] FORCE_DEMO_MODE decides whether the demonstration plays the team', () => {
  const modeOf = (value?: string) =>
    readTeam(value === undefined ? {} : { FORCE_DEMO_MODE: value }, '/data').demoMode
  expect(['1', 'true', '0', '', undefined].map(modeOf)).toEqual([true, true, false, false, false])
})

test('[D028] a CLI on the PATH without a key needs setup; a key is reported, but not shown', () => {
  const folder = newFolder()
  writeFileSync(join(folder, 'claude'), '#!/bin/sh\n')
  chmodSync(join(folder, 'claude'), 0o755)
  const authWith = (env: Readonly<Record<string, string>>) => readTeam(env, '/data').auth
  expect(authWith({})).toEqual({ authMethod: 'none', needsSetup: false, expiresInMinutes: null })
  expect(authWith({ PATH: folder })).toMatchObject({ authMethod: 'none', needsSetup: true })
  expect(authWith({ PATH: folder, ANTHROPIC_API_KEY: 'sk-1' })).toEqual({
    authMethod: 'setup_token',
    needsSetup: false,
    expiresInMinutes: null,
  })
})
