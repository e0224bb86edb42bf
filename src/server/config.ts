import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { parseS3Url } from './storage/s3-url.ts'

/** Every environment variable that the server reads. */
const variables = {
  PORT: { fallback: '8880', meaning: '监听的端口' },
  HOST: { fallback: '', meaning: '监听的地址，留空为全部地址（IPv4 和 IPv6）' },
  DATA_DIR: { fallback: './data', meaning: '数据目录：数据库和文件' },
  DATABASE_URL: { fallback: '', meaning: '数据库：留空为 DATA_DIR 下的 SQLite，或 postgres://…' },
  STORAGE_URL: { fallback: '', meaning: '文件存储：留空为 DATA_DIR 下的磁盘，或 s3://密钥:密码@主机/桶?region=…' },
  API_BASE_URL: { fallback: '', meaning: '网页调用接口的地址，留空为本站；可以是路径（/wenku）或另一个网址' },
  ROLE: { fallback: 'all', meaning: '进程的角色：all、web 或 worker' },
  ADMIN_PASSWORD: {
    fallback: '',
    meaning: '首次启动时管理员 admin 的密码，至少 8 个字符，不能是常见的；留空则随机生成并显示一次',
  },
  TRUST_PROXY: { fallback: '', meaning: '可信的反向代理地址，逗号分隔，可用 CIDR；只有它们转发的来源地址才会被采信' },
  CONVERT_PROCESSES: { fallback: '', meaning: '转换文档的进程数，留空为处理器核数' },
  WENDOU_UNSANDBOXED: { fallback: '', meaning: '设为 1 时，没有安全隔离也转换办公文档（不建议）' },
  RELEASE_REPOSITORY: {
    fallback: '',
    meaning: '查新版本的发布仓库（GitHub 或 Gitee 的 所有者/名称），留空为克隆程序的地方',
  },
  SECRET_KEY: {
    fallback: '',
    meaning:
      '加密保存邮件密码、支付密钥等设置的密钥，至少 32 个字符；留空则用 DATA_DIR 下自动创建的 secret.key。几台机器要用同一个；更换时写成 新的,旧的',
  },
  METRICS_TOKEN: { fallback: '', meaning: '读取 /metrics 的令牌，留空则只有本机可以直接读取' },
  LOG_LEVEL: { fallback: 'info', meaning: '日志级别：debug、info、warn、error 或 silent' },
  WENDOU_DEV: { fallback: '', meaning: '设为 1 时由 Vite 即时编译网页（开发用）' },
} satisfies Record<string, { fallback: string; meaning: string }>

/** Read before the server is there: by Node, the start script and the build of the pages. */
const ofTheStart = {
  TZ: '时区，决定每天从何时算起，例如 Asia/Shanghai；留空为系统的时区',
  WENDOU_SKIP_TOOLS: '设为 1 时，启动时不检查转换文档所需的程序和字体',
  VITE_API_BASE_URL: '构建网页时给定的 API_BASE_URL；启动时给定的优先',
}

type Name = keyof typeof variables
type Environment = Record<string, string | undefined>
type Role = 'all' | 'web' | 'worker'

export interface Config {
  port: number
  host: string
  dataDir: string
  databaseUrl: string
  storageUrl: string
  /** Empty for this site itself. */
  apiBaseUrl: string
  role: Role
  adminPassword: string
  trustProxy: string[]
  convertProcesses: number
  unsandboxed: boolean
  releaseRepository: string
  /** The current key, then former ones; empty for the key file in the data folder. */
  secretKeys: string[]
  metricsToken: string
  logLevel: string
  /** Empty for the machine's. */
  timeZone: string
  dev: boolean
}

export class ConfigError extends Error {}

export const minSecretKeyLength = 32

