import type { reading } from '#shared/contract/reading.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import type { MemberCtx } from '#server/context.ts'

export async function findRecording(ctx: MemberCtx): Promise<Reply<typeof reading.recording>> {
  return { is_paused: await isRecordingPaused(ctx) }
}

export async function isRecordingPaused({ db, viewer }: MemberCtx): Promise<boolean> {
  const row = await db.selectFrom('reading_pause').select('user_id').where('user_id', '=', viewer.id).executeTakeFirst()
  return row !== undefined
}

export async function setRecording(
  { db, viewer, now }: MemberCtx,
  { is_paused }: Input<typeof reading.setRecording>,
): Promise<void> {
  if (is_paused)
    await db
      .insertInto('reading_pause')
      .values({ user_id: viewer.id, created_at: now() })
      .onConflict((conflict) => conflict.column('user_id').doNothing())
      .execute()
  else await db.deleteFrom('reading_pause').where('user_id', '=', viewer.id).execute()
}
