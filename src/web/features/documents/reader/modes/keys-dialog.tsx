import { Dialog } from '#web/ui/overlay/dialog.tsx'

type Shortcut = readonly [keys: readonly string[], meaning: string]

const pageKeys: readonly Shortcut[] = [
  [['←', 'PageUp'], '上一页'],
  [['→', 'PageDown'], '下一页'],
  [['Home'], '第一页'],
  [['End'], '可预览的最后一页'],
  [['+', '-'], '放大、缩小'],
  [['0'], '适合宽度'],
  [['/', 'Ctrl F'], '在文档中查找'],
  [['T'], '目录和缩略图'],
  [['R'], '旋转 90°'],
  [['F'], '全屏'],
  [['Z'], '专注'],
  [['P'], '演示'],
  [['Ctrl P'], '打印'],
  [['Esc'], '关闭或退出'],
  [['B'], '给这一页加书签或取消'],
  [['?'], '快捷键列表'],
]

const textKeys: readonly Shortcut[] = [
  [['←'], '上一页'],
  [['→'], '下一页'],
  [['Home'], '第一页'],
  [['End'], '可预览的最后一页'],
  [['+', '-'], '增大、减小字号'],
  [['0'], '标准字号'],
  [['/', 'Ctrl F'], '在文字版中查找'],
  [['T'], '目录和缩略图'],
  [['F'], '全屏'],
  [['Ctrl P'], '打印原版页面'],
  [['Esc'], '关闭或退出'],
  [['B'], '给这一页加书签或取消'],
  [['?'], '快捷键列表'],
]

interface KeysDialogProps {
  view: 'pages' | 'text'
  onClose: () => void
}

export function KeysDialog({ view, onClose }: KeysDialogProps) {
  const keys = view === 'pages' ? pageKeys : textKeys
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="快捷键">
      <dl className="mt-4 grid grid-cols-[auto_1fr] items-baseline gap-x-6 gap-y-2 text-sm">
        {keys.map(([names, meaning]) => (
          <div key={meaning} className="col-span-2 grid grid-cols-subgrid">
            <dt className="flex flex-wrap gap-1.5">
              {names.map((name) => (
                <kbd
                  key={name}
                  className="min-w-7 rounded-sm border border-line bg-sunken px-1.5 text-center font-sans leading-6"
                >
                  {name}
                </kbd>
              ))}
            </dt>
            <dd className="text-muted">{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
