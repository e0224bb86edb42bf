import { FileClock } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Article } from '#shared/contract/articles.ts'
import { reviewStatusLabels } from '#shared/enums.ts'
import { CoverPicker } from '#web/features/editor/cover/cover-picker.tsx'
import { HistoryButton } from '#web/features/editor/history/history-button.tsx'
import { submitOutcome } from '#web/features/editor/rights.ts'
import { TagInput } from '#web/features/editor/tag-input.tsx'
import { type ArticleForm, maxSummaryLength, parsePath } from '#web/features/editor/use-article-form.ts'
import { hasPermission, useSession } from '#web/lib/session.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Field } from '#web/ui/forms/field.tsx'
import { TextField } from '#web/ui/forms/input.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { type PathNode, PathSelect } from '#web/ui/forms/path-select.tsx'
import { TextArea } from '#web/ui/forms/textarea.tsx'

interface PublishPanelProps {
  form: ArticleForm
  article: Article | undefined
  categories: readonly PathNode[]
  /** The pictures in the text. */
  pictures: readonly string[]
  /** When the draft was saved, as a text. */
  draftStatus: string
  children: ReactNode
}

/** The fields beside the text, and the submit button. */
export function PublishPanel({ form, article, categories, pictures, draftStatus, children }: PublishPanelProps) {
  const session = useSession()
  const { button, effect } = submitOutcome(session, article)
  const category = form.field('category_id')
  const keywords = form.field('keywords')
  const summary = form.field('description')
  const cover = form.field('cover')
  return (
    <aside aria-label="发布" className="min-w-0">
      <div className="article-side space-y-5 rounded-lg border border-line bg-surface p-5">
        {children}
        <div className="space-y-2">
          <Button type="submit" variant="primary" wide busy={form.busy || form.isSending}>
            {button}
          </Button>
          <p className="text-sm text-muted">{effect}</p>
          {article && <p className="text-sm text-muted">当前状态：{reviewStatusLabels[article.status]}</p>}
          <p className="text-sm text-muted sm:hidden">{draftStatus}</p>
          <div className="-ml-3 flex flex-wrap empty:hidden">
            {article && <HistoryButton article={article} />}
            <ButtonLink to="/me/article" variant="quiet" size="sm">
              <FileClock size={15} aria-hidden />
              我的草稿
            </ButtonLink>
          </div>
          {form.problem && <Notice tone="danger">{form.problem}</Notice>}
        </div>
        <div inert={form.isSending} className="space-y-5">
          <Field
            label="分类（必选）"
            error={category.error}
            help={categories.length === 0 ? '网站还没有文章分类，可以直接发布' : undefined}
          >
            {(control) => (
              <PathSelect
                nodes={categories}
                value={parsePath(category.value)}
                onChange={(path) => category.onChange(path.join(' '))}
                labels={{ none: '请选择分类', noFurther: '不再细分', below: '下级分类' }}
                control={control}
              />
            )}
          </Field>
          <CoverPicker value={cover.value} pictures={pictures} onChange={cover.onChange} />
          <TagInput value={keywords.value} onChange={keywords.onChange} error={keywords.error} />
          <TextArea
            label="摘要"
            {...summary}
            rows={4}
            help={summary.value ? `${summary.value.length}/${maxSummaryLength}` : '留空时取正文的前 200 个字'}
          />
          {!article && hasPermission(session, 'ArticleAPI/CreateArticle') && (
            <TextField
              label="标识"
              {...form.field('identifier')}
              maxLength={64}
              autoComplete="off"
              help="文章地址的最后一段，只能用字母、数字和短横线；留空自动生成"
            />
          )}
          {hasPermission(session, article ? 'ArticleAPI/UpdateArticle' : 'ArticleAPI/CreateArticle') && (
            <>
              <TextField label="来源名称" {...form.field('source_name')} autoComplete="off" help="显示在文章末尾" />
              <TextField
                label="来源链接"
                {...form.field('source_url')}
                inputMode="url"
                placeholder="https://"
                autoComplete="off"
              />
            </>
          )}
          {hasPermission(session, 'ArticleAPI/RecommendArticles') && (
            <label className="inline-flex min-h-8 cursor-pointer items-center gap-2 text-sm">
              <input
                type="checkbox"
                checked={form.isRecommended}
                onChange={({ target }) => form.setIsRecommended(target.checked)}
                className="size-4 accent-accent"
              />
              推荐这篇文章
            </label>
          )}
        </div>
      </div>
    </aside>
  )
}
