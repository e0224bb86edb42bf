import type { articles } from '#shared/contract/articles.ts'
import type { Input } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { plainLine } from '#shared/plain-text.ts'
import type { Ctx } from '#server/context.ts'
import { cleanKeywords, keywordsIn } from '#server/modules/catalog/keywords.ts'
import { cleanArticle, coverOf, isEmpty, openingOf } from './articles.html.ts'
import type { ArticleRow } from './articles.queries.ts'

export type Draft = Pick<ArticleRow, 'title' | 'keywords' | 'description' | 'content' | 'cover'>
type Form = Pick<Input<typeof articles.create>, 'title' | 'keywords' | 'description' | 'content'>

/** What a form says, made fit to be kept. What was left out is taken from the title and the text. */
export function draftOf(ctx: Ctx, form: Form): Draft {
  const title = plainLine(form.title)
  if (!title) throw errors.articles.titleNeeded()
  const content = cleanArticle(form.content, originOf(ctx))
  if (isEmpty(content)) throw errors.articles.contentNeeded()
  return {
    title,
    keywords: plainKeywords(form.keywords) || keywordsIn(title),
    description: form.description || openingOf(content),
    content,
    cover: coverOf(content),
  }
}

/** As `draftOf`, for an article that is there: a summary taken from the old text is taken from the new one now. */
export function redraftOf(ctx: Ctx, row: ArticleRow, form: Form): Draft {
  const untouched = form.description === row.description && row.description === openingOf(row.content)
  return draftOf(ctx, untouched ? { ...form, description: '' } : form)
}

export function isRewritten(row: ArticleRow, draft: Draft): boolean {
  return (['title', 'keywords', 'description', 'content'] as const).some((column) => row[column] !== draft[column])
}

function plainKeywords(given: string): string {
  return cleanKeywords(cleanKeywords(given).split(',').map(plainLine).join(','))
}

function originOf({ settings }: Ctx): string {
  return URL.parse(settings.system.domain)?.origin ?? ''
}
