import type { articles } from '#shared/contract/articles.ts'
import type { Input } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { plainLine } from '#shared/plain-text.ts'
import type { Ctx } from '#server/context.ts'
import { cleanKeywords, extractKeywords } from '#server/modules/catalog/keywords.ts'
import { acceptCover, assertFewTags, findCover, toSummary, uploadPath } from '../articles.html.ts'
import { canManage } from '../articles.policy.ts'
import type { ArticleRow } from '../articles.queries.ts'
import type { Sanitizer } from '../articles.sanitizer.ts'

export interface Draft {
  columns: Pick<ArticleRow, 'title' | 'keywords' | 'description' | 'content' | 'cover'>
  /** The paths of the uploaded files in its content. */
  uploads: string[]
}
type Form = Pick<Input<typeof articles.create>, 'title' | 'keywords' | 'description' | 'content' | 'cover'>

/** What can be told without sanitizing the content. An article may stay as large as it is. */
export function assertCanSanitize({ viewer, settings }: Ctx, form: Form, current?: ArticleRow): void {
  if (!plainLine(form.title)) throw errors.articles.titleNeeded()
  const maxSize = settings.security.max_article_size * 1024
  const size = Buffer.byteLength(form.content)
  if (!canManage(viewer) && size > Math.max(maxSize, Buffer.byteLength(current?.content ?? '')))
    throw errors.articles.tooLarge(settings.security.max_article_size)
  assertFewTags(form.content)
}

/** The form's fields, sanitized. Missing keywords are taken from the title, a missing summary from the text. */
export async function toDraft(ctx: Ctx, form: Form, sanitizer: Sanitizer): Promise<Draft> {
  const title = plainLine(form.title)
  const origin = URL.parse(ctx.settings.system.domain)?.origin ?? ''
  const { content, isEmpty, summary, cover, uploads } = await sanitizer.sanitize({ source: form.content, origin })
  if (isEmpty) throw errors.articles.contentNeeded()
  const keywords = plainKeywords(form.keywords) || extractKeywords(title)
  const chosen = acceptCover(content, form.cover ?? '')
  return {
    columns: { title, keywords, description: form.description || summary, content, cover: chosen || cover },
    uploads: uploadPath.test(chosen) ? [...new Set([...uploads, chosen])] : uploads,
  }
}

/** As `toDraft`, for an existing article: a summary or a cover that was taken from the old text is taken from the new one. */
export function toUpdatedDraft(ctx: Ctx, row: ArticleRow, form: Form, sanitizer: Sanitizer): Promise<Draft> {
  const isGenerated = form.description === row.description && row.description === toSummary(row.content)
  const cover = form.cover ?? row.cover
  const isFirstPicture = cover === row.cover && cover === findCover(row.content)
  return toDraft(
    ctx,
    { ...form, ...(isGenerated && { description: '' }), cover: isFirstPicture ? '' : cover },
    sanitizer,
  )
}

export function isRewritten(row: ArticleRow, { columns }: Draft): boolean {
  return columnNames.some((column) => row[column] !== columns[column])
}

const columnNames = ['title', 'keywords', 'description', 'content', 'cover'] as const

function plainKeywords(keywords: string): string {
  return cleanKeywords(cleanKeywords(keywords).split(',').map(plainLine).join(','))
}
