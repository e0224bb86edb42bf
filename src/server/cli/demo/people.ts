import { randomBytes } from 'node:crypto'
import type { Call } from '#shared/client.ts'
import { groups } from '#shared/contract/access.ts'
import { users } from '#shared/contract/users.ts'
import type { App } from '../../app.ts'
import type { Ctx } from '../../context.ts'
import { findUserByName } from '../../modules/users/users.queries.ts'
import { UsageError } from '../command.ts'
import { type Person, signIn } from '../person.ts'

const groupTitle = '资料员'

/** A member who may publish without review, created if the name does not exist yet. */
export async function signInAsMember(
  ctx: Ctx,
  app: App,
  { username, signature, groupId, root }: { username: string; signature: string; groupId: number; root: Call },
): Promise<Person> {
  if (!(await findUserByName(ctx.db, username))) {
    const password = randomBytes(18).toString('base64url')
    await root(users.create, { username, password, email: '', group_id: [groupId] })
  }
  const user = await findUserByName(ctx.db, username)
  const isOurs = user && (await isIn(ctx, user.id, groupId))
  if (!isOurs) throw new UsageError(`用户名 ${username} 已经有人使用，演示资料不会以别人的名义发布`)
  const person = await signIn(ctx, app, user.id)
  await person.call(users.profile, { signature })
  return person
}

export async function ensureMemberGroup(root: Call): Promise<number> {
  const { group } = await root(groups.list)
  const existing = group.find(({ title }) => title === groupTitle)
  if (existing) return existing.id
  const created = await root(groups.create, {
    title: groupTitle,
    description: '可以上传文档、发布文章，不需要审核',
    is_display: true,
    enable_upload: true,
    enable_article: true,
    enable_comment: true,
  })
  return created.id
}

async function isIn({ db }: Ctx, user: number, group: number): Promise<boolean> {
  const row = await db
    .selectFrom('user_group')
    .select('user_id')
    .where('user_id', '=', user)
    .where('group_id', '=', group)
    .executeTakeFirst()
  return row !== undefined
}

/** Uploads a file as a form does; gives the id of the attachment. */
export async function upload(person: Person, name: string, content: Uint8Array): Promise<number> {
  const form = new FormData()
  form.append('file', new File([new Uint8Array(content)], name))
  const response = await person.send('/api/v1/upload/document', { method: 'POST', body: form })
  const { data, message } = (await response.json()) as { data?: { id: number }; message?: string }
  if (!data) throw new UploadRefused(message)
  return data.id
}

export class UploadRefused extends Error {}
