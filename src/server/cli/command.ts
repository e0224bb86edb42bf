import type { App } from '../app.ts'
import type { Ctx } from '../context.ts'

export interface Command {
  summary: string
  help: string
  /** Does something without further words; the others show their help. */
  wordless?: true
  run(ctx: Ctx, words: string[], app: App): Promise<void>
}

/** The command was called wrongly; the message says how to call it. */
export class UsageError extends Error {}
