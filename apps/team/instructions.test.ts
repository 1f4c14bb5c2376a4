import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../../test/folders.fixture.ts'
import { writeInstructions } from './instructions.ts'

test('[D113] the instructions of the program name both markers, and those of a person stay', async () => {
  const folder = newFolder()
  await writeInstructions(folder)
  const [name = ''] = readdirSync(folder)
  const file = join(folder, name)
  const text = readFileSync(file, 'utf8')
  expect(text).toContain('[AGENT_STATUS] {"agents":')
  expect(text).toContain('[AGENT_REGISTERED] {"name":')
  await writeInstructions(folder)
  expect(readFileSync(file, 'utf8')).toBe(text)
})
