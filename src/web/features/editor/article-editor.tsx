import { ReviewStatus } from '#shared/enums.ts'
import type { Editor } from '@tiptap/react'
import { useEffect, useRef, useState, type DragEvent, type KeyboardEvent, type ReactNode } from 'react'
import type { Article } from '#shared/contract/articles.ts'
import type { ArticleDraft } from '#shared/contract/article-drafts.ts'
import { DraftOffer } from '#web/features/editor/drafts/draft-offer.tsx'
import type { Content } from '#web/features/editor/drafts/draft.ts'
import { type OfferedDraft, toOffered } from '#web/features/editor/drafts/server-drafts.ts'
import { LeaveGuard } from '#web/features/editor/leave-guard.tsx'
import { formatMoment } from '#web/features/editor/format-moment.ts'
import { RichEditor } from '#web/features/editor/rich-text/rich-editor.tsx'
import { PublishPanel } from '#web/features/editor/publish-panel.tsx'
import { mediaFiles, uploadFiles } from '#web/features/editor/media/uploads.ts'
import { useArticleForm } from '#web/features/editor/use-article-form.ts'
import { type DraftState, useDraft } from '#web/features/editor/drafts/use-draft.ts'
import { countWords } from '#web/features/editor/word-count.ts'
import type { PathNode } from '#web/ui/forms/path-select.tsx'
import { errorMessage } from '#web/lib/api.ts'
import { cx } from '#web/ui/class-names.ts'
import { controlClass } from '#web/ui/forms/input.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

interface ArticleEditorProps {
  user: number
  /** Undefined for a new article. */
  article?: Article | undefined
  /** The draft to go on with. */
  opened?: ArticleDraft | undefined
  categories: readonly PathNode[]
  /** Called when the server has saved the article; navigates away. */
  onSaved: (identifier: string) => void
  /** Shown at the top of the panel. */
  children?: ReactNode
}

/** The form of an article: title, text and the panel beside them. */
export function ArticleEditor({ user, article, opened, categories, onSaved, children }: ArticleEditorProps) {
  const editor = useRef<Editor>(null)
  const frame = useRef<HTMLFormElement>(null)
  const [wordCount, setWordCount] = useState(0)
  const html = () => editor.current?.getHTML() ?? ''
  const form = useArticleForm({
    article,
    categories,
    editor: () => editor.current,
    settleDraft: () => draft.settle(),
    onSaved: (identifier) => {
      draft.end()
      onSaved(identifier)
    },
  })
  const read = (): Content => ({ ...form.values, content: html() })
  const draft = useDraft({ user, article, read })
  const [pictures, setPictures] = useState<readonly string[]>([])
  const count = () => {
    setWordCount(countWords(editor.current?.getText({ blockSeparator: '\n' }) ?? ''))
    setPictures(editor.current ? picturesOf(editor.current) : [])
  }
  const countTimer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const onContentChange = () => {
    draft.scheduleSave()
    form.clearContentProblem()
    clearTimeout(countTimer.current)
    countTimer.current = setTimeout(count, 300)
  }
  useEffect(() => () => clearTimeout(countTimer.current), [])
  // A change of any other field saves the draft too.
  const lastValues = useRef(form.values)
  useEffect(() => {
    if (lastValues.current !== form.values) draft.scheduleSave()
    lastValues.current = form.values
  })
  useFocusOnProblem(frame, form.problemCount)

  const restore = async (chosen: OfferedDraft) => {
    try {
      const content = await draft.adopt(chosen)
      form.fill(content)
      editor.current?.commands.setContent(content.content, { emitUpdate: true })
      editor.current?.commands.focus('end')
    } catch (error) {
      toast(errorMessage(error, '草稿没有打开，请稍后重试'), 'danger')
    }
  }
  const discard = async (chosen: OfferedDraft) => {
    try {
      await draft.discard(chosen)
    } catch (error) {
      toast(errorMessage(error, '没有丢弃成功，请稍后重试'), 'danger')
    }
  }
  const status = describeDraft(draft.state)
  const title = form.field('title')
  return (
    <form {...form.frame} ref={frame}>
      <div
        role="presentation"
        onKeyDown={(event) => handleKey(event, draft.save)}
        onDragOver={(event) => hasFiles(event) && event.preventDefault()}
        onDrop={(event) => uploadDropped(event, form.isSending ? null : editor.current)}
        className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_18.75rem]"
      >
        <div inert={form.isSending} className="min-w-0 space-y-4">
          {article?.status === ReviewStatus.Rejected && (
            <Notice tone="danger">
              <p className="font-medium">这篇文章没有通过审核，修改后可以重新提交。</p>
              {article.reject_reason && <p className="mt-1 whitespace-pre-line">原因：{article.reject_reason}</p>}
            </Notice>
          )}
          {draft.isForked && (
            <Notice tone="warning">
              这份草稿在另一个窗口里也改过。您在这里写的已另存为一份草稿，两份都在“我的文章”里。
            </Notice>
          )}
          {draft.offered.length > 0 && <DraftOffer drafts={draft.offered} onRestore={restore} onDiscard={discard} />}
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
            onReady={(created) => {
              editor.current = created
              draft.start(read(), opened?.id)
              count()
              if (opened) void restore(toOffered(opened))
            }}
            onChange={onContentChange}
            problem={form.field('content').error}
            status={
              <>
                <output className="hidden truncate sm:inline">{status}</output>
                <span className="whitespace-nowrap tabular-nums">{wordCount} 字</span>
              </>
            }
          />
        </div>
        <PublishPanel form={form} article={article} categories={categories} pictures={pictures} draftStatus={status}>
          {children}
        </PublishPanel>
      </div>
      <LeaveGuard isDirty={draft.isDirty} isStored={draft.state.place !== 'nowhere'} />
    </form>
  )
}

