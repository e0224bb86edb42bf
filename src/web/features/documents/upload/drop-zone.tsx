import { FolderUp, Upload } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { filesInTransfer, filesInInput } from '#web/features/documents/upload/chosen-files.ts'
import { cx } from '#web/ui/class-names.ts'

interface DropZoneProps {
  isFolder: boolean
  exts: readonly string[]
  small: boolean
  onFiles: (files: File[]) => void
}

/** Takes files by drop anywhere on the page, paste, click or keyboard. */
export function DropZone({ isFolder, exts, small, onFiles }: DropZoneProps) {
  const input = useRef<HTMLInputElement>(null)
  const isOver = useDroppedFiles(onFiles)
  const Icon = isFolder ? FolderUp : Upload
  return (
    <>
      <button
        type="button"
        onClick={() => input.current?.click()}
        className={cx(
          'flex w-full flex-col items-center justify-center gap-1 rounded-lg border-2 border-dashed px-4 text-center transition-colors',
          small ? 'py-6' : 'py-14',
          isOver ? 'border-accent bg-accent-soft' : 'border-edge bg-surface hover:border-accent hover:bg-accent-soft',
        )}
      >
        <Icon size={small ? 24 : 36} strokeWidth={1.5} className="mb-1.5 text-accent" aria-hidden />
        <span className="font-medium">
          {isOver ? '松开鼠标，加入列表' : `拖放文件或文件夹到这里，或点击选择${isFolder ? '文件夹' : '文件'}`}
        </span>
        <span className="text-sm text-muted">可以一次选择多个文件，也可以粘贴已复制的文件</span>
      </button>
      <input
        // React has no attribute for it.
        ref={(element) => {
          input.current = element
          if (element) element.webkitdirectory = isFolder
        }}
        type="file"
        multiple
        hidden
        aria-label={isFolder ? '选择文件夹' : '选择文件'}
        accept={isFolder ? undefined : exts.join(',')}
        onChange={({ target }) => {
          onFiles(filesInInput(target))
          // Otherwise choosing the same file again would be no change.
          target.value = ''
        }}
      />
    </>
  )
}

/** Returns whether files are being dragged over the page. Handles drops anywhere, which would otherwise open the file. */
function useDroppedFiles(onFiles: (files: File[]) => void): boolean {
  const [depth, setDepth] = useState(0)
  const take = useEffectEvent((transfer: DataTransfer) => {
    void filesInTransfer(transfer).then(onFiles)
  })
  useEffect(() => {
    const listeners = new AbortController()
    const options = { signal: listeners.signal }
    const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
    const step = (by: number) => (event: DragEvent) => {
      if (carriesFiles(event)) setDepth((before) => Math.max(0, before + by))
    }
    addEventListener('dragenter', step(1), options)
    addEventListener('dragleave', step(-1), options)
    addEventListener('dragover', (event) => carriesFiles(event) && event.preventDefault(), options)
    addEventListener(
      'drop',
      (event) => {
        setDepth(0)
        if (!event.dataTransfer || !carriesFiles(event)) return
        event.preventDefault()
        take(event.dataTransfer)
      },
      options,
    )
    addEventListener(
      'paste',
      ({ clipboardData }) => {
        if (clipboardData && clipboardData.files.length > 0) take(clipboardData)
      },
      options,
    )
    return () => listeners.abort()
  }, [])
  return depth > 0
}
