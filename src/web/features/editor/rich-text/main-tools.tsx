import { useEditorState, type Editor } from '@tiptap/react'
import {
  AlignCenter,
  AlignLeft,
  AlignRight,
  Bold,
  Code,
  CodeXml,
  Film,
  Image,
  Italic,
  Link,
  List,
  ListOrdered,
  ListTodo,
  Minus,
  Redo2,
  Sigma,
  Strikethrough,
  Table,
  TextQuote,
  Underline,
  Undo2,
  type LucideIcon,
} from 'lucide-react'
import { headingLevels } from '#web/features/editor/rich-text/extensions.ts'
import { Tool, ToolGap, ToolRow, ToolSelect } from '#web/features/editor/rich-text/tool-row.tsx'

/** Tools that open a dialog or a file picker. */
export type DialogKind = 'link' | 'video' | 'formula' | 'image'

interface MainToolsProps {
  editor: Editor
  openDialog: (kind: DialogKind) => void
  className: string
}

export function MainTools({ editor, openDialog, className }: MainToolsProps) {
  const state = useEditorState({ editor, selector: ({ editor }) => stateOf(editor) })
  return (
    <ToolRow label="编辑工具" first="undo" onEscape={() => editor.commands.focus()} className={className}>
      <Tool name="undo" label="撤销（Ctrl+Z）" disabled={!state.canUndo} onClick={() => run(editor).undo().run()}>
        <Undo2 size={iconSize} aria-hidden />
      </Tool>
      <Tool name="redo" label="重做（Ctrl+Y）" disabled={!state.canRedo} onClick={() => run(editor).redo().run()}>
        <Redo2 size={iconSize} aria-hidden />
      </Tool>
      <ToolGap />
      <ToolSelect
        name="level"
        label="段落样式"
        className="w-21"
        value={state.level}
        onChange={({ target }) => setLevel(editor, Number(target.value))}
      >
        <option value={0}>正文</option>
        {headingLevels.map((level, index) => (
          <option key={level} value={level}>
            {levelNames[index]}
          </option>
        ))}
      </ToolSelect>
      {groups.map((group) => (
        <Group key={group[0]?.name} tools={group} editor={editor} active={state.active} />
      ))}
      <ToolGap />
      <Tool
        name="link"
        label="链接（Ctrl+K）"
        pressed={state.active.includes('link')}
        onClick={() => openDialog('link')}
      >
        <Link size={iconSize} aria-hidden />
      </Tool>
      <Tool name="image" label="图片" onClick={() => openDialog('image')}>
        <Image size={iconSize} aria-hidden />
      </Tool>
      <Tool name="video" label="视频" onClick={() => openDialog('video')}>
        <Film size={iconSize} aria-hidden />
      </Tool>
      <Tool
        name="table"
        label="表格"
        disabled={state.active.includes('table')}
        onClick={() => run(editor).insertTable({ rows: 3, cols: 3, withHeaderRow: true }).run()}
      >
        <Table size={iconSize} aria-hidden />
      </Tool>
      <Tool name="formula" label="公式" onClick={() => openDialog('formula')}>
        <Sigma size={iconSize} aria-hidden />
      </Tool>
    </ToolRow>
  )
}

function Group({ tools, editor, active }: { tools: readonly Switch[]; editor: Editor; active: string[] }) {
  return (
    <>
      <ToolGap />
      {tools.map(({ name, label, Icon, act, isSwitch = true }) => (
        <Tool
          key={name}
          name={name}
          label={label}
          {...(isSwitch && { pressed: active.includes(name) })}
          onClick={() => act(run(editor)).run()}
        >
          <Icon size={iconSize} aria-hidden />
        </Tool>
      ))}
    </>
  )
}

const iconSize = 18
const levelNames = ['一级标题', '二级标题', '三级标题']

type Chain = ReturnType<typeof run>

interface Switch {
  name: string
  label: string
  Icon: LucideIcon
  act: (chain: Chain) => Chain
  isSwitch?: boolean
}

const groups: readonly (readonly Switch[])[] = [
  [
    { name: 'bold', label: '加粗（Ctrl+B）', Icon: Bold, act: (chain) => chain.toggleBold() },
    { name: 'italic', label: '斜体（Ctrl+I）', Icon: Italic, act: (chain) => chain.toggleItalic() },
    { name: 'underline', label: '下划线（Ctrl+U）', Icon: Underline, act: (chain) => chain.toggleUnderline() },
    { name: 'strike', label: '删除线（Ctrl+Shift+S）', Icon: Strikethrough, act: (chain) => chain.toggleStrike() },
    { name: 'code', label: '行内代码（Ctrl+E）', Icon: Code, act: (chain) => chain.toggleCode() },
  ],
  [
    { name: 'bulletList', label: '无序列表（Ctrl+Shift+8）', Icon: List, act: (chain) => chain.toggleBulletList() },
    {
      name: 'orderedList',
      label: '有序列表（Ctrl+Shift+7）',
      Icon: ListOrdered,
      act: (chain) => chain.toggleOrderedList(),
    },
    { name: 'taskList', label: '待办列表（Ctrl+Shift+9）', Icon: ListTodo, act: (chain) => chain.toggleTaskList() },
    { name: 'blockquote', label: '引用（Ctrl+Shift+B）', Icon: TextQuote, act: (chain) => chain.toggleBlockquote() },
    { name: 'codeBlock', label: '代码块（Ctrl+Alt+C）', Icon: CodeXml, act: (chain) => chain.toggleCodeBlock() },
    { name: 'rule', label: '分隔线', Icon: Minus, act: (chain) => chain.setHorizontalRule(), isSwitch: false },
  ],
  [
    { name: 'left', label: '左对齐', Icon: AlignLeft, act: (chain) => chain.unsetTextAlign() },
    { name: 'center', label: '居中', Icon: AlignCenter, act: (chain) => chain.toggleTextAlign('center') },
    { name: 'right', label: '右对齐', Icon: AlignRight, act: (chain) => chain.toggleTextAlign('right') },
  ],
]

/** Focuses the text at once: the next key must not go to the button. */
function run(editor: Editor) {
  editor.view.focus()
  return editor.chain().focus()
}

function setLevel(editor: Editor, value: number): void {
  const level = headingLevels.find((candidate) => candidate === value)
  const chain = run(editor)
  const changed = level ? chain.setHeading({ level }) : chain.setParagraph()
  changed.run()
}

function stateOf(editor: Editor) {
  const align = ['center', 'right'].find((textAlign) => editor.isActive({ textAlign })) ?? 'left'
  const names = ['bold', 'italic', 'underline', 'strike', 'code', 'bulletList', 'orderedList', 'taskList']
  const more = ['blockquote', 'codeBlock', 'link', 'table']
  return {
    canUndo: editor.can().undo(),
    canRedo: editor.can().redo(),
    level: headingLevels.find((level) => editor.isActive('heading', { level })) ?? 0,
    active: [...[...names, ...more].filter((name) => editor.isActive(name)), align],
  }
}
