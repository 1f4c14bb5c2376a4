import { open } from 'throughline'
import { serve } from 'throughline/server'
import { desk, orders } from './desk.ts'

const { PORT = '3000', STORE = 'sqlite:use-chat.db' } = process.env
const tl = await open({ store: STORE, domain: orders, agents: [desk] })
const pages = { folder: `${import.meta.dirname}/page/dist`, routes: { '/': 'index.html' } }
const server = await serve(tl, { port: Number(PORT), pages })
console.log(`Open ${server.url}`)
