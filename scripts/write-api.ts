import { readFileSync, writeFileSync } from 'node:fs'
import { API_REPORT, apiReport } from './api-report.ts'

/** Writes the names that the package exports into the committed report. */
writeFileSync(API_REPORT, apiReport(JSON.parse(readFileSync('package.json', 'utf8'))))
