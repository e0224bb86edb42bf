import { Maximize, Minimize, Search } from 'lucide-react'
import { useRef, type ReactNode } from 'react'
import { useDismiss, usePanelFocus } from '#web/features/documents/reader/toolbar/use-panel.ts'
import { Button } from '#web/ui/button.tsx'

interface TextMenuProps {
  /** The commands for the document, such as sharing it. */
  actions: ReactNode
  /** The switch to other views, for which a narrow bar has no room. */
  tools: ReactNode
  full: boolean
  onFull: () => void
  onFind: () => void
  onClose: () => void
}

/** The commands that a narrow bar of the text has no room for. The menu is below the toolbar; on a phone above it. */
export function TextMenu({ actions, tools, full, onFull, onFind, onClose }: TextMenuProps) {
  const panel = useRef<HTMLElement>(null)
  usePanelFocus(panel)
  useDismiss(panel, onClose)
  const then = (command: () => void) => () => {
    onClose()
    command()
  }
  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-label="更多阅读操作"
      className="absolute right-0 z-10 flex w-80 max-w-full animate-appear flex-col gap-3 rounded-md border border-line bg-surface p-3 text-sm shadow-soft outline-none max-md:bottom-full max-md:w-full max-md:rounded-b-none md:top-full md:mt-2"
    >
      <div className="flex flex-wrap items-center gap-2">
        {actions}
        <span className="ml-auto flex items-center min-[24rem]:hidden">{tools}</span>
      </div>
      <div className="flex flex-wrap gap-2 border-t border-line pt-3">
        <Button size="sm" onClick={then(onFind)}>
          <Search size={16} aria-hidden />
          在文档中查找
        </Button>
        <Button size="sm" aria-pressed={full} onClick={then(onFull)}>
          {full ? <Minimize size={16} aria-hidden /> : <Maximize size={16} aria-hidden />}
          {full ? '离开全屏' : '全屏阅读'}
        </Button>
      </div>
    </section>
  )
}
