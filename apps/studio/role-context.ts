import { createContext } from 'react'
import type { PageRole } from '../kit/index.ts'

/** The role in which the page asks the server, unless an act needs the operator’s. */
export const RoleContext = createContext<PageRole>('auditor')
