import { useState } from 'react'
import { formatSize } from '#shared/format.ts'
import { fingerprint, type Refused } from '#web/features/documents/upload/acceptance.ts'
import { leftovers } from '#web/features/documents/upload/leftovers.ts'
import type { Row } from '#web/features/documents/upload/row.ts'
import { dropUpload } from '#web/features/documents/upload/send-file.ts'
import { Notice } from '#web/ui/notice.tsx'

const named = 5

/** What an earlier visit has left unfinished. */
export function LeftoverNotice({ user, rows }: { user: number; rows: readonly Row[] }) {
  const [all, setAll] = useState(() => leftovers.of(user))
  const here = new Set(rows.map(({ file }) => fingerprint(file)))
  const left = all.filter((one) => !here.has(fingerprint(one)))
  const giveUp = () => {
    for (const one of left) {
      leftovers.forget(user, one)
      if (!one.attachment) void dropUpload(one.url)
    }
    setAll([])
  }
  if (left.length === 0) return null
  return (
    <Notice>
      <p>上次有 {left.length} 个文件没有传完，重新选择同样的文件即可接着传：</p>
      <ul className="mt-1 list-inside list-disc">
        {left.slice(0, named).map((one) => (
          <li key={fingerprint(one)}>
            {one.name}（{formatSize(one.size)}，已传 {Math.floor((one.sent / one.size) * 100)}%）
          </li>
        ))}
        {left.length > named && <li>还有 {left.length - named} 个</li>}
      </ul>
      <button type="button" onClick={giveUp} className="mt-1.5 underline underline-offset-4">
        不再续传
      </button>
    </Notice>
  )
}

/** What was chosen and cannot be uploaded, each with its reason. */
export function RefusedNotice({ refused, onDismiss }: { refused: readonly Refused[]; onDismiss: () => void }) {
  return (
    <div role="alert">
      <Notice tone="warning">
        <p>{refused.length} 个文件没有加入列表：</p>
        <ul className="mt-1 max-h-48 list-inside list-disc overflow-y-auto">
          {refused.map(({ id, name, reason }) => (
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
