// assistant-ui's runtime against a server, with React and without a page.
import { HttpAgent } from '@ag-ui/client'
import { AssistantRuntimeProvider } from '@assistant-ui/core/react'
import { useAgUiRuntime } from '@assistant-ui/react-ag-ui'
import { setTimeout as delay } from 'node:timers/promises'
import { createElement, useEffect } from 'react'
import { create } from 'react-test-renderer'
import { aguiFetch } from '../../src/agui-client/index.ts'
import { cuttingFetch } from './cutting-fetch.mjs'

const [, , url = '', ...named] = process.argv
const address = `${url}/agui/desk`
// The runtime reports a failed run to `onError`, and rejects a promise that it gives to nobody as well.
process.on('unhandledRejection', () => undefined)

function Page({ onRuntime, ...options }) {
  const runtime = useAgUiRuntime(options)
  useEffect(() => onRuntime(runtime), [onRuntime, runtime])
  return createElement(AssistantRuntimeProvider, { runtime })
}

class Tab {
  #runtime
  #agent
  #errors = []

  static async open({ adapters, ...options } = {}) {
    const tab = new Tab()
    tab.#agent = new HttpAgent({ url: address, threadId: crypto.randomUUID(), ...options })
    await new Promise((resolve) => {
      const onRuntime = (runtime) => resolve((tab.#runtime = runtime))
      const onError = ({ message }) => void tab.#errors.push(message)
      create(createElement(Page, { agent: tab.#agent, adapters, onRuntime, onError }))
    })
    return tab
  }

  /** A tab that joins a thread that another tab began. */
  static join(threadId) {
    const history = {
      load: async () => ({ messages: [], unstable_resume: true }),
      append: async () => undefined,
    }
    return Tab.open({ threadId, url: `${address}/connect`, adapters: { history } })
  }

  get threadId() {
    return this.#agent.threadId
  }

  get #state() {
    return this.#runtime.thread.getState()
  }

  send(text) {
    this.#agent.url = address
    this.#runtime.thread.append(text)
  }

  /** Sends a message and resolves when the last message ends for this reason. */
  say(text, reason) {
    this.send(text)
    return this.until(({ ended }) => ended === reason)
  }

  async approve() {
    this.#agent.url = address
    const resume = this.#runtime.unstable_getPendingInterrupts().map(({ id }) => ({
      interruptId: id,
      status: 'resolved',
      payload: { approved: true },
    }))
    this.#runtime.unstable_submitInterruptResponses(resume)
    return this.until(({ said, ended }) => said.includes('reference') && ended === 'unknown')
  }

  async until(isMet) {
    while (!isMet(this.shown)) await delay(20)
    return this.shown
  }

  offer(tools) {
    this.#runtime.registerModelContextProvider({ getModelContext: () => ({ tools }) })
  }

  get shown() {
    const { messages } = this.#state
    const { role, content = [], status } = messages.at(-1) ?? {}
    return {
      role,
      said: content.map(({ text }) => text ?? '').join(''),
      ended: status?.reason,
      questions: this.#runtime.unstable_getPendingInterrupts().length,
      errors: this.#errors,
    }
  }
}

/** One tab asks, one joins in the middle of the turn and approves, two join when the thread is at rest. */
async function approval() {
  const first = await Tab.open()
  const asked = first.say('Please refund order 4711, it arrived broken.', 'interrupt')
  await first.until(({ role, said }) => role === 'assistant' && said !== '')
  const second = await Tab.join(first.threadId)
  const before = { first: await asked }
  before.second = await second.until(({ ended }) => ended === 'interrupt')
  const late = await Tab.join(first.threadId)
  before.late = await late.until(({ ended }) => ended === 'interrupt')
  const approved = await second.approve()
  const last = await Tab.join(first.threadId)
  return { before, approved, last: await last.until(({ ended }) => ended !== undefined) }
}

async function clientTool() {
  const tab = await Tab.open()
  let photos = 0
  const execute = async ({ of }) => `Photo ${++photos}: the ${of}, broken`
  const parameters = { type: 'object', properties: { of: { type: 'string' } } }
  tab.offer({ customer_photo: { type: 'frontend', description: 'A photo', parameters, execute } })
  tab.send('Please refund order 4713, it arrived broken.')
  const { said } = await tab.until(({ said, ended }) => /reference/.test(said) && ended)
  return { said, photos }
}

/** A reply that is cut in the middle, and the same question again. */
async function cut() {
  const tab = await Tab.open({ fetch: cuttingFetch({ connection: 1, frames: 6 }).fetch })
  const shown = await tab.say('Are you there?', 'error')
  return { shown, again: await tab.say('Are you there?', 'unknown') }
}

async function resumed() {
  const { fetch, seen } = cuttingFetch({ connection: 1, frames: 6 })
  const tab = await Tab.open({ fetch: aguiFetch({ fetch, attaches: true }) })
  const { said } = await tab.say('Are you there?', 'unknown')
  return { said, isResumed: seen.connections > 1 }
}

const scenes = { approval, clientTool, cut, resumed }
const shown = await Promise.all(named.map(async (name) => [name, await scenes[name]()]))
process.stdout.write(JSON.stringify(Object.fromEntries(shown)))
process.exit(0)
