import { existsSync } from 'node:fs'
import { type Config, ConfigError } from '../config.ts'

/** Where the site's database is; one is not made by looking for it. */
export function existing({ databaseUrl }: Config): string {
  if (databaseUrl.includes('://') || existsSync(databaseUrl)) return databaseUrl
  throw new ConfigError(`没有找到数据库 ${databaseUrl}，请先用 npm start 启动一次，或用 DATA_DIR 指定数据目录`)
}
