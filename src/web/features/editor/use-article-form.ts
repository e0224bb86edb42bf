import { ReviewStatus } from '#shared/enums.ts'
import type { Editor } from '@tiptap/react'
import { useRef, useState } from 'react'
import * as z from 'zod/mini'
import { type Article, articles, maxArticleLength } from '#shared/contract/articles.ts'
import { hasUploads } from '#web/features/editor/media/uploads.ts'
import { parseTags, joinTags } from '#web/features/articles/tags.ts'
import { chosenCover } from '#web/features/editor/cover/chosen-cover.ts'
import { api } from '#web/lib/api.ts'
import { useForm } from '#web/lib/form.ts'
import { pathTo } from '#web/lib/tree.ts'
import type { PathNode } from '#web/ui/forms/path-select.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

export const maxSummaryLength = 500

interface ArticleFormOptions {
  article: Article | undefined
  categories: readonly PathNode[]
  editor: () => Editor | null
  /** Waits until the draft is not being saved, and gives its id on the server, which publishing deletes; 0 without one. */
  settleDraft: () => Promise<number>
  onSaved: (identifier: string) => void
}

export type ArticleForm = ReturnType<typeof useArticleForm>

/** The form of an article. The text stays in the editor until it is submitted. */
export function useArticleForm({ article, categories, editor, settleDraft, onSaved }: ArticleFormOptions) {
  const [isRecommended, setIsRecommended] = useState(Boolean(article?.recommend_at))
  /** Editing is blocked until the request has failed or the page is left. */
  const [isSending, setIsSending] = useState(false)
  const [problemCount, setProblemCount] = useState(0)
  const content = useRef('')
  const contentProblem = () => {
    const problem = findContentProblem(editor(), content.current)
    return problem === undefined ? {} : { content: problem }
  }
  const form = useForm({
    initial: {
      title: article?.title ?? '',
      keywords: joinTags(parseTags(article?.keywords ?? '')),
      description: article?.description ?? '',
      category_id: longestPath(article, categories).join(' '),
      identifier: '',
      cover: article ? chosenCover(article) : '',
      source_name: article?.source_name ?? '',
      source_url: article?.source_url ?? '',
      content: '',
    },
    schema,
    required: { title: '请输入标题', ...(categories.length > 0 && { category_id: '请选择分类' }) },
    check: ({ description }) => ({
      ...contentProblem(),
      ...(description.length > maxSummaryLength && { description: `摘要最多 ${maxSummaryLength} 个字` }),
    }),
    reasons: {
      'articles.identifierTaken': 'identifier',
      'articles.contentNeeded': 'content',
      'articles.tooLarge': 'content',
      'articles.categoryNeeded': 'category_id',
      'articles.categoryUnknown': 'category_id',
    },
    submit: async ({ category_id, identifier, content: _unread, ...texts }) => {
      setIsSending(true)
      const draft_id = await settleDraft()
      const fields = { ...texts, category_id: parsePath(category_id), content: content.current, draft_id }
      if (article) await api(articles.update, { id: article.id, ...fields })
      const saved = article ?? (await api(articles.create, { ...fields, identifier }))
      if (article) toast('已保存')
      else toast(saved.status === ReviewStatus.Approved ? '已发布' : '已提交，审核通过后公开')
      if (isRecommended !== Boolean(article?.recommend_at)) await recommend(saved.id, isRecommended)
      onSaved(saved.identifier)
    },
    failed: () => {
      setIsSending(false)
      setProblemCount((before) => before + 1)
    },
  })
  return {
    ...form,
    isRecommended,
    setIsRecommended,
    isSending,
    problemCount,
    clearContentProblem: () => form.field('content').error && form.change('content', ''),
    fill: (values: Partial<typeof form.values>) => {
      for (const name of ['title', 'keywords', 'description', 'category_id', 'identifier', 'cover'] as const) {
        form.change(name, values[name] ?? '')
      }
    },
    frame: {
      ...form.frame,
      onSubmit: (event: Parameters<typeof form.frame.onSubmit>[0]) => {
        event.preventDefault()
        if (form.busy || isSending) return
        setProblemCount((before) => before + 1)
        content.current = editor()?.getHTML() ?? ''
        form.frame.onSubmit(event)
      },
    },
  }
}

const schema = z.pick(articles.create.input, {
  title: true,
  keywords: true,
  description: true,
  identifier: true,
  source_name: true,
  source_url: true,
})

/** The article is saved already: a failure here must not lead to another submit. */
async function recommend(id: number, is_recommend: boolean): Promise<void> {
  try {
    await api(articles.recommend, { article_id: [id], is_recommend })
  } catch {
    toast('文章已保存，但推荐没有改成，请在文章页面重试', 'danger')
  }
}

function findContentProblem(editor: Editor | null, html: string): string | undefined {
  if (!editor || editor.isEmpty) return '请输入正文'
  if (hasUploads(editor)) return '有图片或视频还没有上传完，请稍候，或重试、移除后再发布'
  return html.length > maxArticleLength ? `正文最多 ${maxArticleLength} 个字符，请分成几篇文章` : undefined
}

/** The form stores a path of categories as their ids from the root down. */
export function parsePath(text: string): number[] {
  return text.split(' ').filter(Boolean).map(Number)
}

/** The path to the deepest of the article's categories. */
function longestPath(article: Article | undefined, categories: readonly PathNode[]): number[] {
  const paths = (article?.category_id ?? []).map((id) => pathTo(categories, id).map((node) => node.id))
  return paths.toSorted((a, b) => b.length - a.length)[0] ?? []
}
