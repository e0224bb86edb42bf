import type { Ctx } from '#server/context.ts'
import { escapeHtml } from '#server/html.ts'

/** The addresses that search engines should know. A site that is not open to all has none. */
export async function sitemap({ db, settings }: Ctx, origin: string): Promise<string | undefined> {
  if (settings.security.is_close || settings.security.login_required) return undefined
  const categories = await db
    .selectFrom('category')
    .select(['id', 'type'])
    .where('enable', '=', 1)
    .orderBy('id')
    .limit(10_000)
    .execute()
  const paths = [
    '/',
    '/category',
    '/article',
    ...categories.map(({ id, type }) => (type === 0 ? `/category/${id}` : `/article?category_id=${id}`)),
  ]
  const urls = paths.map(
    (path) => `<url><loc>${escapeHtml(new URL(path, settings.system.domain || origin).href)}</loc></url>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>`
}
