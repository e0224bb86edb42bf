import { describeInput } from '#server/audit-text.ts'
import type { AuditNote, Ctx } from '#server/context.ts'

/** An audited call, as `mount` names it. */
export interface AuditedCall {
  area: string
  action: string
  input: Record<string, unknown>
}

export interface AuditTrail {
  /** Goes into the context of the handler. */
  ctx: Pick<Ctx, 'audit' | 'beforeCommit'>
  /** After the handler: writes what no transaction has written, and the id of what was created. */
  finish(ctx: Ctx, reply: unknown): Promise<void>
}

const maxIds = 20
const maxChangeLength = 2000

/** Writes one row for a call: in the first transaction of its handler, so that no change goes without its row. */
export function openAuditTrail({ area, action, input }: AuditedCall): AuditTrail {
  const note: AuditNote = {}
  let writtenId: number | undefined
  let isWriting = false

  const write = async (ctx: Ctx): Promise<number> => {
    const { id } = await ctx.db
      .insertInto('audit_log')
      .values({
        user_id: ctx.viewer.id,
        username: ctx.viewer.username,
        ip: ctx.origin.ip,
        area,
        action,
        target_ids: (note.ids ?? findIds(area, input)).slice(0, maxIds).join(','),
        change: (note.change ?? describeInput(input, { except: ['id', idKey(area)] }))
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
        if (writtenId !== undefined || isWriting) return undefined
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
      writtenId ??= await write(ctx)
      const createdId = (reply as { id?: unknown }).id
      if (findIds(area, input).length > 0 || note.ids || typeof createdId !== 'number') return
      const target_ids = String(createdId)
      await ctx.db.updateTable('audit_log').set({ target_ids }).where('id', '=', writtenId).execute()
    },
  }
}

/** `id`, or the key that names this area's rows: `document_id`, `group_id` … */
function findIds(area: string, input: Record<string, unknown>): (string | number)[] {
  const ids = input.id ?? input[idKey(area)] ?? input.user_id
  return (Array.isArray(ids) ? ids : [ids]).filter((id) => typeof id === 'number' || typeof id === 'string')
}

function idKey(area: string): string {
  return `${area.replace(/(Recycle|s)$/, '')}_id`
}
