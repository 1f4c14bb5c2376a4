// Run before each file of tests: what one file loads, others find loaded, hooks at the top included.
import { afterAll } from 'vitest'
import { removeFolders } from './folders.fixture.ts'

// A folder of a database may hold 30,000 files, and the disk may be busy.
afterAll(removeFolders, 300_000)
