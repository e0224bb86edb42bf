import { contract } from '#shared/contract/contract.ts'
import type { Contract } from '#shared/endpoint.ts'
import { describeInput } from '#server/audit-text.ts'
import type { AuditNote, Ctx } from '#server/context.ts'
import { toAct, toSentence } from './audit.sentences.ts'
import { findTargets, idKinds, kindOf, type Target, type Where } from './audit.targets.ts'

/** An audited call, as `mount` names it. */
export interface AuditedCall {
  area: string
  action: string
  input: Record<string, unknown>
}

export interface AuditTrail {
  /** Goes into the context of the handler. */
  ctx: Pick<Ctx, 'audit' | 'beforeCommit'>
  /** After the handler: writes what no transaction has written, and what was created. */
  finish(ctx: Ctx, reply: unknown): Promise<void>
}

type Ids = readonly (number | string)[]

const maxIds = 20
const maxChangeLength = 2000

/**
 * Writes one row for a call: in the first transaction of its handler, so that no change goes without its row. Names are
 * read before: what is deleted is called in its entry as it was.
 */
export async function openAuditTrail(ctx: Ctx, { area, action, input }: AuditedCall): Promise<AuditTrail> {
  const note: AuditNote = {}
  const named = findNamed(area, input)
  const own = { area, action }
  const where: Where = named.kind ? { kind: named.kind } : own
  const targets = await findTargets(ctx, where, named.ids)
  const change = await describeCall(ctx, { area, action, input }, named.key)
  let writtenId: number | undefined
  let isWriting = false

  const toAbout = (ids: Ids, about: readonly Target[]) => ({
    target_ids: ids.slice(0, maxIds).join(','),
    targets: JSON.stringify(about),
    sentence: toSentence(area, note.act ?? toAct(area, action, input), about, ids.length),
  })

  /** The targets that a handler names, under their names of before where these are known: of the same kind. */
  const refine = async (ctx: Ctx, ids: Ids): Promise<Target[]> => {
    const found = await findTargets(ctx, own, ids)
    if (kindOf(own, ids) !== kindOf(where, named.ids)) return found
    const known = new Map(targets.map((target) => [target.id, target]))
    return found.map((target) => known.get(target.id) ?? target)
  }

  const write = async (ctx: Ctx): Promise<number> => {
    const about = note.ids ? toAbout(note.ids, await refine(ctx, note.ids)) : toAbout(named.ids, targets)
    const { id } = await ctx.db
      .insertInto('audit_log')
      .values({
        user_id: ctx.viewer.id,
        username: ctx.viewer.username,
        ip: ctx.origin.ip,
        area,
        action,
        ...about,
        change: [note.change ?? change, note.notice]
          .filter(Boolean)
          .join('。')
          .slice(0, maxChangeLength)
          .toWellFormed(),
        created_at: ctx.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }

  return {
    ctx: {
      audit: (details) => void Object.assign(note, details),
      async beforeCommit(ctx) {
        if (writtenId !== undefined || isWriting || note.isRepeated) return undefined
        isWriting = true
        try {
          const id = await write(ctx)
          return () => (writtenId = id)
        } finally {
          isWriting = false
        }
      },
    },
    async finish(ctx, reply) {
      if (note.isRepeated) return
      writtenId ??= await write(ctx)
      const createdId = (reply as { id?: unknown }).id
      if (named.ids.length > 0 || note.ids || typeof createdId !== 'number') return
      const about = toAbout([createdId], await findTargets(ctx, own, [createdId]))
      await ctx.db.updateTable('audit_log').set(about).where('id', '=', writtenId).execute()
    },
  }
}

/** `id`, or the key that names this area's rows: `document_id`, `group_id` … or the member it is about. */
function findNamed(area: string, input: Record<string, unknown>) {
  const key = ['id', idKey(area), 'user_id', 'document_id'].find((key) => input[key] !== undefined) ?? 'id'
  const values: unknown[] = [input[key]].flat()
  const ids = values.filter((id) => typeof id === 'number' || typeof id === 'string')
  return { key, ids, kind: key === 'id' ? undefined : idKinds[key] }
}

/** The input in words, with names in place of ids. */
async function describeCall(ctx: Ctx, { area, action, input }: AuditedCall, namedKey: string): Promise<string> {
  const named = { ...input }
  for (const [key, kind] of Object.entries(idKinds)) {
    const ids = [input[key]].flat().filter((id) => typeof id === 'number')
    if (!kind || key === namedKey || ids.length === 0) continue
    const targets = await findTargets(ctx, { kind }, ids)
    named[key] = targets.map(({ id, name }) => name || id)
  }
  const areas: Record<string, Contract | undefined> = contract
  // Neither a key that tells one try of a request from the next nor a switch for other keys says what was done.
  const except = ['key', 'from', 'sets_end', namedKey]
  return describeInput(named, { except, schema: areas[area]?.[action]?.input })
}

function idKey(area: string): string {
  return `${area.replace(/(Recycle|s)$/, '')}_id`
}
