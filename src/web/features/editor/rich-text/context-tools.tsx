import { useEditorState, type Editor } from '@tiptap/react'
import { useState } from 'react'
import { languageNames } from '#web/features/editor/rich-text/languages.ts'
import { Tool, ToolRow, ToolSelect } from '#web/features/editor/rich-text/tool-row.tsx'
import { cx } from '#web/ui/class-names.ts'
import { controlClass } from '#web/ui/forms/input.tsx'

/** The tools of the element at the cursor. */
export function ContextTools({ editor, openLinkDialog }: { editor: Editor; openLinkDialog: () => void }) {
  const active = useEditorState({ editor, selector: ({ editor }) => activeElement(editor) })
  if (active === 'table') return <TableTools editor={editor} />
  if (active === 'codeBlock') return <CodeTools editor={editor} />
  if (active === 'image') return <PictureTools editor={editor} />
  if (active === 'link') return <LinkTools editor={editor} openLinkDialog={openLinkDialog} />
  if (active === 'video') return <VideoTools editor={editor} />
  return null
}

const rowClass = 'min-w-0 overflow-x-auto [scrollbar-width:none] text-sm whitespace-nowrap'

function TableTools({ editor }: { editor: Editor }) {
  const back = () => editor.commands.focus()
  const can = useEditorState({
    editor,
    selector: ({ editor }) => ({ merge: editor.can().mergeCells(), split: editor.can().splitCell() }),
  })
  const run = () => editor.chain().focus()
  const tools: [name: string, text: string, act: () => boolean, isOff?: boolean][] = [
    ['row-after', '下加行', () => run().addRowAfter().run()],
    ['row-before', '上加行', () => run().addRowBefore().run()],
    ['column-after', '右加列', () => run().addColumnAfter().run()],
    ['column-before', '左加列', () => run().addColumnBefore().run()],
    ['row-delete', '删除行', () => run().deleteRow().run()],
    ['column-delete', '删除列', () => run().deleteColumn().run()],
    ['header', '表头', () => run().toggleHeaderRow().run()],
    ['merge', '合并', () => run().mergeCells().run(), !can.merge],
    ['split', '拆分', () => run().splitCell().run(), !can.split],
    ['delete', '删除表格', () => run().deleteTable().run()],
  ]
  return (
    <ToolRow label="表格" first="row-after" onEscape={back} className={rowClass}>
      {tools.map(([name, text, act, isOff = false]) => (
        <Tool key={name} name={name} label={text} disabled={isOff} onClick={act} className="px-2">
          {text}
        </Tool>
      ))}
    </ToolRow>
  )
}

function CodeTools({ editor }: { editor: Editor }) {
  const language = useEditorState({
    editor,
    selector: ({ editor }) => languageOf(editor),
  })
  const choose = (next: string) =>
    editor
      .chain()
      .focus()
      .updateAttributes('codeBlock', { language: next || null })
      .run()
  return (
    <ToolRow label="代码块" first="language" onEscape={() => editor.commands.focus()} className={rowClass}>
      <ToolSelect name="language" label="代码语言" value={language} onChange={({ target }) => choose(target.value)}>
        <option value="">纯文本</option>
        {language && !Object.hasOwn(languageNames, language) && <option value={language}>{language}</option>}
        {Object.entries(languageNames).map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </ToolSelect>
      <Tool
        name="plain"
        label="转为正文"
        className="px-2"
        onClick={() => editor.chain().focus().toggleCodeBlock().run()}
      >
        转为正文
      </Tool>
    </ToolRow>
  )
}

function PictureTools({ editor }: { editor: Editor }) {
  const { at, alt } = useEditorState({
    editor,
    selector: ({ editor }) => ({
      at: editor.state.selection.from,
      alt: String(editor.getAttributes('image')['alt'] ?? ''),
    }),
  })
  return (
    <div className="flex min-w-0 items-center gap-1 text-sm">
      <AltInput editor={editor} at={at} alt={alt} />
      <RemoveButton editor={editor} text="删除图片" />
    </div>
  )
}

function AltInput({ editor, at, alt }: { editor: Editor; at: number; alt: string }) {
  // Saved on blur. An upload may move the picture meanwhile.
  const [typed, setTyped] = useState<string>()
  const save = () => {
    const { state, view } = editor
    if (typed !== undefined && typed !== alt && state.doc.nodeAt(at)?.type.name === 'image')
      view.dispatch(state.tr.setNodeAttribute(at, 'alt', typed))
    setTyped(undefined)
  }
  return (
    <input
      aria-label="图片说明"
      placeholder="图片说明，给看不到图的人"
      data-tool="alt"
      tabIndex={0}
      value={typed ?? alt}
      maxLength={255}
      onChange={({ target }) => setTyped(target.value)}
      onBlur={save}
      onKeyDown={(event) => {
        if ((event.key !== 'Enter' && event.key !== 'Escape') || event.nativeEvent.isComposing) return
        event.stopPropagation()
        event.preventDefault()
        save()
        editor.commands.focus()
      }}
      className={cx(controlClass, 'h-8 w-64 min-w-0 text-sm')}
    />
  )
}

function LinkTools({ editor, openLinkDialog }: { editor: Editor; openLinkDialog: () => void }) {
  const href = useEditorState({
    editor,
    selector: ({ editor }) => String(editor.getAttributes('link')['href'] ?? ''),
  })
  return (
    <ToolRow label="链接" first="edit" onEscape={() => editor.commands.focus()} className={rowClass}>
      <Tool name="edit" label="修改链接" onClick={openLinkDialog} className="px-2">
        修改链接
      </Tool>
      <Tool
        name="remove"
        label="移除链接"
        onClick={() => editor.chain().focus().extendMarkRange('link').unsetLink().run()}
        className="px-2"
      >
        移除链接
      </Tool>
      <span className="truncate px-2 text-muted">{href}</span>
    </ToolRow>
  )
}

function VideoTools({ editor }: { editor: Editor }) {
  return <RemoveButton editor={editor} text="删除视频" />
}

function RemoveButton({ editor, text }: { editor: Editor; text: string }) {
  return (
    <button
      type="button"
      data-tool="remove"
      tabIndex={0}
      onClick={() => editor.chain().focus().deleteSelection().run()}
      className="h-8 shrink-0 rounded-md px-2 text-sm hover:bg-sunken"
    >
      {text}
    </button>
  )
}

function languageOf(editor: Editor): string {
  const language = String(editor.getAttributes('codeBlock')['language'] ?? '')
  return language === 'plaintext' ? '' : language
}

function activeElement(editor: Editor): string {
  return ['image', 'video', 'codeBlock', 'table', 'link'].find((name) => editor.isActive(name)) ?? ''
}
