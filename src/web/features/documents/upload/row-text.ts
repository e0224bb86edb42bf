import { documentStatusLabels, type DocumentStatus } from '#shared/document-status.ts'
import { formatSize } from '#shared/format.ts'
import { remaining } from '#web/features/documents/upload/pace.ts'
import type { Row } from '#web/features/documents/upload/row.ts'
import type { RowState } from '#web/features/documents/upload/row-state.ts'

export type Tone = 'muted' | 'accent' | 'success' | 'warning' | 'danger'

export interface RowText {
  text: string
  tone: Tone
  /** From 0 to 1 where it can be measured, true where it cannot, nothing where nothing happens. */
  progress?: number | true
}

/** Where a file has got to, in words and figures. */
export function textOf(row: Row): RowText {
  if (row.isWaiting) return { text: '连接断开，恢复后自动继续', tone: 'warning', progress: shareOf(row.sent, row) }
  return texts[row.state](row)
}

const texts: Record<RowState, (row: Row) => RowText> = {
  draft: (row) =>
    row.sent > 0 && (row.leftover || row.kept.url)
      ? { text: `上次传到 ${percent(shareOf(row.sent, row))}，接着传`, tone: 'accent' }
      : { text: '待上传', tone: 'muted' },
  waiting: () => ({ text: '等待中', tone: 'muted' }),
  hashing: (row) => measured('校验', shareOf(row.read, row)),
  sending: (row) => {
    const { sent, speed, file } = row
    if (sent >= file.size) return { text: '服务器正在检查文件…', tone: 'accent', progress: true }
    const { text, ...rest } = measured('上传', shareOf(sent, row))
    const more = [speed > 0 && `${formatSize(speed)}/s`, remaining(file.size - sent, speed)]
    return { ...rest, text: [text, ...more].filter(Boolean).join(' · ') }
  },
  publishing: ({ isInstant }) => ({
    text: isInstant ? '秒传成功，正在发布…' : '正在发布…',
    tone: 'accent',
    progress: true,
  }),
  converting: ({ document }) => {
    const { pages = 0, read = 0, status = 0 } = document ?? {}
    if (pages > 0) return { text: `转换中 · ${read} / ${pages} 页`, tone: 'accent', progress: read / pages }
    return { text: status === 1 ? '转换中…' : '已发布，等待转换…', tone: 'accent', progress: true }
  },
  done: (row) => outcomeOf(row),
  failed: ({ error }) => ({ text: error, tone: 'danger' }),
}

function outcomeOf({ document, isInstant }: Row): RowText {
  const { status = 2, pages = 0, convert_error = '' } = document ?? {}
  if (status === 3) return { text: `已发布。${convert_error || '无法在线预览'}`, tone: 'warning' }
  if (status === 6) return { text: '已提交，等待审核', tone: 'success' }
  if (status !== 2) return { text: documentStatusLabels[status as DocumentStatus], tone: 'warning' }
  return {
    text: [isInstant ? '秒传完成' : '完成', pages > 0 && `${pages} 页`].filter(Boolean).join(' · '),
    tone: 'success',
  }
}

function measured(verb: string, share: number): RowText {
  return { text: `${verb} ${percent(share)}`, tone: 'accent', progress: share }
}

function shareOf(bytes: number, { file }: Row): number {
  return file.size > 0 ? Math.min(1, bytes / file.size) : 0
}

function percent(share: number): string {
  return `${Math.floor(share * 100)}%`
}
