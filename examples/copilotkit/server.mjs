// CopilotKit's runtime and the agents in one process; the runtime may as well be another one.
import { createRequire } from 'node:module'
import { open } from 'throughline'
import { DurableAgent, DurableRunner } from 'throughline/agui/stock'
import { serve } from 'throughline/server'
import { desk, orders } from '../use-chat/desk.ts'

// The page's folder has the packages of CopilotKit.
const require = createRequire(new URL('page/package.json', import.meta.url))
const { CopilotRuntime, createCopilotRuntimeHandler } = require('@copilotkit/runtime/v2')

const { PORT = '3000', STORE = 'sqlite:copilotkit.db' } = process.env
const basePath = '/api/copilotkit'

function runtimeOf(url) {
  const agents = { desk: new DurableAgent({ url: `${url}/agui/desk` }) }
  const runtime = new CopilotRuntime({ agents, runner: new DurableRunner(agents) })
  return createCopilotRuntimeHandler({ runtime, basePath })
}

let answer
const copilotkit = { mount: (app) => app.all(`${basePath}/*`, ({ req }) => answer(req.raw)) }
const tl = await open({ store: STORE, domain: orders, agents: [desk] })
const pages = { folder: `${import.meta.dirname}/page/dist`, routes: { '/': 'index.html' } }
const server = await serve(tl, { port: Number(PORT), pages, extensions: [copilotkit] })
answer = runtimeOf(server.url)
console.log(`Open ${server.url}`)
