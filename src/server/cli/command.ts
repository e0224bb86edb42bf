import type { Ctx } from '../context.ts'

export interface Command {
  summary: string
  help: string
  run(ctx: Ctx, words: string[]): Promise<void>
}

/** The command was called wrongly; the message says how to call it. */
export class UsageError extends Error {}
