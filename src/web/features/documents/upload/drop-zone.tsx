import { FileUp, FolderUp, Upload } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { filesInTransfer, filesInInput } from '#web/features/documents/upload/chosen-files.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/class-names.ts'

interface DropZoneProps {
  exts: readonly string[]
  small: boolean
  onFiles: (files: File[]) => void
  /** What is accepted, and what it earns. */
  children?: ReactNode
}

/** Takes files by drop anywhere on the page, paste, or one of two buttons. On phones there is nothing to drag. */
export function DropZone({ exts, small, onFiles, children }: DropZoneProps) {
  const input = useRef<HTMLInputElement>(null)
  const isOver = useDroppedFiles(onFiles)
  const choose = (isFolder: boolean) => {
    const { current } = input
    if (!current) return
    // React has no attribute for it. A folder has files of all kinds: what cannot be uploaded is listed with the reason.
    current.webkitdirectory = isFolder
    current.accept = isFolder ? '' : exts.join(',')
    current.click()
  }
  return (
    <section
      aria-label="选择要上传的文件"
      className={cx(
        'flex flex-col items-center justify-center gap-3 rounded-lg border-2 border-dashed px-4 text-center transition-colors',
        small ? 'py-6' : 'py-10 md:py-12',
        isOver ? 'border-accent bg-accent-soft' : 'border-edge bg-surface',
      )}
    >
      {!small && <Upload size={36} strokeWidth={1.5} className="text-accent" aria-hidden />}
      <p className="font-medium max-md:hidden pointer-coarse:hidden">
        {isOver ? '松开鼠标，加入列表' : '拖放文件或文件夹到这里，也可以粘贴已复制的文件'}
      </p>
      <p className="hidden font-medium max-md:block pointer-coarse:block">从手机或平板里选择要上传的文档</p>
      <div className="flex flex-wrap justify-center gap-3 max-md:w-full">
        <Button variant="primary" size="lg" className="max-md:w-full" onClick={() => choose(false)}>
          <FileUp size={18} aria-hidden />
          选择文件
        </Button>
        {isFolderChoosable() && (
          <Button size="lg" className="max-md:w-full" onClick={() => choose(true)}>
            <FolderUp size={18} aria-hidden />
            选择文件夹
          </Button>
        )}
      </div>
      {children}
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={exts.join(',')}
        onChange={({ target }) => {
          onFiles(filesInInput(target))
          // Otherwise choosing the same file again would be no change.
          target.value = ''
        }}
      />
    </section>
  )
}

/** Browsers on iPhones have the property, but most versions of them open no folder. */
function isFolderChoosable(): boolean {
  return 'webkitdirectory' in HTMLInputElement.prototype && !/iPhone|iPad|iPod/.test(navigator.userAgent)
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
