import type { Ctx } from '#server/context.ts'
import { languages } from '#server/modules/catalog/language-list.ts'

/** The fixed navigation entries. */
export async function seedNavigation({ db, now }: Ctx): Promise<void> {
  const stamps = { created_at: now(), updated_at: now() }
  const fixed = { target: '_self', enable: 1, parent_id: 0, fixed: 1, ...stamps } as const
  await db
    .insertInto('navigation')
    .values([
      { title: '首页', href: '/', sort: 102_400, ...fixed },
      { title: '文库资料', href: '/category', sort: 102_300, ...fixed },
      { title: '文章资讯', href: '/article', sort: 102_200, ...fixed },
    ])
    .execute()
}

/** The languages a document can be in; the first eight are enabled until the site's owner chooses others. */
export async function seedLanguages({ db, now }: Ctx): Promise<void> {
  const names = new Intl.DisplayNames('zh-CN', { type: 'language', fallback: 'code' })
  const rows = languages.map((code, index) => ({
    code,
    language: names.of(code) ?? code,
    enable: index < 8 ? (1 as const) : (0 as const),
    sort: languages.length - index,
    created_at: now(),
    updated_at: now(),
  }))
  await db.insertInto('language').values(rows).execute()
}
