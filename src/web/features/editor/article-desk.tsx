import type { Editor } from '@tiptap/react'
import { useEffect, useRef, useState, type DragEvent, type KeyboardEvent, type ReactNode } from 'react'
import type { Article } from '#shared/contract/articles.ts'
import { DraftOffer } from '#web/features/editor/draft-offer.tsx'
import type { Content, Draft } from '#web/features/editor/draft.ts'
import { LeaveGuard } from '#web/features/editor/leave-guard.tsx'
import { formatMoment } from '#web/features/editor/moment.ts'
import { RichEditor } from '#web/features/editor/rich-editor.tsx'
import { Side } from '#web/features/editor/side.tsx'
import { mediaIn, uploadFiles } from '#web/features/editor/uploads.ts'
import { useArticleForm } from '#web/features/editor/use-article-form.ts'
import { useDraft } from '#web/features/editor/use-draft.ts'
import { countWords } from '#web/features/editor/word-count.ts'
import type { PathNode } from '#web/ui/path-select.tsx'
import { cx } from '#web/ui/class-names.ts'
import { controlClass } from '#web/ui/input.tsx'
import { Notice } from '#web/ui/notice.tsx'

interface ArticleDeskProps {
  user: number
  /** The one that is edited; none for a new one. */
  article?: Article | undefined
  categories: readonly PathNode[]
  /** It is kept by the server. Leads away. */
  onSaved: (identifier: string) => void
  /** Stands above the rest of the side. */
  children?: ReactNode
}

/** Where an article is written: its title, its text, and what is said about it. */
export function ArticleDesk({ user, article, categories, onSaved, children }: ArticleDeskProps) {
  const editor = useRef<Editor>(null)
  const frame = useRef<HTMLFormElement>(null)
  const [words, setWords] = useState(0)
  const html = () => editor.current?.getHTML() ?? ''
  const form = useArticleForm({
    article,
    categories,
    editor: () => editor.current,
    onSaved: (identifier) => {
      draft.end()
      onSaved(identifier)
    },
  })
  const read = (): Content => ({ ...form.values, content: html() })
  const draft = useDraft({ user, article, read })
  const count = () => setWords(countWords(editor.current?.getText({ blockSeparator: '\n' }) ?? ''))
  const counting = useRef<ReturnType<typeof setTimeout>>(undefined)
  const touch = () => {
    draft.touch()
    form.clearContentProblem()
    clearTimeout(counting.current)
    counting.current = setTimeout(count, 300)
  }
  useEffect(() => () => clearTimeout(counting.current), [])
  // Every field counts, whichever it is.
  const known = useRef(form.values)
  useEffect(() => {
    if (known.current !== form.values) draft.touch()
    known.current = form.values
  })
  useFirstProblem(frame, form.problemCount)

  const restore = (chosen: Draft) => {
    draft.take(chosen)
    form.fill(chosen)
    editor.current?.commands.setContent(chosen.content, { emitUpdate: true })
    editor.current?.commands.focus('end')
  }
  const title = form.field('title')
  return (
    <form {...form.frame} ref={frame}>
      <div
        role="presentation"
        onKeyDown={(event) => onKey(event, draft.save)}
        onDragOver={(event) => hasFiles(event) && event.preventDefault()}
        onDrop={(event) => takeFiles(event, form.isSending ? null : editor.current)}
        className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_18.75rem]"
      >
        <div inert={form.isSending} className="min-w-0 space-y-4">
          {article?.status === 2 && (
            <Notice tone="danger">
              <p className="font-medium">这篇文章没有通过审核，修改后可以重新提交。</p>
              {article.reject_reason && <p className="mt-1 whitespace-pre-line">原因：{article.reject_reason}</p>}
            </Notice>
          )}
          {draft.offered.length > 0 && (
            <DraftOffer
              drafts={draft.offered}
              isOutdated={draft.isOutdated}
              onRestore={restore}
              onDiscard={draft.discard}
            />
          )}
          <div>
            <input
              name="title"
              aria-label="标题"
              placeholder="请输入标题"
              maxLength={255}
              autoComplete="off"
              value={title.value}
              aria-invalid={title.error ? true : undefined}
              aria-describedby="title-problem"
              onChange={({ target }) => title.onChange(target.value)}
              onBlur={title.onBlur}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
                event.preventDefault()
                editor.current?.commands.focus('start')
              }}
              className={cx(controlClass, 'h-14 text-xl font-semibold md:px-4')}
            />
            <p id="title-problem" aria-live="polite" className="text-sm text-danger not-empty:mt-1.5">
              {title.error}
            </p>
          </div>
          <RichEditor
            html={article?.content ?? ''}
            onReady={(made) => {
              editor.current = made
              draft.start(read())
              count()
            }}
            onChange={touch}
            problem={form.field('content').error}
            status={
              <>
                <output className="hidden whitespace-nowrap sm:inline">{saidOf(draft.savedAt)}</output>
                <span className="whitespace-nowrap tabular-nums">{words} 字</span>
              </>
            }
          />
        </div>
        <Side form={form} article={article} categories={categories} saved={saidOf(draft.savedAt)}>
          {children}
        </Side>
      </div>
      <LeaveGuard isDirty={draft.isDirty} isKept={draft.savedAt >= 0} />
    </form>
  )
}

function saidOf(savedAt: number): string {
  if (savedAt < 0) return '浏览器不允许保存草稿'
  return savedAt === 0 ? '' : `草稿已保存 ${formatMoment(savedAt)}`
}

/** After sending, the first field with a problem is where one goes on. */
function useFirstProblem(frame: { current: HTMLFormElement | null }, problemCount: number): void {
  useEffect(() => {
    if (problemCount === 0) return
    const wrong = frame.current?.querySelector<HTMLElement>('[aria-invalid="true"], .is-wrong [contenteditable]')
    wrong?.focus({ preventScroll: true })
    wrong?.scrollIntoView({ block: 'center' })
  }, [frame, problemCount])
}

function onKey(event: KeyboardEvent, save: () => void): void {
  const { target, currentTarget, key, ctrlKey, metaKey } = event
  // Dialogs stand elsewhere in the page, and have forms of their own.
  if (!(target instanceof Node) || !currentTarget.contains(target)) return
  // An article is published by its button, never by a key in a field.
  if (key === 'Enter' && target instanceof HTMLInputElement && target.type !== 'file') event.preventDefault()
  if (key === 's' && (ctrlKey || metaKey)) {
    event.preventDefault()
    save()
  }
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer.types.includes('Files')
}

/** What is dropped beside the text must not take the page's place. */
function takeFiles(event: DragEvent, editor: Editor | null): void {
  if (event.defaultPrevented || !hasFiles(event)) return
  event.preventDefault()
  if (editor) uploadFiles(editor, mediaIn(event.dataTransfer.files))
}
