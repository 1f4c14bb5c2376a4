import { registerHooks } from 'node:module'

const loaded: string[] = []

registerHooks({
  load(url, context, nextLoad) {
    loaded.push(url)
    return nextLoad(url, context)
  },
})

process.on('exit', () => process.stdout.write(JSON.stringify(loaded)))
