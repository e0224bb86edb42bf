import { downloads } from '#shared/contract/downloads.ts'
import { downloadPath } from '#web/domain/paths.ts'
import { api, errorMessage } from '#web/lib/api.ts'
import { toast } from '#web/ui/overlay/toast.tsx'

/** The server refuses to charge more than `cost`, which the member has seen. */
export async function startDownload({ id, cost }: { id: number; cost: number }): Promise<void> {
  const { url } = await api(downloads.download, { id, cost })
  clickLink(downloadPath(url))
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
