import { expect, onTestFinished, test } from 'vitest'
import { defineAgent } from '../agents/index.ts'
import { eventsOf, only, wireFaults, withAgents } from '../agents/runs.fixture.ts'
import type { ProcessProgram } from './index.ts'

export interface ProcessProgramSetting {
  /** The program with a script: it plays the steps of a prompt `{ "play": [...] }`, else repeats the prompt. */
  readonly open: () => ProcessProgram
  /** The same without a file to start. */
  readonly absent: () => ProcessProgram
  /** The result of a call that a person did not allow. */
  readonly denied: string
}

/** What holds for every program that is a process of its own, whatever it speaks. */
export function processProgramContract({ open, absent, denied }: ProcessProgramSetting): void {
  const coder = () => {
    const program = open()
    onTestFinished(() => program.close())
    return withAgents([defineAgent({ name: 'coder', program })])
  }
  const playing = (...play: readonly object[]) => JSON.stringify({ play })

  test.each([
    [true, 'done'],
    [false, denied],
  ])('permission for a tool is a question: approved %s', async (approved, result) => {
    const setting = coder()
    const tool = { name: 'Bash', input: { command: 'rm' }, result: 'done', asks: true }
    const asked = await setting.ask(playing({ tool }, { text: 'End' })).result
    expect(asked.waits).toMatchObject([{ reason: 'tool_approval', toolName: 'Bash' }])

    const turn = setting.resume(asked.run, { approved })
    const events = await eventsOf(turn)
    expect((await turn.result).text).toBe('End')
    expect(only(events, 'tool_result')).toMatchObject([{ result }])
    expect(await wireFaults(setting.log)).toEqual([])
  })

  test('a second turn goes on in the same session', async () => {
    const setting = coder()
    await setting.ask('One').result
    expect((await setting.ask('Two').result).text).toBe('You said: Two')
  })

  test('a cancel ends the turn, and the next turn finds the program idle', async () => {
    const setting = coder()
    const turn = setting.ask(playing({ text: 'I begin' }, { waitMs: 60_000 }))
    for await (const event of turn) if (event.type === 'chat_output') break
    await setting.runs.cancel('t')
    expect((await turn.result).reason).toBe('cancelled')
    expect((await setting.ask('And now?').result).text).toContain('And now?')
  })

  test('without the program a run fails with a code for it', async () => {
    const { ask } = withAgents([defineAgent({ name: 'coder', program: absent() })])
    expect((await ask('Hi').result).error?.code).toBe('no_program')
  })
}
