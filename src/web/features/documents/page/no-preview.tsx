import { isConverting } from '#shared/document-status.ts'
import type { Document } from '#shared/contract/documents.ts'
import { DocumentDownload } from '#web/features/documents/download/download-button.tsx'
import { KindIcon } from '#web/features/documents/kind-icon.tsx'

interface NoPreviewProps {
  document: Pick<Document, 'id' | 'title' | 'ext' | 'size' | 'price' | 'status'>
}

/** In place of the reader, for a document without pages. */
export function NoPreview({ document }: NoPreviewProps) {
  const isComing = isConverting(document)
  return (
    <div className="flex flex-col items-center gap-4 rounded-lg border border-line bg-surface px-4 py-16 text-center">
      <KindIcon ext={document.ext} size={56} />
      <div>
        <h2 className="text-lg">{isComing ? '正在准备页面' : '暂不支持在线预览'}</h2>
        <p className="mt-1.5 text-sm text-muted">
          {isComing ? '第一页准备好后会自动出现，也可以先下载文件。' : '可以下载后用相应的软件打开。'}
        </p>
      </div>
      <DocumentDownload document={document} />
    </div>
  )
}
