import { isUnreachable } from './db/unreachable.ts'

/** Of PostgreSQL, when it refuses a connection. */
const refusals: Record<string, string> = {
  '28P01': '数据库的用户名或密码不对，请检查 DATABASE_URL',
  '28000': '数据库不接受这个用户的连接，请检查 DATABASE_URL 和 pg_hba.conf',
  '3D000': '数据库不存在，请先建好（createdb），或检查 DATABASE_URL 里的名称',
  '42501': '数据库的用户没有足够的权限，请让它成为数据库的所有者',
  '53300': '数据库的连接已满，请调大 max_connections，或减少进程',
  '57P03': '数据库正在启动或停止，请稍后再试',
}

/** By their message: SQLite's errors of Node have one code for all. */
const sqliteFailures: [RegExp, string][] = [
  [/readonly|unable to open/i, '数据库文件不能写入，请检查 DATA_DIR 的权限和磁盘'],
  [/database is locked/i, '数据库正被另一个程序占用，请稍后再试'],
  [/not a database|malformed/i, '数据库文件已损坏或不是 SQLite 文件，请检查磁盘，或从备份恢复'],
  [/disk is full/i, '磁盘已满，请腾出空间后再试'],
]

/** What went wrong and what to do, for failures that an owner can mend; undefined for others, which are bugs. */
export function explainFailure(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code = '', path = '' } = error as { code?: string; path?: string }
  if (refusals[code]) return refusals[code]
  if (isUnreachable(error)) return '连接不上数据库，请检查 DATABASE_URL 和数据库是否在运行'
  if (code === 'ENOSPC') return '磁盘已满，请腾出空间后再试'
  if (code === 'EACCES' || code === 'EPERM') return `没有权限读写 ${path}，请检查文件的所有者和权限`
  if (code === 'ENOENT' && path) return `没有找到 ${path}`
  return sqliteFailures.find(([pattern]) => pattern.test(error.message))?.[1]
}
