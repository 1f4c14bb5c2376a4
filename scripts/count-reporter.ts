import type { Reporter, TestModule } from 'vitest/node'

/**
 * Ends a test run with one line of counts, after naming every test that passed only when it was tried
 * again and every test that this machine could not run.
 * In CI such a test fails the run: there, everything that is needed has been installed.
 */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const skipped = tests.filter((test) => test.result().state === 'skipped')
    const failed = tests.filter((test) => test.result().state === 'failed').length
    const broken = modules.filter(
      (module) => module.state() === 'failed' && noneFailed(module),
    ).length
    for (const test of tests.filter((each) => each.diagnostic()?.flaky)) {
      const [failure] = test.result().errors ?? []
      const why = failure?.stack ?? failure?.message ?? 'unknown'
      console.log(`unsteady: ${test.fullName} passed at its second try; the first: ${why}`)
    }
    for (const test of skipped) {
      const result = test.result()
      const note = result.state === 'skipped' ? result.note : undefined
      console.log(`skipped: ${test.fullName}${note ? ` (${note})` : ''}`)
    }
    if (process.env['CI'] && skipped.length > 0) process.exitCode = 1
    const passed = tests.length - failed - skipped.length
    const failures = failed + broken + errors.length
    console.log(`${passed} passed, ${failures} failed, ${skipped.length} skipped`)
  }
}

function noneFailed(module: TestModule): boolean {
  return [...module.children.allTests()].every((test) => test.result().state !== 'failed')
}
