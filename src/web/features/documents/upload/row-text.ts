import { isUnpreviewable, unpreviewableLabel } from '#shared/conversion.ts'
import { documentStatusLabels, DocumentStatus } from '#shared/document-status.ts'
import { formatSize } from '#shared/format.ts'
import { remainingText } from '#web/features/documents/upload/transfer/transfer-speed.ts'
import type { countRows, UploadItem } from '#web/features/documents/upload/row.ts'
import type { RowState } from '#web/features/documents/upload/row-state.ts'

export type Tone = 'muted' | 'accent' | 'success' | 'warning' | 'danger'

export interface RowStatus {
  text: string
  tone: Tone
  /** From 0 to 1; true if indeterminate; undefined if nothing is running. */
  progress?: number | true
}

/** The state of a file as a text, with its progress. */
export function describeRow(row: UploadItem): RowStatus {
  if (row.isReconnecting)
    return { text: '连接断开，恢复后自动继续', tone: 'warning', progress: fractionOf(row.sent, row) }
  return texts[row.state](row)
}

const texts: Record<RowState, (row: UploadItem) => RowStatus> = {
  draft: (row) =>
    row.sent > 0 && (row.unfinished || row.server.url)
      ? { text: `上次传到 ${percent(fractionOf(row.sent, row))}，接着传`, tone: 'accent' }
      : { text: '待上传', tone: 'muted' },
  waiting: () => ({ text: '等待中', tone: 'muted' }),
  hashing: (row) => withPercent('校验', fractionOf(row.read, row)),
  sending: (row) => {
    const { sent, speed, file } = row
    if (sent >= file.size) return { text: '服务器正在检查文件…', tone: 'accent', progress: true }
    const { text, ...rest } = withPercent('上传', fractionOf(sent, row))
    const more = [speed > 0 && `${formatSize(speed)}/s`, remainingText(file.size - sent, speed)]
    return { ...rest, text: [text, ...more].filter(Boolean).join(' · ') }
  },
  publishing: ({ isInstant }) => ({
    text: isInstant ? '秒传成功，正在发布…' : '正在发布…',
    tone: 'accent',
    progress: true,
  }),
  duplicate: ({ duplicate }) => ({ text: `您已上传过《${duplicate?.title ?? ''}》`, tone: 'warning' }),
  converting: ({ document }) => {
    const { pages = 0, read = 0, status = DocumentStatus.Pending } = document ?? {}
    if (pages > 0) return { text: `转换中 · ${read} / ${pages} 页`, tone: 'accent', progress: read / pages }
    return {
      text: status === DocumentStatus.Converting ? '转换中…' : '已提交，等待转换…',
      tone: 'accent',
      progress: true,
    }
  },
  done: (row) => describeOutcome(row),
  failed: ({ error }) => ({ text: error, tone: 'danger' }),
}

/** What has become of the files that were sent, after the server's last answer. */
export function describeResult(counts: ReturnType<typeof countRows>): string {
  const outcomes = [
    ['已发布', counts.published],
    ['转换中', counts.converting],
    ['待审核', counts.inReview],
    ['转换失败', counts.unreadable],
    ['未通过或已删除', counts.withdrawn],
  ] as const
  const texts = outcomes.filter(([, count]) => count > 0).map(([label, count]) => `${label} ${count} 个`)
  const submitted = counts.submitted > 0 ? `已提交 ${counts.submitted} 个：${texts.join('，')}` : ''
  return [
    submitted,
    counts.duplicate > 0 && `已上传过 ${counts.duplicate} 个`,
    counts.failed > 0 && `失败 ${counts.failed} 个`,
  ]
    .filter(Boolean)
    .join('；')
}

function describeOutcome(row: UploadItem): RowStatus {
  const { document, isInstant } = row
  if (row.isDeleted) return { text: '文档已被删除', tone: 'warning' }
  const { status = DocumentStatus.Converted, pages = 0, convert_error = '' } = document ?? {}
  if (isUnpreviewable({ status, convert_error })) return { text: `已发布，${unpreviewableLabel}`, tone: 'success' }
  if (status === DocumentStatus.Failed)
    return { text: `转换失败：${convert_error || '文件无法转换'}。替换文件不占上传数量`, tone: 'danger' }
  if (status === DocumentStatus.InReview) return { text: '已提交，等待审核', tone: 'success' }
  if (status !== DocumentStatus.Converted) return { text: documentStatusLabels[status], tone: 'warning' }
  return {
    text: [isInstant ? '秒传完成，已发布' : '已发布', pages > 0 && `${pages} 页`].filter(Boolean).join(' · '),
    tone: 'success',
  }
}

function withPercent(verb: string, fraction: number): RowStatus {
  return { text: `${verb} ${percent(fraction)}`, tone: 'accent', progress: fraction }
}

function fractionOf(bytes: number, { file }: UploadItem): number {
  return file.size > 0 ? Math.min(1, bytes / file.size) : 0
}

function percent(fraction: number): string {
  return `${Math.floor(fraction * 100)}%`
}
