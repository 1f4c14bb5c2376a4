import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../folders.fixture.ts'
import { readConfiguration } from '../../apps/configuration.ts'
import { readTeam } from '../../apps/team-settings.ts'
import { failToStart } from '../server-process.fixture.ts'

const KEPT = { DATA_DIR: '/data', HEADS_FILE: undefined, KEYS: undefined }

test('[D022] FORCE_DEMO_MODE decides whether the demonstration plays the team', () => {
  const modeOf = (value?: string) =>
    readTeam(value === undefined ? {} : { FORCE_DEMO_MODE: value }, KEPT).demoMode
  expect(['1', 'true', '0', '', undefined].map(modeOf)).toEqual([true, true, false, false, false])
})

test('[X25] a folder of the team that holds files of the server is refused, links resolved', async () => {
  const folder = newFolder()
  const DATA_DIR = join(folder, 'data')
  const link = join(folder, 'link')
  symlinkSync(folder, link)
  for (const TEAM_DIR of [DATA_DIR, folder, '/', link, join(link, 'data')]) {
    const { code, said } = await failToStart({ DATA_DIR, TEAM_DIR })
    expect([code, said]).toEqual([1, expect.stringContaining(`TEAM_DIR is "${TEAM_DIR}"`)])
  }
  const heads = { DATA_DIR, TEAM_DIR: join(folder, 'team'), HEADS_FILE: join(folder, 'team/heads') }
  await expect(readConfiguration(heads)).rejects.toThrow('which holds HEADS_FILE')
  const keys = { DATA_DIR, TEAM_DIR: join(folder, 'team'), KEYS: join(folder, 'team/keys') }
  await expect(readConfiguration(keys)).rejects.toThrow('which holds KEYS')
  for (const TEAM_DIR of ['', join(DATA_DIR, 'team'), join(folder, 'datas')]) {
    const { team } = await readConfiguration({ DATA_DIR, TEAM_DIR })
    expect(team.teamDir).toBe(TEAM_DIR || join(DATA_DIR, 'team'))
  }
})

test('hosts that the team may fetch from are names, and anything else is refused', async () => {
  const DATA_DIR = newFolder()
  const TEAM_FETCH_HOSTS = 'docs.example, API.docs.example'
  const { team } = await readConfiguration({ DATA_DIR, TEAM_FETCH_HOSTS })
  expect(team.fetchHosts).toEqual(['docs.example', 'api.docs.example'])
  for (const odd of ['*', 'https://docs.example', 'a,,b', 'a),Bash(*', 'docs.example:80', 'a/b']) {
    const reading = readConfiguration({ DATA_DIR, TEAM_FETCH_HOSTS: odd })
    await expect(reading).rejects.toThrow('TEAM_FETCH_HOSTS holds "')
  }
})

test('a budget of a session is dollars, tokens, or none, and any other text is refused with its mend', async () => {
  const DATA_DIR = newFolder()
  const budgetOf = async (env: Readonly<Record<string, string>>) =>
    (await readConfiguration({ DATA_DIR, ...env })).team.budget
  expect(await budgetOf({})).toEqual({ costUsd: null, tokens: null })
  expect(await budgetOf({ TEAM_BUDGET_USD: '2.50', TEAM_BUDGET_TOKENS: '1000' })).toEqual({
    costUsd: 2.5,
    tokens: 1_000,
  })
  for (const odd of ['0', '-1', '1e3', '2.505', 'five']) {
    await expect(budgetOf({ TEAM_BUDGET_USD: odd })).rejects.toThrow('TEAM_BUDGET_USD is "')
    await expect(budgetOf({ TEAM_BUDGET_TOKENS: odd })).rejects.toThrow('TEAM_BUDGET_TOKENS is "')
  }
})
