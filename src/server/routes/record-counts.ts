import { modelCallOf, outcomeOf } from '../../activity/index.ts'
import { textOf } from '../../json/index.ts'
import type { LogRecord } from '../../log/index.ts'
import { Counter } from './counter.ts'

/** What is counted of the records that this process appends. No label holds what a person said or is called. */
export class RecordCounts {
  readonly #appends = new Counter('throughline_appends_total', 'Appends to the log.')
  readonly #records = new Counter('throughline_records_total', 'Records appended to the log.')
  readonly #runs = new Counter('throughline_runs_total', 'Runs of agents that people asked.', [
    'agent',
    'outcome',
  ])
  readonly #calls = new Counter('throughline_model_calls_total', 'Calls of models.', ['model'])
  readonly #tokens = new Counter('throughline_tokens_total', 'Tokens that models reported.', [
    'model',
    'kind',
  ])
  readonly #cost = new Counter('throughline_cost_total', 'Cost, in the currency of the prices.', [
    'model',
  ])
  readonly #refused = new Counter('throughline_refused_total', 'Proposals that were refused.', [
    'reason',
  ])

  readonly take = (records: readonly LogRecord[]): void => {
    this.#appends.add(1, {})
    this.#records.add(records.length, {})
    for (const record of records) {
      if (record.type === 'CUSTOM') this.#takeCall(record)
      else if (record.type === 'event_refused') {
        this.#refused.add(1, { reason: textOf(record.data, 'reason') })
      } else if (record.type === 'RUN_FINISHED' || record.type === 'RUN_ERROR') {
        this.#takeEnd(record)
      }
    }
  }

  get lines(): readonly string[] {
    const all = [this.#appends, this.#records, this.#runs, this.#calls]
    return [...all, this.#tokens, this.#cost, this.#refused].flatMap(({ lines }) => lines)
  }

  #takeEnd(record: LogRecord): void {
    const { agent = '' } = record.origin
    const outcome = record.type === 'RUN_ERROR' ? 'error' : outcomeOf(record) || 'success'
    this.#runs.add(1, { agent, outcome })
  }

  #takeCall(record: LogRecord): void {
    const call = modelCallOf(record)
    if (!call) return
    const { model, usage } = call
    const { inputTokens, outputTokens, cachedInputTokens, cost } = usage
    this.#calls.add(1, { model })
    const kinds = { input: inputTokens, output: outputTokens, cached_input: cachedInputTokens }
    for (const [kind, tokens = 0] of Object.entries(kinds)) {
      if (tokens > 0) this.#tokens.add(tokens, { model, kind })
    }
    if (cost !== undefined) this.#cost.add(cost, { model })
  }
}
