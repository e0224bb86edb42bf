import { ImagePlus, Undo2 } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { sendMedia } from '#web/features/editor/media/send-media.ts'
import { mediaTypes } from '#web/features/editor/media/uploads.ts'
import { cx } from '#web/ui/class-names.ts'
import { Button } from '#web/ui/button.tsx'

interface CoverPickerProps {
  /** Empty for the first picture in the text. */
  value: string
  /** The pictures in the text. */
  pictures: readonly string[]
  onChange: (cover: string) => void
}

/** More would not be found at a glance. */
const maxChoices = 12

/** The cover of the article: one of its pictures, or one that is uploaded for it. */
export function CoverPicker({ value, pictures, onChange }: CoverPickerProps) {
  const name = useId()
  const { pick, input, isSending, problem } = useCoverUpload(onChange)
  const shown = value || pictures[0] || ''
  const choices = pictures.slice(0, maxChoices)
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-sm font-medium">封面</legend>
      {shown ? (
        <img
          src={shown}
          alt="封面预览"
          className="aspect-[16/10] w-full rounded-md border border-line bg-sunken object-cover"
        />
      ) : (
        <p className="rounded-md border border-dashed border-line px-3 py-4 text-sm text-muted">
          正文里没有图片，可以上传一张作封面。
        </p>
      )}
      {choices.length > 1 && (
        <div className="mt-2 grid grid-cols-4 gap-2">
          {choices.map((picture, at) => (
            <label
              key={picture}
              className={cx(
                'relative cursor-pointer overflow-hidden rounded-sm border-2 focus-within:outline-2 focus-within:outline-accent',
                picture === shown ? 'border-accent' : 'border-transparent',
              )}
            >
              <input
                type="radio"
                name={name}
                checked={picture === shown}
                onChange={() => onChange(at === 0 ? '' : picture)}
                className="sr-only"
              />
              <span className="sr-only">正文的第 {at + 1} 张图</span>
              <img src={picture} alt="" className="aspect-[16/10] w-full object-cover" />
            </label>
          ))}
        </div>
      )}
      <div className="mt-2 flex flex-wrap gap-2">
        <Button size="sm" busy={isSending} onClick={pick}>
          <ImagePlus size={15} aria-hidden />
          上传封面
        </Button>
        {value !== '' && (
          <Button size="sm" variant="quiet" onClick={() => onChange('')}>
            <Undo2 size={15} aria-hidden />
            {pictures.length > 0 ? '改用第一张图' : '不用封面'}
          </Button>
        )}
      </div>
      <p role="alert" className="text-sm text-danger not-empty:mt-1.5">
        {problem}
      </p>
      {input}
    </fieldset>
  )
}

function useCoverUpload(onChange: (cover: string) => void) {
  const file = useRef<HTMLInputElement>(null)
  const controller = useRef<AbortController>(undefined)
  const [isSending, setIsSending] = useState(false)
  const [problem, setProblem] = useState('')
  useEffect(() => () => controller.current?.abort(), [])
  const upload = async (chosen: File) => {
    setIsSending(true)
    setProblem('')
    controller.current = new AbortController()
    const { signal } = controller.current
    try {
      const { url } = await sendMedia('image', chosen, { signal, onProgress: () => undefined })
      onChange(url)
    } catch (error) {
      if (!signal.aborted) setProblem(error instanceof Error ? error.message : '上传失败，请稍后重试')
    } finally {
      setIsSending(false)
    }
  }
  return {
    isSending,
    problem,
    pick: () => file.current?.click(),
    input: (
      <input
        ref={file}
        type="file"
        hidden
        aria-label="封面文件"
        accept={mediaTypes.image}
        onChange={({ target }) => {
          const [chosen] = target.files ?? []
          target.value = ''
          if (chosen) void upload(chosen)
        }}
      />
    ),
  }
}
