/**
 * The front door: what most programs need first. Each room has its own door (`throughline/log`,
 * `throughline/inline` and so on) for those that need one room only.
 *
 * @module
 */
export { defineDomain } from './domain/index.ts'
