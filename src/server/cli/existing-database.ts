import { existsSync } from 'node:fs'
import { type Config, ConfigError } from '../config.ts'

/** The URL of the site's database; fails where opening it would create a new one. */
export function existingDatabase({ databaseUrl }: Config): string {
  if (databaseUrl.includes('://') || existsSync(databaseUrl)) return databaseUrl
  throw new ConfigError(`没有找到数据库 ${databaseUrl}，请先用 npm start 启动一次，或用 DATA_DIR 指定数据目录`)
}
