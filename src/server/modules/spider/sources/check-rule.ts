import { isDeepStrictEqual } from 'node:util'
import type { spiderSources } from '#shared/contract/spider.ts'
import { documentExts } from '#shared/document-kinds.ts'
import type { Input } from '#shared/endpoint.ts'
import { ContentType } from '#shared/enums.ts'
import { AppError, errors, type FieldProblem } from '#shared/errors.ts'
import { SpiderPublish } from '#shared/spider.ts'
import type { Ctx } from '#server/context.ts'
import { loadTree } from '#server/modules/catalog/categories.queries.ts'
import { findUser } from '#server/modules/users/users.queries.ts'
import { findCategoryProblem } from '../documents/categories.ts'
import { validatePattern } from '../extract/patterns.ts'
import { validateSelector } from '../extract/selectors.ts'
import { parseFullAddress } from './addresses.ts'

export type SourceForm = Input<typeof spiderSources.create>

type FieldOf<V> = { [K in keyof SourceForm]: SourceForm[K] extends V ? K : never }[keyof SourceForm]

const patternFields = ['follow', 'exclude', 'item'] as const satisfies FieldOf<string[]>[]
const selectorFields = [
  'selector_title',
  'selector_description',
  'selector_keywords',
  'selector_date',
  'selector_next',
  'selector_content',
] as const satisfies FieldOf<string>[]

/** Refuses a rule by which nothing could be crawled, with each problem beside its field. `before` is what the form changes. */
export async function assertValidRule(ctx: Ctx, form: SourceForm, before?: Partial<SourceForm>): Promise<void> {
  const problems = [
    ...checkTexts(form),
    ...(await checkReferences(ctx, form, before)),
    ...checkRights(ctx, form, before),
  ]
  const [first] = problems
  if (!first) return
  const { reason, status, message } = errors.spider.ruleWrong(first.message)
  throw new AppError(reason, status, message, problems)
}

/** `.pdf`, whether it was written so or as `PDF`. */
export function toExts(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => `.${name.toLowerCase().replace(/^\.+/, '')}`))]
}

function checkTexts(form: SourceForm): FieldProblem[] {
  const wrongStart = form.start.findIndex((address) => !parseFullAddress(address, form.drop_params))
  const wrongExt = toExts(form.ext).find((ext) => !documentExts.includes(ext))
  return [
    ...problem('start', wrongStart >= 0 && `第 ${wrongStart + 1} 个网址不对，${errors.spider.addressWrong().message}`),
    ...problem(
      'item',
      form.target === ContentType.Article && form.item.length === 0 && '请填写文章页的网址规则，例如 /news/*.html',
    ),
    ...patternFields.flatMap((field) => problem(field, checkEach(form[field], validatePattern))),
    ...problem(
      'category_rule',
      checkEach(
        form.category_rule.map(({ pattern }) => pattern),
        validatePattern,
      ),
    ),
    ...selectorFields.flatMap((field) => problem(field, form[field] !== '' && validateSelector(form[field]))),
    ...problem('ext', wrongExt && `网站不支持 ${wrongExt} 格式的文档`),
  ]
}

async function checkReferences(
  { db }: Ctx,
  { target, category_id, category_rule, language, user_id }: SourceForm,
  before: Partial<SourceForm> = {},
): Promise<FieldProblem[]> {
  const tree = await loadTree(db)
  const owner = user_id > 0 ? await findUser(db, user_id) : undefined
  const isKnown =
    // A source may be in a language that the site has deleted.
    language === '' ||
    language === before.language ||
    (await db.selectFrom('language').select('id').where('code', '=', language).executeTakeFirst()) !== undefined
  return [
    ...problem('category_id', findCategoryProblem(tree, category_id, target)),
    ...problem(
      'category_rule',
      checkEach(category_rule, (rule) => findCategoryProblem(tree, rule.category_id, target)),
    ),
    ...problem('language', !isKnown && errors.documents.languageUnknown().message),
    ...problem('user_id', user_id > 0 && (!owner || owner.deleted_at !== null) && '用户不存在或已注销，请重新选择'),
  ]
}

/** These decide when something is requested, not what is published, as whose, where and at which price. */
const harmless: ReadonlySet<string> = new Set([
  'name',
  'enable',
  'schedule',
  'quiet_from',
  'quiet_to',
  'delay',
] satisfies (keyof SourceForm)[])

/** What is published by itself is published by the right of the user who has said so: others may not change what that is. */
function checkRights({ viewer }: Ctx, form: SourceForm, before?: Partial<SourceForm>): FieldProblem[] {
  if (form.publish === SpiderPublish.Manual || viewer.can('SpiderDocumentAPI/PublishSpiderDocument')) return []
  if (before?.publish !== form.publish) return problem('publish', '您没有发布采集文档的权限，请选择“人工发布”')
  const isSame = isDeepStrictEqual(publishedPart(form), publishedPart(before))
  return problem(
    'publish',
    !isSame && '这个采集源会自动发布，而您没有发布采集文档的权限：请只修改名称和采集时间，或选择“人工发布”',
  )
}

function publishedPart(form: Partial<SourceForm>): object {
  return Object.fromEntries(Object.entries(form).filter(([field]) => !harmless.has(field)))
}

/** The first problem of a list, with its place. */
function checkEach<T>(items: readonly T[], check: (item: T) => string | undefined): string | undefined {
  for (const [index, item] of items.entries()) {
    const message = check(item)
    if (message) return `第 ${index + 1} 条：${message}`
  }
  return undefined
}

function problem(field: keyof SourceForm, message: string | false | undefined): FieldProblem[] {
  return message ? [{ field, message }] : []
}