export function readConfig(environment: Environment): Config {
  const read = (name: Name) => environment[name] || variables[name].fallback
  const dataDir = resolve(read('DATA_DIR'))
  return {
    port: parsePort(read('PORT')),
    host: read('HOST'),
    dataDir,
    databaseUrl: parseDatabaseUrl(read('DATABASE_URL')) || resolve(dataDir, 'wendou.db'),
    storageUrl: checkStorageUrl(read('STORAGE_URL')),
    apiBaseUrl: parseBaseUrl(read('API_BASE_URL')),
    role: parseRole(read('ROLE')),
    adminPassword: read('ADMIN_PASSWORD'),
    trustProxy: read('TRUST_PROXY')
      .split(',')
      .map((address) => address.trim())
      .filter(Boolean),
    convertProcesses: parseProcesses(read('CONVERT_PROCESSES')),
    unsandboxed: read('WENDOU_UNSANDBOXED') === '1',
    releaseRepository: parseRepository(read('RELEASE_REPOSITORY')),
    secretKeys: parseSecretKeys(read('SECRET_KEY')),
    metricsToken: read('METRICS_TOKEN'),
    logLevel: read('LOG_LEVEL'),
    timeZone: checkTimeZone(environment.TZ),
    dev: read('WENDOU_DEV') === '1',
  }
}

export function configHelp(): string {
  const rows = Object.entries(variables).map(
    ([name, { fallback, meaning }]) => `  ${name.padEnd(20)}${meaning}${fallback ? `（默认 ${fallback}）` : ''}`,
  )
  const startRows = Object.entries(ofTheStart).map(([name, meaning]) => `  ${name.padEnd(20)}${meaning}`)
  return ['文豆由环境变量配置：', ...rows, ...startRows].join('\n')
}

function parseBaseUrl(value: string): string {
  if (value === '' || /^(\/|https?:\/\/[^/\s"'<>;,]+)[\w./~-]*$/.test(value)) return value.replace(/\/+$/, '')
  throw new ConfigError(`API_BASE_URL 应以 / 或 http(s):// 开头，现在是 ${value}`)
}

function parseDatabaseUrl(value: string): string {
  const scheme = /^([\w+.-]+):\/\//.exec(value)?.[1]
  if (scheme === undefined || /^postgres(ql)?$/.test(scheme)) return value
  throw new ConfigError(
    `DATABASE_URL 以 ${scheme}:// 开头，文豆只能用 SQLite（留空，或写文件的路径）和 PostgreSQL（postgres://用户:密码@主机/数据库）`,
  )
}

function parsePort(value: string): number {
  const port = Number(value)
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port
  throw new ConfigError(`PORT 必须是 0 到 65535 之间的整数，现在是 ${value}`)
}

function parseProcesses(value: string): number {
  if (value === '') return Math.min(availableParallelism(), 16)
  const processes = Number(value)
  if (Number.isInteger(processes) && processes > 0 && processes <= 64) return processes
  throw new ConfigError(`CONVERT_PROCESSES 必须是 1 到 64 之间的整数，现在是 ${value}`)
}

function parseRepository(value: string): string {
  if (value === '' || /^[\w.-]+\/[\w.-]+$/.test(value)) return value
  throw new ConfigError(`RELEASE_REPOSITORY 应写成 所有者/名称，现在是 ${value}`)
}

function parseRole(value: string): Role {
  if (value === 'all' || value === 'web' || value === 'worker') return value
  throw new ConfigError(`ROLE 只能是 all、web 或 worker，现在是 ${value}`)
}

function checkStorageUrl(value: string): string {
  try {
    if (value !== '') parseS3Url(value)
    return value
  } catch (error) {
    throw error instanceof Error ? new ConfigError(error.message) : error
  }
}

/** Node takes an unknown zone for UTC without a word: every day would begin at the wrong hour. */
function checkTimeZone(value = ''): string {
  const name = value.replace(/^:/, '')
  // `CST-8` and a path are forms of the system.
  if (name === '' || /^([A-Za-z]{3,}[+-]?\d|\/)/.test(name)) return value
  try {
    Intl.DateTimeFormat('en', { timeZone: name })
    return value
  } catch {
    throw new ConfigError(`TZ 不能是 ${value}，没有这个时区；请写成 Asia/Shanghai 这样的名称，或去掉它，用系统的时区`)
  }
}

function parseSecretKeys(value: string): string[] {
  const keys = value === '' ? [] : value.split(',').map((key) => key.trim())
  if (keys.every((key) => key.length >= minSecretKeyLength)) return keys
  throw new ConfigError(`SECRET_KEY 至少要有 ${minSecretKeyLength} 个字符，可以用 openssl rand -hex 32 生成`)
}
