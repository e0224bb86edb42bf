import { type Editor, Extension, type JSONContent } from '@tiptap/core'
import { closeHistory } from '@tiptap/pm/history'
import { Fragment, Slice } from '@tiptap/pm/model'
import { Plugin, type Transaction } from '@tiptap/pm/state'
import { looksLikeMarkdown } from '#web/features/editor/pasting/detect-markdown.ts'
import { splitMarkdown } from '#web/features/editor/pasting/split-markdown.ts'
import { cleanPasted, hasText } from '#web/features/editor/pasting/pasted-html.ts'
import { mediaFiles, uploadFiles } from '#web/features/editor/media/uploads.ts'
import { toast } from '#web/ui/overlay/toast.tsx'

/** Handles paste and drop: files are uploaded, Markdown is converted, HTML is cleaned. */
export const Pasting = Extension.create({
  name: 'pasting',
  priority: 1000,
  addProseMirrorPlugins() {
    const { editor } = this
    // `pasteHTML` and `pasteText` call the handler again.
    let isNested = false
    const pasteNested = (paste: () => void) => {
      isNested = true
      try {
        paste()
      } finally {
        isNested = false
      }
      return true
    }
    return [
      new Plugin({
        props: {
          handlePaste(_view, event) {
            const data = event.clipboardData
            if (isNested || !data) return false
            const html = data.getData('text/html')
            const files = mediaFiles(data.files)
            // Office programs add a picture of the text to the clipboard.
            if (files.length > 0 && !hasText(html)) {
              uploadFiles(editor, files)
              return true
            }
            if (editor.isActive('codeBlock')) return false
            const text = data.getData('text/plain').replace(/\r\n?/g, '\n')
            const isPlain = html === '' || data.types.includes('vscode-editor-data')
            if (isPlain) return looksLikeMarkdown(text) && pasteNested(() => pasteMarkdown(editor, text))
            // Copied from this editor: nothing to clean.
            if (html.includes('data-pm-slice')) return false
            return pasteNested(() => pasteRich(editor, html, text))
          },
          handleDrop(view, event, _slice, isMoved) {
            const files = isMoved ? [] : mediaFiles(event.dataTransfer?.files)
            if (files.length === 0) return false
            event.preventDefault()
            uploadFiles(editor, files, view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos)
            return true
          },
        },
      }),
    ]
  },
})

function pasteRich(editor: Editor, html: string, text: string): void {
  const pasted = cleanPasted(html)
  try {
    editor.view.pasteHTML(pasted.html)
  } catch {
    editor.view.pasteText(text)
    toast('没能保留原来的格式，只粘贴了文字', 'danger')
  }
  uploadFiles(editor, pasted.files)
  if (pasted.lost > 0) toast(`有 ${pasted.lost} 张图片没有随文字复制过来，请单独上传`, 'danger')
}

/** In two transactions: undoing the second one restores the plain text. */
function pasteMarkdown(editor: Editor, text: string): void {
  const { view, schema } = editor
  const { from } = view.state.selection
  const lines = text.split(/\n+/).filter(Boolean)
  const plain = lines.map((line) => schema.node('paragraph', null, schema.text(line)))
  view.dispatch(withoutAutolink(view.state.tr.replaceSelection(new Slice(Fragment.from(plain), 1, 1))))
  const to = view.state.selection.from
  try {
    const parsed = splitMarkdown(text).flatMap((part) => editor.markdown?.parse(part).content ?? [])
    const nodes = parsed.map((node) => schema.nodeFromJSON(clampHeadings(node)))
    const tr = closeHistory(view.state.tr).replaceRange(from, to, Slice.maxOpen(Fragment.from(nodes)))
    view.dispatch(tr.scrollIntoView())
    toast('已按 Markdown 排版，撤销可恢复原文')
  } catch {
    toast('没能按 Markdown 排版，保留了原文', 'danger')
  }
}

/** Addresses in the plain text must not become links. */
function withoutAutolink(tr: Transaction): Transaction {
  return tr.setMeta('preventAutolink', true)
}

function clampHeadings(node: JSONContent): JSONContent {
  if (node.type === 'heading') {
    const level = Math.min(4, Math.max(2, Number(node.attrs?.['level'])))
    return { ...node, attrs: { ...node.attrs, level } }
  }
  return node.content ? { ...node, content: node.content.map(clampHeadings) } : node
}
