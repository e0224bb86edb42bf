import { type RawBuilder, sql } from 'kysely'
import * as z from 'zod/mini'
import { signInScenes } from '#shared/enums.ts'
import type { Ctx } from './context.ts'
import { insertJob, type NewJob, PermanentJobError } from './jobs/queue.ts'
import type { Schedule } from './jobs/schedule.ts'
import type { JobHandler, JobRun } from './jobs/worker.ts'

/**
 * Every kind of background job: its payload, and the key of which at most one job waits. `enqueue` and the handlers are
 * typed by it, so that a kind without a handler, or a wrong payload, does not compile.
 */

const none = z.object({})
const ids = z.array(z.int()).check(z.minLength(1))
const hash = z.string()
const range = { hash, revision: z.int(), from: z.int(), failures: z._default(z.int(), 0) }
const keywordRange = z.object({ from: z._default(z.int(), 0), total: z._default(z.int(), 0) })
const indexRange = z.object({ from: z._default(z.int(), 0), all: z._default(z.boolean(), false) })

const jobs = {
  'audit.purge': job(none),
  'events.deliver': job(z.object({ name: z.string(), payload: z.unknown() })),
  'mail.send': job(z.object({ mail: z.int() }), ['mail.send', 'mail']),
  'mail.purge': job(none),
  'sms.purge': job(none),
  'system.check-release': job(none),
  'backups.make': job(z.object({ backup: z.int() }), ['make-backup', 'backup']),
  'backups.tick': job(none),
  'stats.purge-visitors': job(none),
  'stats.purge-document-days': job(none),
  'users.purge-expired': job(none),
  'users.end-memberships': job(none),
  'users.prune-activities': job(none),
  'users.mail-code': job(z.object({ email: z.string(), scene: z.enum(signInScenes) })),
  'users.mail-reset-links': job(z.object({ email: z.string() })),
  'oauth.purge-expired': job(none),
  'attachments.sweep': job(none),
  'attachments.remove-orphans': job(none),
  'renditions.convert': job(z.object({ hash }), ['convert', 'hash']),
  /** In a queue of its own: what needs no office program never waits for one. */
  'renditions.convert-office': job(z.object({ hash }), ['convert', 'hash']),
  'renditions.extract-text': job(z.object(range), ['extract-text', 'hash', 'revision']),
  'renditions.extract-table': job(z.object({ hash, revision: z.int() }), ['extract-table', 'hash']),
  'renditions.prerender': job(z.object(range), ['prerender', 'hash']),
  'renditions.remove': job(z.object({ hash }), ['remove', 'hash']),
  'renditions.repair': job(none),
  'documents.repair': job(none),
  'documents.purge': job(z.object({ id: ids })),
  'documents.reconvert': job(z.object({ id: ids })),
  'vip.remind': job(none, ['remind-vip']),
  'orders.end-attempts': job(z.object({ order: z.int() }), ['end-attempts', 'order']),
  'orders.expire': job(z.object({ order: z.int() }), ['expire-order', 'order']),
  'orders.ask-payment': job(z.object({ payment: z.int() }), ['ask-payment', 'payment']),
  'orders.ask-refund': job(z.object({ refund: z.int() }), ['ask-refund', 'refund']),
  'orders.sweep': job(none, ['sweep-orders']),
  'orders.reconcile': job(none, ['reconcile-orders']),
  'articles.purge': job(z.object({ id: ids })),
  /** One for each web server: it has one connection at a time. */
  'spider.crawl-host': job(z.object({ origin: z.string() }), ['crawl-host', 'origin']),
  'spider.publish': job(z.object({ document: z.int() }), ['publish-crawled', 'document']),
  'spider.tick': job(none, ['tick-spider']),
  'spider.purge-logs': job(none),
  'search.index-documents': job(z.object({ id: ids }), ({ id }) => singleKey('index-document', id)),
  'search.index-articles': job(z.object({ id: ids }), ({ id }) => singleKey('index-article', id)),
  'search.check-documents': job(indexRange, (range) => checkKey('check-documents', range)),
  'search.check-articles': job(indexRange, (range) => checkKey('check-articles', range)),
  'search.optimize': job(none, ['optimize-index']),
  'search.renew-keywords': job(keywordRange, ['renew-keywords']),
  'search.renew-article-keywords': job(keywordRange, ['renew-article-keywords']),
  'search.purge-records': job(none),
  'feeds.check-sitemap': job(none),
  /** Tells followers of what has gathered for them since the last time. */
  'follows.announce': job(z.object({ kind: z.int(), target: z.int() }), ['announce', 'kind', 'target']),
  'follows.purge-news': job(none),
  /** One slice of the followers after another. */
  'notifications.followers': job(z.object({ batch: z.string(), after: z._default(z.int(), 0) })),
  'notifications.mail': job(none, ['mail-notifications']),
  'notifications.purge': job(none),
  'privacy.export': job(z.object({ export: z.int() }), ['export', 'export']),
  'privacy.purge-exports': job(none),
  'privacy.find-due-deletions': job(none),
  'privacy.delete-account': job(z.object({ user: z.int() }), ['delete-account', 'user']),
}

