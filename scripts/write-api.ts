import { readFileSync, writeFileSync } from 'node:fs'
import { REFERENCE, referencePage } from './reference.ts'

/** Writes the page of all that the package exports. */
writeFileSync(REFERENCE, referencePage(JSON.parse(readFileSync('package.json', 'utf8'))))
