import { type CodeOf, declareCodes } from './codes.ts'

/** The crawler's enumerations and state machines. */

export const [SpiderUrlStatus, spiderUrlStatusLabels] = declareCodes({
  Pending: [0, '等待采集'],
  Crawling: [1, '采集中'],
  Done: [2, '已采集'],
  Failed: [3, '采集失败'],
})
export type SpiderUrlStatus = CodeOf<typeof SpiderUrlStatus>

export const [SpiderDocumentStatus, spiderDocumentStatusLabels] = declareCodes({
  PendingDownload: [0, '未下载'],
  DownloadQueue: [1, '排队下载'],
  Downloading: [2, '下载中'],
  Downloaded: [3, '下载成功'],
  DownloadFailed: [4, '下载失败'],
  PublishQueue: [5, '排队发布'],
  Publishing: [6, '发布中'],
  Published: [7, '发布成功'],
  PublishFailed: [8, '发布失败'],
})
export type SpiderDocumentStatus = CodeOf<typeof SpiderDocumentStatus>

/** `postpone`: to be tried again later, or left by a process that was stopped. `cancel`: staff have ended the run. */
export type SpiderUrlEvent = 'start' | 'finish' | 'fail' | 'postpone' | 'again' | 'cancel'

const urlTransitions: Record<SpiderUrlStatus, Partial<Record<SpiderUrlEvent, SpiderUrlStatus>>> = {
  [SpiderUrlStatus.Pending]: {
    start: SpiderUrlStatus.Crawling,
    fail: SpiderUrlStatus.Failed,
    cancel: SpiderUrlStatus.Done,
  },
  [SpiderUrlStatus.Crawling]: {
    finish: SpiderUrlStatus.Done,
    fail: SpiderUrlStatus.Failed,
    postpone: SpiderUrlStatus.Pending,
    cancel: SpiderUrlStatus.Done,
  },
  [SpiderUrlStatus.Done]: { again: SpiderUrlStatus.Pending },
  [SpiderUrlStatus.Failed]: { again: SpiderUrlStatus.Pending },
}

/** Undefined when the state has no such transition. */
export function nextUrlStatus(from: SpiderUrlStatus, event: SpiderUrlEvent): SpiderUrlStatus | undefined {
  return urlTransitions[from][event]
}

/** `link`: the library has the same content. `change`: the address of a published document now has another content. */
export type SpiderDocumentEvent =
  | 'queueDownload'
  | 'cancelDownload'
  | 'startDownload'
  | 'postponeDownload'
  | 'download'
  | 'failDownload'
  | 'link'
  | 'change'
  | 'queuePublish'
  | 'startPublish'
  | 'postponePublish'
  | 'publish'
  | 'failPublish'

const { PendingDownload, DownloadQueue, Downloading, Downloaded, DownloadFailed } = SpiderDocumentStatus
const { PublishQueue, Publishing, Published, PublishFailed } = SpiderDocumentStatus

const documentTransitions: Record<SpiderDocumentStatus, Partial<Record<SpiderDocumentEvent, SpiderDocumentStatus>>> = {
  [PendingDownload]: { queueDownload: DownloadQueue },
  [DownloadQueue]: { startDownload: Downloading, cancelDownload: PendingDownload, failDownload: DownloadFailed },
  [Downloading]: {
    download: Downloaded,
    failDownload: DownloadFailed,
    postponeDownload: DownloadQueue,
    link: Published,
  },
  [Downloaded]: { queuePublish: PublishQueue, queueDownload: DownloadQueue, change: Downloaded, link: Published },
  [DownloadFailed]: { queueDownload: DownloadQueue },
  [PublishQueue]: { startPublish: Publishing, failPublish: PublishFailed },
  [Publishing]: { publish: Published, failPublish: PublishFailed, postponePublish: PublishQueue },
  [Published]: { change: Downloaded, link: Published },
  [PublishFailed]: { queuePublish: PublishQueue, queueDownload: DownloadQueue },
}

/** Undefined when the state has no such transition. */
export function nextSpiderDocumentStatus(
  from: SpiderDocumentStatus,
  event: SpiderDocumentEvent,
): SpiderDocumentStatus | undefined {
  return documentTransitions[from][event]
}

