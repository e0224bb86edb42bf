import { downloads } from '#shared/contract/downloads.ts'
import { downloadPath } from '#web/domain/paths.ts'
import { api, errorMessage } from '#web/lib/api.ts'
import { toast } from '#web/ui/overlay/toast.tsx'

interface DownloadRequest {
  id: number
  /** The server refuses to charge more than this, which the member has seen. */
  cost: number
  /** The time for which the address of a download that a share link counts is good. */
  keptSeconds?: number
}

/** Addresses of downloads that a share link has counted: following one again, while it is good, counts no second time. */
const kept = new Map<number, { path: string; until: number }>()

export async function startDownload({ id, cost, keptSeconds = 0 }: DownloadRequest): Promise<void> {
  const path = downloadPath((await api(downloads.download, { id, cost })).url)
  if (keptSeconds > 0) kept.set(id, { path, until: Date.now() + keptSeconds * 1000 })
  follow(path)
}

/** The address of a download that was counted a moment ago; undefined when there is none that is still good. */
export function keptDownload(id: number): string | undefined {
  const link = kept.get(id)
  return link && link.until > Date.now() ? link.path : undefined
}

export function follow(path: string): void {
  clickLink(path)
  toast('开始下载')
}

export function describeProblem(error: unknown): string {
  return errorMessage(error, '下载没有成功，请稍后重试')
}

/** Without leaving the page, even if the response is an error. */
function clickLink(url: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = ''
  link.click()
}
