import type { Editor } from '@tiptap/react'
import { useRef, useState } from 'react'
import { FormDialog } from '#web/features/editor/rich-text/form-dialog.tsx'
import { mediaTypes, uploadFiles } from '#web/features/editor/media/uploads.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/forms/input.tsx'

export function VideoDialog({ editor, close }: { editor: Editor; close: () => void }) {
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState('')
  const picker = useRef<HTMLInputElement>(null)
  const submit = () => {
    const src = typed.trim()
    const isAddress = /^https:\/\/[^/\s]+\/\S+$/i.test(src)
    if (isAddress) editor.chain().focus().insertContent({ type: 'video', attrs: { src } }).run()
    else setProblem('请输入以 https:// 开头的视频文件地址')
    return isAddress
  }
  return (
    <FormDialog
      title="插入视频"
      action="确定"
      submit={submit}
      close={close}
      aside={
        <Button className="mr-auto" onClick={() => picker.current?.click()}>
          上传视频文件
        </Button>
      }
    >
      <TextField
        label="视频地址"
        value={typed}
        onChange={(value) => {
          setTyped(value)
          setProblem('')
        }}
        error={problem}
        help="MP4 或 WebM 文件的地址，也可以直接上传文件"
        inputMode="url"
        autoComplete="off"
        maxLength={2000}
      />
      <input
        ref={picker}
        type="file"
        hidden
        aria-label="视频文件"
        accept={mediaTypes.video}
        onChange={({ target }) => {
          uploadFiles(editor, [...(target.files ?? [])])
          close()
        }}
      />
    </FormDialog>
  )
}
