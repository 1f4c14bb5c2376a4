import type { App } from './define-app.ts'

/** Says that one of a program's `apps` is none: a program without types may give anything. */
export function whyNoApp(apps: readonly unknown[]): string | undefined {
  const areApps = (apps as readonly Partial<App>[]).every((app) => app?.roles instanceof Map)
  return areApps ? undefined : 'one of its `apps` was not made by `defineApp`'
}
