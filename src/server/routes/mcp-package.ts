import { createRequire } from 'node:module'
import { ServeError } from '../problems/serve-error.ts'

const NAME = '@modelcontextprotocol/server'

/** @throws {@link ServeError} `mcp_not_installed` */
export function requireMcpPackage(): void {
  try {
    createRequire(import.meta.url).resolve(NAME)
  } catch (cause) {
    const message = `Cannot serve MCP: the package "${NAME}" is not installed; run \`npm install ${NAME}\``
    throw new ServeError('mcp_not_installed', message, { cause })
  }
}

/** Loaded only where MCP is served: it is an optional peer. */
export function loadMcp() {
  return import('@modelcontextprotocol/server')
}

export function loadMcpStdio() {
  return import('@modelcontextprotocol/server/stdio')
}

export type McpPackage = Awaited<ReturnType<typeof loadMcp>>
