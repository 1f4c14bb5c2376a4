// Run before each file of tests: what one file loads, others find loaded, hooks at the top included.
import { afterAll } from 'vitest'
import { removeFolders } from './folders.fixture.ts'

afterAll(removeFolders)
