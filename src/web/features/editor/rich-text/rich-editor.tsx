import { NodeSelection } from '@tiptap/pm/state'
import type { EditorProps } from '@tiptap/pm/view'
import { EditorContent, useEditor, type Editor } from '@tiptap/react'
import { Maximize2, Minimize2 } from 'lucide-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { ContextTools } from '#web/features/editor/rich-text/context-tools.tsx'
import '#web/features/editor/rich-text/editor.css'
import { articleExtensions } from '#web/features/editor/rich-text/extensions.ts'
import { FormulaDialog, isFormula } from '#web/features/editor/rich-text/formula-dialog.tsx'
import { LinkDialog } from '#web/features/editor/rich-text/link-dialog.tsx'
import { type DialogKind, MainTools } from '#web/features/editor/rich-text/main-tools.tsx'
import { mediaTypes, uploadFiles } from '#web/features/editor/media/uploads.ts'
import { useKeyboardInset } from '#web/features/editor/rich-text/use-keyboard-inset.ts'
import { VideoDialog } from '#web/features/editor/rich-text/video-dialog.tsx'
import { cx } from '#web/ui/class-names.ts'
import { IconButton } from '#web/ui/icon-button.tsx'

interface RichEditorProps {
  /** The initial text. */
  html: string
  onReady: (editor: Editor) => void
  onChange: () => void
  problem: string | undefined
  /** Shown in the bar below the text. */
  status: ReactNode
}

/** The text of an article, with its toolbars and dialogs. */
export function RichEditor({ html, onReady, onChange, problem, status }: RichEditorProps) {
  const [dialog, setDialog] = useState<DialogKind>()
  const [isFull, setIsFull] = useState(false)
  const frame = useRef<HTMLDivElement>(null)
  const picker = useRef<HTMLInputElement>(null)
  useKeyboardInset(frame)
  useFullPage(isFull)
  const openDialog = (kind: DialogKind) => {
    if (kind === 'image') picker.current?.click()
    else setDialog(kind)
  }
  // Created once: new objects would make the editor update with every key.
  const [extensions] = useState(articleExtensions)
  const [editorProps] = useState(() => createEditorProps(setDialog))
  const editor = useEditor({
    extensions,
    content: html,
    // The content security policy forbids it; editor.css has the styles.
    injectCSS: false,
    shouldRerenderOnTransaction: false,
    editorProps,
    onCreate: ({ editor }) => onReady(editor),
    onUpdate: onChange,
  })
  const close = () => setDialog(undefined)
  return (
    <div>
      <div
        ref={frame}
        role="presentation"
        onKeyDown={(event) => {
          if (event.key === 'Escape' && !dialog && !event.nativeEvent.isComposing) setIsFull(false)
          if (event.key !== 'F10' || !event.altKey) return
          event.preventDefault()
          focusTools(event.currentTarget)
        }}
        className={cx('article-editor', isFull && 'is-full', problem !== undefined && 'is-invalid')}
      >
        <MainTools editor={editor} openDialog={openDialog} className="article-editor-tools" />
        <EditorContent editor={editor} className="article-editor-page" />
        <div className="article-editor-foot">
          <ContextTools editor={editor} openLinkDialog={() => openDialog('link')} />
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
      {dialog === 'link' && <LinkDialog editor={editor} close={close} />}
      {dialog === 'video' && <VideoDialog editor={editor} close={close} />}
      {dialog === 'formula' && <FormulaDialog editor={editor} close={close} />}
    </div>
  )
}

/** The sticky bars above and below the text. */
const margin = { top: 140, bottom: 120, left: 0, right: 0 }

function createEditorProps(openDialog: (kind: DialogKind) => void): EditorProps {
  return {
    attributes: {
      class: 'article-text prose-cn',
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
      openDialog('link')
      return true
    },
    // The selection keeps track of the formula if an upload moves it.
    handleClickOn: (view, _pos, node, at) => {
      if (!isFormula(node)) return false
      view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, at)))
      openDialog('formula')
      return true
    },
  }
}

/** First the context tools, if there are any; from there the main tools. */
function focusTools(frame: HTMLElement): void {
  const [context, main] = ['.article-editor-foot', '.article-editor-tools'].map((row) =>
    frame.querySelector<HTMLElement>(`${row} [data-tool][tabindex="0"]`),
  )
  const isInContext = document.activeElement?.closest('.article-editor-foot') !== null
  const next = isInContext ? main : (context ?? main)
  next?.focus()
}

/** The page behind the editor does not scroll. */
function useFullPage(isFull: boolean): void {
  useEffect(() => {
    if (!isFull) return undefined
    document.documentElement.style.overflow = 'hidden'
    return () => {
      document.documentElement.style.overflow = ''
    }
  }, [isFull])
}
