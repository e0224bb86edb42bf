import {
  SpiderDocumentStatus,
  type SpiderFailure,
  spiderFailureLabels,
  SpiderSourceState,
  SpiderUrlStatus,
} from '#shared/spider.ts'

export const stateColors: Record<SpiderSourceState, string> = {
  [SpiderSourceState.Idle]: 'default',
  [SpiderSourceState.Running]: 'processing',
  [SpiderSourceState.Paused]: 'gold',
}

export const urlStatusColors: Record<SpiderUrlStatus, string> = {
  [SpiderUrlStatus.Pending]: 'blue',
  [SpiderUrlStatus.Crawling]: 'processing',
  [SpiderUrlStatus.Done]: 'green',
  [SpiderUrlStatus.Failed]: 'red',
}

export const documentStatusColors: Record<SpiderDocumentStatus, string> = {
  [SpiderDocumentStatus.PendingDownload]: 'default',
  [SpiderDocumentStatus.DownloadQueue]: 'blue',
  [SpiderDocumentStatus.Downloading]: 'processing',
  [SpiderDocumentStatus.Downloaded]: 'cyan',
  [SpiderDocumentStatus.DownloadFailed]: 'red',
  [SpiderDocumentStatus.PublishQueue]: 'blue',
  [SpiderDocumentStatus.Publishing]: 'processing',
  [SpiderDocumentStatus.Published]: 'green',
  [SpiderDocumentStatus.PublishFailed]: 'red',
}

/** The statuses of documents that change by themselves. */
export const movingDocumentStatuses: readonly SpiderDocumentStatus[] = [
  SpiderDocumentStatus.DownloadQueue,
  SpiderDocumentStatus.Downloading,
  SpiderDocumentStatus.PublishQueue,
  SpiderDocumentStatus.Publishing,
]

export const failedDocumentStatuses: readonly SpiderDocumentStatus[] = [
  SpiderDocumentStatus.DownloadFailed,
  SpiderDocumentStatus.PublishFailed,
]

/** What to do, where the name of the failure does not say it. */
const failureAdvice: Partial<Record<SpiderFailure, string>> = {
  unreachable: '请检查网址，看看在浏览器里能不能打开',
  timeout: '可以稍后重试',
  redirects: '请改用跳转之后的网址',
  insecure_redirect: '请改用 http 的网址，或换一个来源',
  robots: '请尊重对方的规则；是自己的网站时，可以在它的 robots.txt 里允许本站采集',
  robots_unknown: '请看看这个网站在浏览器里能不能打开；运行时会自动重试',
  not_found: '请检查网址',
  forbidden: '采集不会登录，请换一个公开的网址',
  server_error: '可以稍后重试',
  not_a_page: '如果它是站点地图，请把“起始网址是”改为“站点地图或订阅源”',
  not_a_sitemap: '如果它是网页，请把“起始网址是”改为“网页”',
  ext_denied: '请检查采集源的“格式”',
  too_large: '可以在采集源或采集设置里提高上限',
}

/** Why something failed, and what to do. */
export function failureText(reason: SpiderFailure | ''): string {
  if (!reason) return ''
  const advice = failureAdvice[reason]
  return advice ? `${spiderFailureLabels[reason]}。${advice}` : spiderFailureLabels[reason]
}

/** What an answer like 404 says, for people who know it. */
export function statusText(httpStatus: number): string {
  return httpStatus > 0 ? `HTTP ${httpStatus}` : ''
}

export function durationText(ms: number): string {
  return ms < 100 ? '用时不到 0.1 秒' : `用时 ${(ms / 1000).toFixed(1)} 秒`
}

/** Of a bulk action. */
export function describeChanged({ changed, skipped }: { changed: number; skipped: number }): string {
  const done = `已处理 ${changed.toLocaleString('zh-CN')} 项`
  return skipped > 0 ? `${done}，${skipped.toLocaleString('zh-CN')} 项的状态不允许，已跳过` : done
}
