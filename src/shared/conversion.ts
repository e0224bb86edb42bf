import { DocumentStatus } from './document-status.ts'

/** Why a document cannot be shown, with a message for users. Those that are `retried` may succeed the next time. */
export const failureReasons = {
  encrypted: { message: '文件已加密，请去掉密码后重新上传', retried: false },
  damaged: { message: '文件已损坏，无法打开', retried: false },
  empty: { message: '文件内容为空', retried: false },
  mismatch: { message: '文件内容与扩展名不符', retried: false },
  unsupported: { message: '暂不支持在线预览，可以下载后查看', retried: false },
  unsafe: { message: '文件中含有不安全的内容，无法在线预览', retried: false },
  tooManyPages: { message: '页数过多，无法在线预览', retried: false },
  tooLarge: { message: '文件内容超出限制，无法在线预览', retried: false },
  timeout: { message: '转换超时，文件可能过于复杂', retried: true },
  memory: { message: '转换所需内存超出限制', retried: true },
  crashed: { message: '转换程序意外退出', retried: true },
  noTool: { message: '服务器没有安装所需的转换程序，安装后会自动继续', retried: true },
  noSandbox: { message: '服务器没有可用的安全隔离，已暂停转换办公文档', retried: true },
  diskFull: { message: '服务器磁盘空间不足，稍后会自动重试', retried: true },
  missing: { message: '原文件不存在', retried: false },
} as const satisfies Record<string, { message: string; retried: boolean }>

export type FailureReason = keyof typeof failureReasons

/** Not a failure: the file is as it should be, and can be downloaded. */
export const unpreviewableReason: FailureReason = 'unsupported'
export const unpreviewableLabel = '可下载，不支持预览'

/** Whether a document that was not converted has a format without preview. */
export function isUnpreviewable({ status, convert_error }: { status: number; convert_error?: string }): boolean {
  return status === DocumentStatus.Failed && convert_error === failureReasons[unpreviewableReason].message
}
