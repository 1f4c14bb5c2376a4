import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { API_REPORT, apiReport } from './api-report.ts'

test('docs/api.txt lists every name that the package exports: run npm run api', () => {
  expect(readFileSync(API_REPORT, 'utf8')).toBe(
    apiReport(JSON.parse(readFileSync('package.json', 'utf8'))),
  )
})