function describeDraft({ place, at, problem }: DraftState): string {
  const reason = problem || '联网后自动同步'
  const descriptions: Record<DraftState['place'], string> = {
    unchanged: '',
    sending: '正在保存草稿…',
    server: `草稿已保存 ${formatMoment(at)}`,
    browser: `草稿只在这个浏览器里 ${formatMoment(at)}，${reason}`,
    nowhere: `草稿没有保存，${problem || '请检查网络'}`,
  }
  return descriptions[place]
}

/** In the order of the text, once each. */
function picturesOf(editor: Editor): string[] {
  const pictures = new Set<string>()
  editor.state.doc.descendants((node) => {
    if (node.type.name === 'image' && typeof node.attrs['src'] === 'string') pictures.add(node.attrs['src'])
  })
  return [...pictures]
}

/** After a failed submit, the first invalid field gets the focus. */
function useFocusOnProblem(frame: { current: HTMLFormElement | null }, problemCount: number): void {
  useEffect(() => {
    if (problemCount === 0) return
    const invalid = frame.current?.querySelector<HTMLElement>('[aria-invalid="true"], .is-invalid [contenteditable]')
    invalid?.focus({ preventScroll: true })
    invalid?.scrollIntoView({ block: 'center' })
  }, [frame, problemCount])
}

function handleKey(event: KeyboardEvent, save: () => void): void {
  const { target, currentTarget, key, ctrlKey, metaKey } = event
  // Events of dialogs, which are rendered in portals, bubble up to here.
  if (!(target instanceof Node) || !currentTarget.contains(target)) return
  // Enter in a field must not submit the article.
  if (key === 'Enter' && target instanceof HTMLInputElement && target.type !== 'file') event.preventDefault()
  if (key === 's' && (ctrlKey || metaKey)) {
    event.preventDefault()
    save()
  }
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer.types.includes('Files')
}

/** A file dropped outside the text would otherwise be opened by the browser. */
function uploadDropped(event: DragEvent, editor: Editor | null): void {
  if (event.defaultPrevented || !hasFiles(event)) return
  event.preventDefault()
  if (editor) uploadFiles(editor, mediaFiles(event.dataTransfer.files))
}
