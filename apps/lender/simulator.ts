import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono } from 'hono'
import type { Context } from 'hono'
import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { ProblemError } from 'throughline/server'
import { idempotencyKey, readBody } from 'throughline/server/extend'
import { decisionRequest } from '../broker/lenders/index.ts'
import type { DemoScenario } from '../broker/lenders/index.ts'
import { Decisions } from './decisions.ts'
import type { KeyedDecisionRequest } from './decisions.ts'
import { Faults, faultList } from './faults.ts'
import type { Fault } from './faults.ts'

export interface SimulatorOptions {
  readonly scenario: DemoScenario
  readonly faults: readonly Fault[]
}

type Bound = { Bindings: HttpBindings }

/**
 * A lender gateway that decides as the built-in panel does, and that can be made to misbehave.
 *
 * A key gets one decision, however often it comes. What goes wrong is only the way there and back: all
 * but `fail` have decided first, as the worst of failures have.
 */
export function simulator(options: SimulatorOptions): Hono<Bound> {
  const decisions = new Decisions(options.scenario)
  const faults = new Faults(options.faults)
  const app = new Hono<Bound>()
  app.post('/decisions', async (context) => {
    const asked = await read(context)
    const fault = faults.next(asked.request.lender)
    if (fault?.kind === 'fail') return failed(fault.status)
    const answer = decisions.decide(asked)
    if (!answer) return failed(422)
    const body = JSON.stringify(answer)
    return fault ? answered(context, fault, body) : json(body)
  })
  app.get('/decisions', (context) => context.json({ decisions: decisions.told() }))
  app.put('/faults', async (context) => {
    faults.replace(await readBody(context, faultList))
    return context.body(null, 204)
  })
  app.onError((error) => failed(error instanceof ProblemError ? error.status : 500))
  app.notFound(() => failed(404))
  return app
}

async function read(context: Context<Bound>): Promise<KeyedDecisionRequest> {
  const request = await readBody(context, decisionRequest)
  const key = idempotencyKey(context.req.header('idempotency-key'))
  if (key === undefined) throw new ProblemError('invalid_body', 400, { detail: 'Cannot decide' })
  const digest = createHash('sha256').update(JSON.stringify(request)).digest('hex')
  return { key, request, digest }
}

async function answered(
  { env: { outgoing } }: Context<Bound>,
  fault: Exclude<Fault, { readonly kind: 'fail' }>,
  body: string,
): Promise<Response> {
  switch (fault.kind) {
    case 'hang':
      return RESPONSE_ALREADY_SENT
    case 'cut':
      outgoing.writeHead(200, { 'content-type': 'application/json' })
      outgoing.write(body.slice(0, body.length / 2), () => outgoing.destroy())
      return RESPONSE_ALREADY_SENT
    case 'nonsense':
      return json('{"decision":"perhaps","because":"the moon is full"}')
    case 'slow':
      await pause(fault.delayMs)
      return json(body)
  }
}

function json(body: string): Response {
  return new Response(body, { headers: { 'content-type': 'application/json' } })
}

function failed(status: number): Response {
  return new Response(null, { status })
}
