import type { articles } from '#shared/contract/articles.ts'
import type { Input } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { plainLine } from '#shared/plain-text.ts'
import type { Ctx } from '#server/context.ts'
import { cleanKeywords, extractKeywords } from '#server/modules/catalog/keywords.ts'
import { cleanArticle, findCover, isEmpty, toSummary } from '../articles.html.ts'
import type { ArticleRow } from '../articles.queries.ts'

export type Draft = Pick<ArticleRow, 'title' | 'keywords' | 'description' | 'content' | 'cover'>
type Form = Pick<Input<typeof articles.create>, 'title' | 'keywords' | 'description' | 'content'>

/** The form's fields, sanitized. Missing keywords are taken from the title, a missing summary from the text. */
export function toDraft(ctx: Ctx, form: Form): Draft {
  const title = plainLine(form.title)
  if (!title) throw errors.articles.titleNeeded()
  const content = cleanArticle(form.content, siteOrigin(ctx))
  if (isEmpty(content)) throw errors.articles.contentNeeded()
  return {
    title,
    keywords: plainKeywords(form.keywords) || extractKeywords(title),
    description: form.description || toSummary(content),
    content,
    cover: findCover(content),
  }
}

/** As `toDraft`, for an existing article: a summary that was taken from the old text is taken from the new one. */
export function toUpdatedDraft(ctx: Ctx, row: ArticleRow, form: Form): Draft {
  const isGenerated = form.description === row.description && row.description === toSummary(row.content)
  return toDraft(ctx, isGenerated ? { ...form, description: '' } : form)
}

export function isRewritten(row: ArticleRow, draft: Draft): boolean {
  return (['title', 'keywords', 'description', 'content'] as const).some((column) => row[column] !== draft[column])
}

function plainKeywords(keywords: string): string {
  return cleanKeywords(cleanKeywords(keywords).split(',').map(plainLine).join(','))
}

function siteOrigin({ settings }: Ctx): string {
  return URL.parse(settings.system.domain)?.origin ?? ''
}
