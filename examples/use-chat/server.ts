import { resolve } from 'node:path'
import { open } from 'throughline'
import { serve } from 'throughline/server'
import { desk, orders } from './desk.ts'

/** The built page: the other examples of pages give their own. */
const [, , page = 'page/dist'] = process.argv
const { PORT = '3000', STORE = 'sqlite:use-chat.db' } = process.env
const tl = await open({ store: STORE, domain: orders, agents: [desk] })
const pages = { folder: resolve(import.meta.dirname, page), routes: { '/': 'index.html' } }
const server = await serve(tl, { port: Number(PORT), pages })
console.log(`Open ${server.url}`)
