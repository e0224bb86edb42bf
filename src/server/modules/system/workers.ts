import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { environment } from '#shared/contract/system.ts'
import type { Reply } from '#shared/endpoint.ts'
import type { Ctx } from '#server/context.ts'
import type { Tool } from '#server/convert/converter.ts'
import { version } from '#server/version.ts'

/** A worker that has not been heard of for so long counts as gone. */
const silenceMs = 60_000
const heartbeatMs = 20_000
/** To look for programs means to start each of them: not while the process is starting, and seldom after that. */
const firstLookMs = 3000
const lookAgainMs = 10 * 60_000
/** The owner may be installing what is missing. */
const lookForMissingMs = 60_000
const forgottenMs = 24 * 60 * 60_000

export interface Heartbeat {
  stop(): Promise<void>
}

/** Tells the site that this process does its background work, and with which programs. */
export function startHeartbeat(context: () => Promise<Ctx>): Heartbeat {
  const id = randomUUID()
  const stopping = new AbortController()
  const beat = async (): Promise<void> => {
    const ctx = await context()
    if (!stopping.signal.aborted) await writeHeartbeat(ctx, id)
  }
  const sayGoodbye = async (): Promise<void> => {
    const { db } = await context()
    await db.deleteFrom('worker').where('id', '=', id).execute()
  }
  const look = async (): Promise<number> => {
    const ctx = await context()
    const tools = await ctx.converter.tools()
    if (!stopping.signal.aborted) await writeTools(ctx, id, tools)
    return tools.some(({ is_installed }) => !is_installed) ? lookForMissingMs : lookAgainMs
  }

  // The database may be away for a moment: the next beat tries again.
  let latest = beat().catch(() => {})
  const beating = setInterval(() => void (latest = beat().catch(() => {})), heartbeatMs)
  let looking: NodeJS.Timeout | undefined
  const lookIn = (ms: number) => {
    if (stopping.signal.aborted) return
    looking = setTimeout(() => void look().then(lookIn, () => lookIn(lookForMissingMs)), ms).unref()
  }
  lookIn(firstLookMs)

  return {
    async stop() {
      stopping.abort()
      clearInterval(beating)
      clearTimeout(looking)
      await latest
      // Without the database it is missed after a minute.
      await sayGoodbye().catch(() => {})
    },
  }
}

/** Those that have been heard of lately, with the programs that each has found. */
export async function findWorkers(ctx: Pick<Ctx, 'db' | 'now'>): Promise<Reply<typeof environment.workers>> {
  const rows = await selectLive(ctx).selectAll().orderBy('host').orderBy('started_at').orderBy('id').execute()
  return { worker: rows.map(({ tools, ...row }) => ({ ...row, tool: parseTools(tools) })) }
}

export async function countWorkers(ctx: Pick<Ctx, 'db' | 'now'>): Promise<number> {
  const { count } = await selectLive(ctx)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

function selectLive({ db, now }: Pick<Ctx, 'db' | 'now'>) {
  return db.selectFrom('worker').where('seen_at', '>', now() - silenceMs)
}

async function writeHeartbeat({ db, now }: Ctx, id: string): Promise<void> {
  const seen_at = now()
  await db
    .insertInto('worker')
    .values({
      id,
      host: hostname(),
      pid: process.pid,
      version,
      tools_checked_at: null,
      started_at: seen_at,
      seen_at,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at }))
    .execute()
  // Of processes that were killed.
  await db
    .deleteFrom('worker')
    .where('seen_at', '<', seen_at - forgottenMs)
    .execute()
}

async function writeTools({ db, now }: Ctx, id: string, tools: readonly Tool[]): Promise<void> {
  await db
    .updateTable('worker')
    .set({ tools: JSON.stringify(tools), tools_checked_at: now() })
    .where('id', '=', id)
    .execute()
}

function parseTools(text: string): Tool[] {
  return text === '' ? [] : (JSON.parse(text) as Tool[])
}
