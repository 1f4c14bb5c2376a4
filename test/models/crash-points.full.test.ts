import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { openLog } from 'throughline/log'
import { emptyFolder } from '../server-process.fixture.ts'
import { faultsAfter, seedCase } from './crash-points.fixture.ts'

const program = fileURLToPath(new URL('../programs/turn-until-point.ts', import.meta.url))

/** Runs the program, with the number of the point to die at if there is one. */
async function run(path: string, ...point: readonly string[]) {
  const args = ['--conditions=throughline-source', program, `${path}.db`, `${path}.txt`, ...point]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = once(child, 'close')
  let printed = ''
  for await (const chunk of child.stdout.setEncoding('utf8')) printed += String(chunk)
  const [code, signal] = (await closed) as [number | null, string | null]
  return { code, signal, passed: printed.trim().split('\n') }
}

async function seededFolder(): Promise<string> {
  const folder = await emptyFolder()
  const log = await openLog(`sqlite:${join(folder, 'seed.db')}`)
  await seedCase(log)
  await log.close()
  return folder
}

test('[M7] killed at every labelled point of a turn, it ends once and does nothing in the world twice', async ({
  annotate,
}) => {
  const folder = await seededFolder()
  const place = async (name: string): Promise<string> => {
    for (const end of ['', '.heads']) {
      await copyFile(join(folder, `seed.db${end}`), join(folder, `${name}.db${end}`))
    }
    return join(folder, name)
  }
  const whole = await run(await place('whole'))
  expect(whole.code).toBe(0)
  const broken: string[] = []
  for (const point of whole.passed) {
    const number = point.split(' ', 1).join('')
    const path = await place(number)
    expect((await run(path, number)).signal, point).toBe('SIGKILL')
    expect((await run(path)).code, point).toBe(0)
    const log = await openLog(`sqlite:${path}.db`)
    const world = (await readFile(`${path}.txt`, 'utf8')).trim().split('\n')
    broken.push(...(await faultsAfter(log, world)).map((fault) => `${point}: ${fault}`))
    await log.close()
  }
  expect(broken).toEqual([])
  expect(whole.passed.length).toBeGreaterThan(30)
  await annotate(
    `killed at ${whole.passed.length} points: ${broken.length} runs without exactly one end, or effects done twice`,
    'promise',
  )
}, 900_000)