export const [SpiderSourceState, spiderSourceStateLabels] = declareCodes({
  Idle: [0, '未运行'],
  Running: [1, '运行中'],
  Paused: [2, '已暂停'],
})
export type SpiderSourceState = CodeOf<typeof SpiderSourceState>

/** What a source's start addresses are. */
export const [SpiderEntry, spiderEntryLabels] = declareCodes({
  Page: [0, '网页'],
  Sitemap: [1, '站点地图或订阅源'],
})
export type SpiderEntry = CodeOf<typeof SpiderEntry>

export const [SpiderSchedule, spiderScheduleLabels] = declareCodes({
  Once: [0, '手动运行'],
  Hourly: [1, '每小时'],
  Daily: [2, '每天'],
  Weekly: [3, '每周'],
})
export type SpiderSchedule = CodeOf<typeof SpiderSchedule>

/** What is done with a file once it has been downloaded. */
export const [SpiderPublish, spiderPublishLabels] = declareCodes({
  Manual: [0, '人工发布'],
  Review: [1, '自动提交审核'],
  Now: [2, '自动发布'],
})
export type SpiderPublish = CodeOf<typeof SpiderPublish>

/** In place of an HTTP status: there was no answer, or none that matters. */
export const noAnswer = 0

/** Why an address was not crawled, downloaded or published. */
export const spiderFailureLabels = {
  address: '网址不对：只能是 http 或 https 开头、不带用户名和密码的网址',
  private: '这是内网地址；确实要采集时，把它加入“允许的内网主机”',
  port: '网址的端口不是 80 或 443，也不是采集源自己的端口',
  unreachable: '连接不上这个网站',
  timeout: '对方迟迟没有响应，或传输太慢',
  interrupted: '传输中途断开，内容不完整',
  malformed: '对方的响应已损坏，无法读取',
  too_large: '内容超过了大小上限',
  too_compressed: '压缩内容解开后异常地大，可能是压缩炸弹',
  encoding: '对方用了不支持的压缩方式',
  redirects: '跳转次数太多',
  insecure_redirect: '从 https 跳转到了 http',
  robots: '对方的 robots.txt 不允许采集',
  robots_unknown: '读不到对方的 robots.txt，暂时不采集',
  noindex: '对方声明这一页不许收录',
  not_found: '对方说这个页面不存在',
  forbidden: '对方不允许访问，可能需要登录',
  rate_limited: '对方要求慢一点，过一会儿再试',
  waiting: '两次请求的间隔还没有到，或者正在采集这个网站',
  server_error: '对方的服务器出错',
  status: '对方的响应不正常',
  not_a_page: '返回的不是网页',
  not_a_file: '返回的是网页，不是文件，可能需要登录',
  not_a_sitemap: '返回的不是站点地图或订阅源',
  too_slow: '这一页处理太久，规则里的正则或选择器可能过于复杂',
  too_complex: '这一页过于庞大或嵌套太深',
  bad_rule: '规则里的正则或选择器有错误，请修改采集源的规则',
  empty_article: '没有找到正文，请检查正文选择器',
  empty: '文件是空的',
  ext_denied: '不是要采集的格式',
  mismatch: '文件的内容和扩展名不符',
  banned: '这个文件已被本站禁止',
  owner_missing: '上传者不存在或已注销，请在采集源里重新选择',
  category_missing: '分类不存在，请重新选择',
  file_missing: '下载的文件已被清除，请重新下载',
  source_missing: '采集源已被删除',
  disk_full: '服务器的磁盘已满',
  internal: '本站处理时出错，详情见日志',
} as const
export type SpiderFailure = keyof typeof spiderFailureLabels

/** What the log of an address tells. */
export const spiderLogLabels = {
  found: '发现',
  fetched: '已抓取',
  unchanged: '没有变化',
  duplicate: '内容与另一页相同，不再继续',
  file: '这是一个文件，已转为采集文档',
  downloaded: '已下载',
  linked: '文档库里已有相同的文件，已关联',
  changed: '文件有了新内容',
  published: '已发布',
  postponed: '稍后再试',
  interrupted: '本站的进程中断，将重新处理',
  failed: '失败',
  edited: '由管理人员修改',
} as const
export type SpiderLogEvent = keyof typeof spiderLogLabels
