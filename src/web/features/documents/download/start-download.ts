import { downloads } from '#shared/contract/downloads.ts'
import { downloadPath } from '#web/domain/paths.ts'
import { api, errorMessage } from '#web/lib/api.ts'
import { toast } from '#web/ui/overlay/toast.tsx'

interface DownloadRequest {
  id: number
  /** The server refuses to charge more than this, which the member has seen. */
  cost: number
}

export async function startDownload({ id, cost }: DownloadRequest): Promise<void> {
  clickLink(downloadPath((await api(downloads.download, { id, cost })).url))
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
