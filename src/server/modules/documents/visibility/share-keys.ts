import type { Ctx, ViewerShare } from '#server/context.ts'
import { hmac, timingSafeEqualText } from '#server/keys.ts'

const lifetimeMs = 12 * 3_600_000
/** More than one browser tab has open. */
const maxKeys = 10

type ShareCtx = Pick<Ctx, 'db' | 'keys' | 'now'>

/** Proves that its holder knows the link and its password. The link may end earlier than its keys. */
export function makeShareKey({ keys, now }: Pick<Ctx, 'keys' | 'now'>, shareId: number): string {
  const body = `${shareId}.${now() + lifetimeMs}`
  return `${body}.${sign(keys, body)}`
}

/** The live share links that these keys open. */
export async function findShares(ctx: ShareCtx, header: string): Promise<ViewerShare[]> {
  const ids = header.split(',', maxKeys).flatMap((key) => readShareKey(ctx, key.trim()) ?? [])
  return findLiveShares(ctx, ids)
}

export async function findLiveShares({ db, now }: Pick<Ctx, 'db' | 'now'>, ids: readonly number[]) {
  if (ids.length === 0) return []
  return db
    .selectFrom('document_share')
    .select(['id', 'document_id', 'downloads_left'])
    .where('id', 'in', [...new Set(ids)])
    .where((where) => where.or([where('ends_at', 'is', null), where('ends_at', '>', now())]))
    .execute()
}

function readShareKey({ keys, now }: Pick<Ctx, 'keys' | 'now'>, key: string): number | undefined {
  const [, body = '', id = '', expiry = '', signature = ''] = /^((\d{1,15})\.(\d{1,15}))\.([\w-]+)$/.exec(key) ?? []
  if (body === '' || Number(expiry) <= now()) return undefined
  return timingSafeEqualText(signature, sign(keys, body)) ? Number(id) : undefined
}

function sign(keys: Ctx['keys'], body: string): string {
  return hmac(keys.view, `share:${body}`)
}
