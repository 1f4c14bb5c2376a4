import { z } from 'zod'
import { DEMO_SCENARIOS } from '../broker/lenders/index.ts'
import { faultList } from './faults.ts'
import { serveLender } from './serve-lender.ts'

const settings = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(4010),
  SCENARIO: z.enum(DEMO_SCENARIOS).default('auto'),
  FAULTS: z.string().default('[]').transform(parsedJson).pipe(faultList),
})

await start()

async function start(): Promise<void> {
  try {
    const { PORT: port, SCENARIO: scenario, FAULTS: faults } = settings.parse(process.env)
    const { url } = await serveLender({ port, scenario, faults })
    process.stdout.write(`lender ready ${url}\n`)
  } catch (error) {
    process.stderr.write(`Cannot start the lender: ${describe(error)}\n`)
    process.exit(1)
  }
}

function parsedJson(text: string, context: z.RefinementCtx): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    context.addIssue({
      code: 'custom',
      message: error instanceof Error ? error.message : 'no JSON',
    })
    return z.NEVER
  }
}

function describe(error: unknown): string {
  if (!(error instanceof z.ZodError)) return error instanceof Error ? error.message : String(error)
  return error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
}
