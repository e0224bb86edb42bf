import { Alert, Button, Empty, Spin } from 'antd'
import { contract } from '#shared/contract/contract.ts'
import type { Document } from '#shared/contract/documents.ts'
import { useFeedback } from '#web/admin/engine/feedback.ts'
import { usePermissions } from '#web/admin/engine/use-permissions.ts'
import { usePolling } from '#web/admin/dashboard/use-polling.ts'
import styles from '#web/admin/review/review.module.css'
import { documentPath, downloadPath } from '#web/domain/paths.ts'
import { api } from '#web/lib/api.ts'

/** More pages are for the reader on the document's page. */
const maxPages = 100

export function pageImage(viewKey: string, page: number): string {
  return `/view/page/${viewKey}/${page}.svg`
}

/** The pages of a document, one below the other; they appear when its conversion ends. */
export function PagePreview({ document }: { document: Document }) {
  if (document.pages > 0)
    return <Pages document={document} viewKey={document.attachment.hash} pages={document.preview} />
  if (document.convert_error) return <NoPages document={document} />
  return <ComingPages document={document} />
}

function Pages({ document, viewKey, pages }: { document: Document; viewKey: string; pages: number }) {
  const { width, height, title } = document
  const shown = Math.min(pages, maxPages)
  return (
    <>
      {Array.from({ length: shown }, (_, index) => index + 1).map((page) => (
        <img
          key={page}
          src={pageImage(viewKey, page)}
          alt={`《${title}》第 ${page} 页`}
          loading={page <= 2 ? 'eager' : 'lazy'}
          className={styles.pageImage}
          style={{ aspectRatio: `${width} / ${height}` }}
        />
      ))}
      {pages > shown && (
        <a href={documentPath(document)} target="_blank" rel="noreferrer">
          其余 {pages - shown} 页请打开文档页面查看
        </a>
      )}
    </>
  )
}

function ComingPages({ document }: { document: Document }) {
  const { data } = usePolling(() => api(contract.documents.progress, { id: [document.id] }), {
    intervalMs: 2000,
    retryMs: 10_000,
  })
  const progress = data?.document[0]
  const pages = progress ? Math.max(progress.preview, progress.first) : 0
  if (progress && pages > 0) return <Pages document={document} viewKey={progress.hash} pages={pages} />
  if (progress?.convert_error) return <NoPages document={{ ...document, convert_error: progress.convert_error }} />
  return (
    <Empty
      image={<Spin />}
      styles={{ image: { height: 40 } }}
      description="文件还在转换，页面稍后会出现；也可以先看下一份。"
    />
  )
}

/** A file without pages: what is known of its text, and the file itself. */
function NoPages({ document }: { document: Document }) {
  const { canCall } = usePermissions()
  const { showError } = useFeedback()
  const endpoint = contract.downloads.downloadForReview
  const download = async () => {
    try {
      location.assign(downloadPath((await api(endpoint, { id: document.id })).url))
    } catch (error) {
      showError('下载', error)
    }
  }
  return (
    <div className={styles.noPages}>
      <Alert
        type="warning"
        showIcon
        title="没有可以预览的页面"
        description={document.convert_error}
        action={canCall(endpoint) && <Button onClick={() => void download()}>下载原文件</Button>}
      />
      {document.description && <p className={styles.text}>{document.description}</p>}
    </div>
  )
}
