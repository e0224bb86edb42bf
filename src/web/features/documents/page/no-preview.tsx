import type { Document } from '#shared/contract/documents.ts'
import { isUnpreviewable } from '#shared/conversion.ts'
import { DocumentStatus, isConverting } from '#shared/document-status.ts'
import { DocumentDownload } from '#web/features/documents/download/download-button.tsx'
import { KindIcon } from '#web/features/documents/kind-icon.tsx'

interface NoPreviewProps {
  document: Pick<
    Document,
    'id' | 'user_id' | 'title' | 'ext' | 'size' | 'price' | 'downloadable' | 'status' | 'convert_error'
  >
}

/** In place of the reader, for a document without pages. */
export function NoPreview({ document }: NoPreviewProps) {
  const { title, advice } = explain(document)
  return (
    <div className="flex flex-col items-center gap-4 rounded-lg border border-line bg-surface px-4 py-16 text-center">
      <KindIcon ext={document.ext} size={56} />
      <div>
        <h2 className="text-lg">{title}</h2>
        <p className="mt-1.5 text-sm text-muted">{advice}</p>
      </div>
      <DocumentDownload document={document} />
    </div>
  )
}

function explain(document: NoPreviewProps['document']): { title: string; advice: string } {
  if (isConverting(document)) return { title: '正在准备页面', advice: '第一页准备好后会自动出现，也可以先下载文件。' }
  if (document.status === DocumentStatus.Failed && !isUnpreviewable(document))
    return { title: '文件无法转换，不能在线预览', advice: '可以下载后用相应的软件打开。' }
  return { title: '暂不支持在线预览', advice: '可以下载后用相应的软件打开。' }
}
