import type { ReactNode } from 'react'
import { KindIcon } from '#web/features/documents/kind-icon.tsx'

/** In place of the pages of a document that has none to show. */
export function NoPreview({ ext, isComing, children }: { ext: string; isComing: boolean; children: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-4 rounded-lg border border-line bg-surface px-4 py-16 text-center">
      <KindIcon ext={ext} size={56} />
      <div>
        <h2 className="text-lg">{isComing ? '正在准备页面' : '暂不支持在线预览'}</h2>
        <p className="mt-1.5 text-sm text-muted">
          {isComing ? '第一页准备好后会自动出现，也可以先下载文件。' : '可以下载后用相应的软件打开。'}
        </p>
      </div>
      {children}
    </div>
  )
}
