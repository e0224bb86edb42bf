import { permissionCatalogue } from '#shared/permissions.ts'
import type { Ctx } from '#server/context.ts'
import { insertReadyMadeGroups } from './ready-made-groups.ts'

/** The initial groups: what new members bring is reviewed, what administrators bring is not. */
export async function seedGroups({ db, now }: Ctx): Promise<void> {
  const stamps = { created_at: now(), updated_at: now() }
  const common = { enable_upload: 1, enable_comment: 1, enable_article: 1, ...stamps } as const
  await db
    .insertInto('group')
    .values([
      {
        title: '超级管理员',
        description: '管理整个网站',
        color: '#b45309',
        is_default: 0,
        is_display: 1,
        sort: 100,
        enable_document_review: 0,
        enable_comment_approval: 0,
        enable_article_approval: 0,
        ...common,
      },
      {
        title: '普通用户',
        color: '',
        description: '新注册的用户',
        is_default: 1,
        is_display: 1,
        sort: 0,
        enable_document_review: 1,
        enable_comment_approval: 1,
        enable_article_approval: 1,
        ...common,
      },
    ])
    .execute()
  await insertReadyMadeGroups({ db, now })
}

/** Adds permissions that are new in the catalogue. Titles that the owner edited stay. */
export async function addMissingPermissions({ db, now }: Pick<Ctx, 'db' | 'now'>): Promise<void> {
  const rows = permissionCatalogue.map((permission) => ({ ...permission, created_at: now(), updated_at: now() }))
  await db
    .insertInto('permission')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['method', 'path']).doNothing())
    .execute()
}
