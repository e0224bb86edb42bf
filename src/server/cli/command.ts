import type { App } from '../app.ts'
import type { Config } from '../config.ts'
import type { Ctx } from '../context.ts'

interface Described {
  summary: string
  help: string
  /** Does something without further words; the others show their help. */
  wordless?: true
}

/** Works on a site that is there, upgraded if need be. */
export interface Command extends Described {
  run(ctx: Ctx, words: string[], app: App): Promise<void>
}

/** Takes the database as it is, or where there is none yet. */
export interface BareCommand extends Described {
  bare(config: Config, words: string[]): Promise<void>
}

/** The command was called wrongly; the message says how to call it. */
export class UsageError extends Error {}

/** Where the owner stood: npm goes to the project's folder before it runs anything. */
export function ownersFolder(): string {
  return process.env.INIT_CWD ?? process.cwd()
}