type Jobs = typeof jobs
export type JobKind = keyof Jobs
export type JobPayload<K extends JobKind> = z.output<Jobs[K]['payload']>
type JobInput<K extends JobKind> = z.input<Jobs[K]['payload']>

export type TypedHandler<K extends JobKind> = (ctx: Ctx, payload: JobPayload<K>, run: JobRun) => Promise<void>
/** One handler for each kind: leaving one out does not compile. */
export type JobHandlers = { [K in JobKind]: TypedHandler<K> }

/** A schedule of a job that needs no payload. */
export interface JobSchedule extends Omit<Schedule, 'key'> {
  kind: { [K in JobKind]: Record<string, never> extends JobInput<K> ? K : never }[JobKind]
}

/** A scheduled job is the same as one of its kind that was enqueued without a payload. */
export function toSchedule({ kind, everyMs }: JobSchedule): Schedule {
  return { kind, everyMs, key: jobKey(kind, {}) }
}

/** Written with the caller's database handle: inside a transaction the job exists only if the transaction commits. */
export async function enqueue<K extends JobKind>(
  ctx: Pick<Ctx, 'db' | 'now' | 'emit'>,
  kind: K,
  payload: JobInput<K>,
  options: Pick<NewJob, 'runAt' | 'priority' | 'owner'> = {},
): Promise<void> {
  await insertJob(ctx, { kind, payload, key: jobKey(kind, payload), ...options })
}

/** Has the waiting job of this key run now. */
export async function runNow<K extends JobKind>(ctx: Ctx, kind: K, payload: JobInput<K>): Promise<void> {
  const waiting = await ctx.db
    .updateTable('job')
    .set({ run_at: ctx.now() })
    .where('key', '=', jobKey(kind, payload))
    .where('state', '=', 'waiting')
    // Kinds may share a key.
    .returning('kind')
    .executeTakeFirst()
  if (waiting) ctx.emit('job.waiting', waiting)
}

/** Removes the waiting job of this key; one that runs goes on. */
export async function cancelWaiting<K extends JobKind>({ db }: Ctx, kind: K, payload: JobInput<K>): Promise<void> {
  await db.deleteFrom('job').where('key', '=', jobKey(kind, payload)).where('state', '=', 'waiting').execute()
}

/** Empty for kinds of which any number may wait. */
export function jobKey<K extends JobKind>(kind: K, payload: JobInput<K>): string {
  const { key } = jobs[kind] as JobDeclaration
  if (!key) return ''
  if (typeof key === 'function') return key(payload as never)
  const [prefix, ...fields] = key
  return [prefix, ...fields.map((field) => String((payload as Record<string, unknown>)[field]))].join(':')
}

/** The same key as an SQL expression, for the payload's fields as columns: `jobKeySql('mail.send', { mail: 'mail.id' })`. */
export function jobKeySql(kind: JobKind, columns: Record<string, string>): RawBuilder<string> {
  const { key } = jobs[kind] as JobDeclaration
  if (!Array.isArray(key)) throw new Error(`${kind} has no key made of fields`)
  const [prefix = '', ...fields] = key as readonly string[]
  const parts = fields.map((field) => sql` || ':' || ${sql.ref(columns[field] ?? field)}`)
  return sql<string>`${sql.lit(prefix)}${sql.join(parts, sql``)}`
}

/** Handlers as the worker calls them: each payload is checked first. */
export function checkPayloads(handlers: Partial<JobHandlers>): Record<string, JobHandler> {
  return Object.fromEntries(
    Object.entries(handlers).map(([kind, handler]) => {
      const schema = jobs[kind as JobKind].payload
      const run = handler as TypedHandler<JobKind>
      const checked: JobHandler = (ctx, payload, jobRun) => {
        const { success, data, error } = z.safeParse(schema, payload)
        // Left by another version of the program.
        if (!success) throw new PermanentJobError(`${kind}: ${z.prettifyError(error)}`)
        return run(ctx, data, jobRun)
      }
      return [kind, checked]
    }),
  )
}

/** A prefix and the fields of the payload that follow it, or a function of the payload. */
type JobKey<P> = readonly [prefix: string, ...fields: string[]] | ((payload: P) => string)

interface JobDeclaration {
  payload: z.ZodMiniType
  key?: JobKey<never>
}

function job<S extends z.ZodMiniType>(payload: S, key?: JobKey<z.input<S>>): { payload: S; key?: JobKey<z.input<S>> } {
  return { payload, ...(key && { key }) }
}

/** Only a job for a single row has a key: jobs for several rows may overlap. */
function singleKey(prefix: string, id: readonly number[]): string {
  return id.length === 1 ? `${prefix}:${id[0]}` : ''
}

function checkKey(prefix: string, { from = 0, all = false }: z.input<typeof indexRange>): string {
  return `${prefix}:${all ? 'all' : 'changed'}:${from}`
}
