import { expect, onTestFinished, test } from 'vitest'
import { listenForScreen } from './screen-server.ts'

test('the screen answers how many commands it has read', async () => {
  const screen = await listenForScreen(0)
  onTestFinished(() => screen.close())
  const url = `http://127.0.0.1:${screen.port}`
  const drawn = await fetch(`${url}/cmd`, { method: 'POST', body: 'FACE happy\nnonsense\nCLR' })
  expect(await drawn.json()).toEqual({ ok: true, parsed: 2 })
  expect(await (await fetch(`${url}/feedback`)).json()).toEqual([])
  expect(await (await fetch(`${url}/health`)).json()).toEqual({ ok: true })
  expect((await fetch(`${url}/other`)).status).toBe(404)
})

test('a port in use is an error', async () => {
  const screen = await listenForScreen(0)
  onTestFinished(() => screen.close())
  await expect(listenForScreen(screen.port)).rejects.toMatchObject({ code: 'EADDRINUSE' })
})
