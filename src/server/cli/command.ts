import type { App } from '../app.ts'
import type { Config } from '../config.ts'
import type { Ctx } from '../context.ts'

interface CommandInfo {
  summary: string
  help: string
  /** Runs without arguments; other commands then show their help. */
  wordless?: true
}

/** Works on an existing site, which is migrated first. */
export interface Command extends CommandInfo {
  run(ctx: Ctx, words: string[], app: App, config: Config): Promise<void>
}

/** Works without migrating the database, or without one. */
export interface BareCommand extends CommandInfo {
  bare(config: Config, words: string[]): Promise<void>
}

/** The command was called wrongly; the message says how to call it. */
export class UsageError extends Error {}

/** Where the command was called: npm changes to the project's folder before it runs anything. */
export function callersFolder(): string {
  return process.env.INIT_CWD ?? process.cwd()
}
