import {
  CallerView,
  EMPTY_RUN_TREE,
  NO_USAGE_REPORT,
  foldRunTree,
  foldUsage,
} from 'throughline/activity'
import type { RunTree, UsageReport } from 'throughline/activity'
import type { LogRecord } from 'throughline/log'
import type { ViewBuilder } from 'throughline/react'

/** What the page of a thread of agents reads out of its records. */
export interface RunsView {
  readonly tree: RunTree
  readonly usage: UsageReport
  /** `restored`: the stream began again without its earlier records. */
  readonly origin: 'log' | 'restored'
}

const EMPTY: RunsView = { tree: EMPTY_RUN_TREE, usage: NO_USAGE_REPORT, origin: 'log' }

/** Reads records as the server reads them for callers that are not in a browser. */
export class RunsViewBuilder implements ViewBuilder<RunsView> {
  #caller = new CallerView()
  #view = EMPTY

  take(record: LogRecord): void {
    const tree = foldRunTree(this.#view.tree, this.#caller.take(record))
    const usage = foldUsage(this.#view.usage, [record])
    if (tree === this.#view.tree && usage === this.#view.usage) return
    this.#view = { ...this.#view, tree, usage }
  }

  reset(): void {
    this.#caller = new CallerView()
    this.#view = { ...EMPTY, origin: 'restored' }
  }

  view(): RunsView {
    return this.#view
  }
}
