import type { ReactNode } from 'react'
import type { FindResult } from '#web/features/documents/reader/find/find-api.ts'

interface HitCountProps {
  result: FindResult | undefined
  problem: string
  total: number
  currentNumber: number
  /** The rest of the document is not searched. */
  isPartial: boolean
}

export function HitCount({ result, problem, total, currentNumber, isPartial }: HitCountProps) {
  if (!result || problem) return null
  if (total === 0) return result.extraction ? null : isPartial ? '预览里没有' : '没有找到'
  return (
    <>
      <span aria-hidden>
        {currentNumber} / {total}
      </span>
      <span className="sr-only">
        第 {currentNumber} 处，共 {total} 处
      </span>
    </>
  )
}

interface FindNotesProps {
  result: FindResult | undefined
  problem: string
  download: ReactNode
}

/** Why the count may be incomplete. */
export function FindNotes({ result, problem, download }: FindNotesProps) {
  const notes = problem ? [problem] : result ? describeResult(result) : []
  if (notes.length === 0) return null
  return (
    <div className="flex items-center gap-3 border-t border-line bg-surface px-3 py-2 text-sm text-muted max-md:absolute max-md:inset-x-0 max-md:bottom-full md:rounded-b-md">
      <p aria-live="polite" className="min-w-0 flex-1 tabular-nums">
        {notes.join('；')}
      </p>
      {!problem && result?.isBeyond && <div className="shrink-0">{download}</div>}
    </div>
  )
}

function describeResult({ isBeyond, extraction }: FindResult): string[] {
  const notes: string[] = []
  if (isBeyond) notes.push('预览之外的页里也有')
  if (extraction && extraction.pages === 0) notes.push('文档正在转换，完成后会自动查找')
  else if (extraction) notes.push(`正文还在读取（${extraction.read} / ${extraction.pages} 页），结果会自动补全`)
  return notes
}
