import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../../test/folders.fixture.ts'
import { writeInstructions } from './instructions.ts'

async function written(folder: string, screenPort: number) {
  await writeInstructions(folder, screenPort)
  const [name = ''] = readdirSync(folder)
  const file = join(folder, name)
  return { file, text: readFileSync(file, 'utf8') }
}

test('[D113] the instructions of the program name both markers, and those of a person stay', async () => {
  const folder = newFolder()
  const { file, text } = await written(folder, 3848)
  expect(text).toContain('[AGENT_STATUS] {"agents":')
  expect(text).toContain('[AGENT_REGISTERED] {"name":')
  const changed = `${text}\nSpeak French.\n`
  writeFileSync(file, changed)
  expect((await written(folder, 4000)).text).toBe(changed)
})

test('the instructions name the port of the screen, and another one after SCREEN_PORT has changed', async () => {
  const folder = newFolder()
  expect((await written(folder, 3848)).text).toContain('http://localhost:3848/cmd')
  const { text } = await written(folder, 4000)
  expect(text).toContain('http://localhost:4000/cmd')
  expect(text).not.toContain('3848')
  expect((await written(folder, 0)).text).not.toContain('curl')
  expect((await written(folder, 4000)).text).toBe(text)
})
