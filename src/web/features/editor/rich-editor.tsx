import { NodeSelection } from '@tiptap/pm/state'
import type { EditorProps } from '@tiptap/pm/view'
import { EditorContent, useEditor, type Editor } from '@tiptap/react'
import { Maximize2, Minimize2 } from 'lucide-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { ContextTools } from '#web/features/editor/context-tools.tsx'
import '#web/features/editor/editor.css'
import { articleExtensions } from '#web/features/editor/extensions.ts'
import { FormulaDialog, isFormula } from '#web/features/editor/formula-dialog.tsx'
import { LinkDialog } from '#web/features/editor/link-dialog.tsx'
import { type Asking, MainTools } from '#web/features/editor/main-tools.tsx'
import { mediaTypes, uploadFiles } from '#web/features/editor/uploads.ts'
import { useKeyboardInset } from '#web/features/editor/use-keyboard-inset.ts'
import { VideoDialog } from '#web/features/editor/video-dialog.tsx'
import { cx } from '#web/ui/class-names.ts'
import { IconButton } from '#web/ui/icon-button.tsx'

interface RichEditorProps {
  /** What it starts with. */
  html: string
  onReady: (editor: Editor) => void
  onChange: () => void
  problem: string | undefined
  /** Stands in the bar below the text. */
  status: ReactNode
}

/** The text of an article and all that it is written with. */
export function RichEditor({ html, onReady, onChange, problem, status }: RichEditorProps) {
  const [asking, setAsking] = useState<Asking>()
  const [isFull, setIsFull] = useState(false)
  const frame = useRef<HTMLDivElement>(null)
  const picker = useRef<HTMLInputElement>(null)
  useKeyboardInset(frame)
  useFullPage(isFull)
  const ask = (what: Asking) => {
    if (what === 'image') picker.current?.click()
    else setAsking(what)
  }
  // Made once: the editor would take others for a change, with each letter typed.
  const [extensions] = useState(articleExtensions)
  const [editorProps] = useState(() => surfaceOf(setAsking))
  const editor = useEditor({
    extensions,
    content: html,
    // The page's policy and its own style file say how things look.
    injectCSS: false,
    shouldRerenderOnTransaction: false,
    editorProps,
    onCreate: ({ editor }) => onReady(editor),
    onUpdate: onChange,
  })
  const close = () => setAsking(undefined)
  return (
    <div>
      <div
        ref={frame}
        role="presentation"
        onKeyDown={(event) => {
          if (event.key === 'Escape' && !asking && !event.nativeEvent.isComposing) setIsFull(false)
          if (event.key !== 'F10' || !event.altKey) return
          event.preventDefault()
          reachTools(event.currentTarget)
        }}
        className={cx('article-editor', isFull && 'is-full', problem !== undefined && 'is-wrong')}
      >
        <MainTools editor={editor} ask={ask} className="article-editor-tools" />
        <EditorContent editor={editor} className="article-editor-page" />
        <div className="article-editor-foot">
          <ContextTools editor={editor} askLink={() => ask('link')} />
          <div className="ml-auto flex shrink-0 items-center gap-2 pl-3 text-sm text-muted">
            {status}
            <IconButton
              label={isFull ? '退出全屏（Esc）' : '全屏'}
              aria-pressed={isFull}
              onClick={() => {
                setIsFull(!isFull)
                editor.commands.focus()
              }}
            >
              {isFull ? <Minimize2 size={18} aria-hidden /> : <Maximize2 size={18} aria-hidden />}
            </IconButton>
          </div>
        </div>
      </div>
      <p role="alert" className="text-sm text-danger not-empty:mt-1.5">
        {problem}
      </p>
      <input
        ref={picker}
        type="file"
        hidden
        multiple
        aria-label="图片文件"
        accept={mediaTypes.image}
        onChange={({ target }) => {
          uploadFiles(editor, [...(target.files ?? [])])
          target.value = ''
        }}
      />
      {asking === 'link' && <LinkDialog editor={editor} close={close} />}
      {asking === 'video' && <VideoDialog editor={editor} close={close} />}
      {asking === 'formula' && <FormulaDialog editor={editor} close={close} />}
    </div>
  )
}

/** What stands above and below the text while one scrolls. */
const margin = { top: 140, bottom: 120, left: 0, right: 0 }

function surfaceOf(ask: (what: Asking) => void): EditorProps {
  return {
    attributes: {
      class: 'article-text',
      role: 'textbox',
      'aria-multiline': 'true',
      'aria-label': '正文',
      'aria-description': '按 Alt+F10 到工具栏',
    },
    scrollThreshold: margin,
    scrollMargin: margin,
    handleKeyDown: (_view, event) => {
      if (event.key !== 'k' || (!event.ctrlKey && !event.metaKey)) return false
      event.preventDefault()
      ask('link')
      return true
    },
    // It stays selected, wherever an upload moves it meanwhile.
    handleClickOn: (view, _pos, node, at) => {
      if (!isFormula(node)) return false
      view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, at)))
      ask('formula')
      return true
    },
  }
}

/** First the tools for the thing the cursor is in, if there are any; from there the others. */
function reachTools(frame: HTMLElement): void {
  const [near, main] = ['.article-editor-foot', '.article-editor-tools'].map((row) =>
    frame.querySelector<HTMLElement>(`${row} [data-tool][tabindex="0"]`),
  )
  const isNear = document.activeElement?.closest('.article-editor-foot') !== null
  const next = isNear ? main : (near ?? main)
  next?.focus()
}

/** The page behind it does not move. */
function useFullPage(isFull: boolean): void {
  useEffect(() => {
    if (!isFull) return undefined
    document.documentElement.style.overflow = 'hidden'
    return () => {
      document.documentElement.style.overflow = ''
    }
  }, [isFull])
}
