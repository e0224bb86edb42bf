import type { Editor } from '@tiptap/react'
import { useState } from 'react'
import { linkAddress } from '#web/features/editor/rich-text/safe-address.ts'
import { FormDialog } from '#web/features/editor/rich-text/form-dialog.tsx'
import { TextField } from '#web/ui/forms/input.tsx'

export function LinkDialog({ editor, close }: { editor: Editor; close: () => void }) {
  const [before] = useState(() => String(editor.getAttributes('link')['href'] ?? ''))
  const [typed, setTyped] = useState(before)
  const [hasText] = useState(() => !editor.state.selection.empty || before !== '')
  const [linkText, setLinkText] = useState('')
  const [problem, setProblem] = useState('')
  const submit = () => {
    const href = linkAddress(typed)
    if (href === '') setProblem('请输入有效的网址，例如 https://example.com')
    else if (hasText) editor.chain().focus().extendMarkRange('link').setLink({ href }).run()
    else {
      const text = linkText.trim() || typed.trim()
      editor
        .chain()
        .focus()
        .insertContent({ type: 'text', text, marks: [{ type: 'link', attrs: { href } }] })
        .run()
    }
    return href !== ''
  }
  return (
    <FormDialog title={before ? '修改链接' : '插入链接'} action="确定" submit={submit} close={close}>
      <TextField
        label="网址"
        value={typed}
        onChange={(value) => {
          setTyped(value)
          setProblem('')
        }}
        error={problem}
        inputMode="url"
        autoComplete="off"
        maxLength={2000}
      />
      {!hasText && (
        <TextField label="显示的文字" value={linkText} onChange={setLinkText} help="留空则显示网址" maxLength={255} />
      )}
    </FormDialog>
  )
}
