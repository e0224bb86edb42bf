import { Extension, type Extensions, textblockTypeInputRule } from '@tiptap/core'
import { CodeBlockLowlight } from '@tiptap/extension-code-block-lowlight'
import { TaskItem, TaskList } from '@tiptap/extension-list'
import { BlockMath, InlineMath } from '@tiptap/extension-mathematics'
import { Table, TableCell, TableHeader, TableRow } from '@tiptap/extension-table'
import { TextAlign } from '@tiptap/extension-text-align'
import { Placeholder } from '@tiptap/extensions'
import { Markdown } from '@tiptap/markdown'
import { StarterKit } from '@tiptap/starter-kit'
import { common, createLowlight } from 'lowlight'
import { LinkEnd } from '#web/features/editor/rich-text/link-end.ts'
import { Pasting } from '#web/features/editor/pasting/pasting.ts'
import { Picture } from '#web/features/editor/rich-text/picture-node.ts'
import { Uploads } from '#web/features/editor/media/uploads.ts'
import { Video } from '#web/features/editor/rich-text/video-node.ts'

/** The headings of the text: `h1` is the article's title. */
export const headingLevels = [2, 3, 4] as const

/** Everything an article can contain. The HTML of these extensions is what the server stores. */
export function articleExtensions(): Extensions {
  return [
    StarterKit.configure({
      codeBlock: false,
      heading: { levels: [...headingLevels] },
      link: { openOnClick: false, defaultProtocol: 'https', HTMLAttributes: { target: null, rel: null } },
    }),
    FirstHeading,
    LinkEnd,
    TaskList,
    TaskItem.configure({ nested: true, a11y: { checkboxLabel: (node) => node.textContent || '待办事项' } }),
    PlainTable,
    TableRow,
    TableHeader,
    TableCell,
    CodeBlockLowlight.configure({ lowlight, defaultLanguage: 'plaintext' }),
    TextAlign.configure({ types: ['heading', 'paragraph'], alignments: ['left', 'center', 'right'] }),
    InlineMath.configure({ katexOptions }),
    BlockMath.configure({ katexOptions: { ...katexOptions, displayMode: true } }),
    Picture,
    Video,
    Uploads,
    Pasting,
    Markdown,
    Placeholder.configure({ placeholder: '从这里开始写。可以直接拖入图片，也可以粘贴 Markdown' }),
  ]
}

export const katexOptions = { output: 'mathml', throwOnError: false, strict: false } as const

const lowlight = createLowlight(common)

/** `# ` makes a heading of the second level: there is no first. */
const FirstHeading = Extension.create({
  name: 'firstHeading',
  addInputRules() {
    const { heading } = this.editor.schema.nodes
    return heading ? [textblockTypeInputRule({ find: /^#\s$/, type: heading, getAttributes: { level: 2 } })] : []
  },
})

/** Without column widths. */
const PlainTable = Table.extend({
  renderHTML: () => ['table', ['tbody', 0]],
})
