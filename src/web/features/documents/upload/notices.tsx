import { useState } from 'react'
import { formatSize } from '#shared/format.ts'
import { fingerprint, type RejectedFile } from '#web/features/documents/upload/acceptance.ts'
import { unfinishedUploads } from '#web/features/documents/upload/transfer/unfinished-uploads.ts'
import type { UploadItem } from '#web/features/documents/upload/row.ts'
import { abandonUpload } from '#web/features/documents/upload/transfer/send-file.ts'
import { Notice } from '#web/ui/feedback/notice.tsx'

const maxNames = 5

/** Uploads that were not finished on an earlier visit. */
export function UnfinishedNotice({ user, rows }: { user: number; rows: readonly UploadItem[] }) {
  const [all, setAll] = useState(() => unfinishedUploads.of(user))
  const listed = new Set(rows.map(({ file }) => fingerprint(file)))
  const unfinished = all.filter((upload) => !listed.has(fingerprint(upload)))
  const abandonAll = () => {
    for (const upload of unfinished) {
      unfinishedUploads.remove(user, upload)
      if (!upload.attachment) void abandonUpload(upload.url)
    }
    setAll([])
  }
  if (unfinished.length === 0) return null
  return (
    <Notice>
      <p>上次有 {unfinished.length} 个文件没有传完，重新选择同样的文件即可接着传：</p>
      <ul className="mt-1 list-inside list-disc">
        {unfinished.slice(0, maxNames).map((upload) => (
          <li key={fingerprint(upload)}>
            {upload.name}（{formatSize(upload.size)}，已传 {Math.floor((upload.sent / upload.size) * 100)}%）
          </li>
        ))}
        {unfinished.length > maxNames && <li>还有 {unfinished.length - maxNames} 个</li>}
      </ul>
      <button type="button" onClick={abandonAll} className="mt-1.5 underline underline-offset-4">
        不再续传
      </button>
    </Notice>
  )
}

/** Chosen files that cannot be uploaded, with the reasons. */
export function RejectedNotice({ rejected, onDismiss }: { rejected: readonly RejectedFile[]; onDismiss: () => void }) {
  return (
    <div role="alert">
      <Notice tone="warning">
        <p>{rejected.length} 个文件没有加入列表：</p>
        <ul className="mt-1 max-h-48 list-inside list-disc overflow-y-auto">
          {rejected.map(({ id, name, reason }) => (
            <li key={id}>
              {name}：{reason}
            </li>
          ))}
        </ul>
        <button type="button" onClick={onDismiss} className="mt-1.5 underline underline-offset-4">
          知道了
        </button>
      </Notice>
    </div>
  )
}
