import { checkPrefix } from './key.ts'

export interface S3Location {
  endpoint: string
  region: string
  pathStyle: boolean
  accessKeyId: string
  secretAccessKey: string
  bucket: string
  /** Empty, or ends with a slash. */
  prefix: string
}

const urlFormat = 's3://key:secret@host[:port]/bucket[/prefix]?region=us-east-1&ssl=true&path_style=true'

/** The errors never contain the URL, as it has a secret. */
export function parseS3Url(text: string): S3Location {
  const url = parse(text)
  if (!url || url.protocol !== 's3:' || !url.host) {
    throw new Error(`STORAGE_URL 应留空（存到磁盘）或写成 ${urlFormat}；密钥里的 / @ : # ? % 等字符要写成百分号编码`)
  }
  const accessKeyId = decode(url.username)
  const secretAccessKey = decode(url.password)
  if (!accessKeyId || !secretAccessKey) throw new Error(`STORAGE_URL 缺少密钥，应写成 ${urlFormat}`)

  const [bucket = '', ...folders] = decode(url.pathname).split('/').filter(Boolean)
  if (!/^[A-Za-z0-9._-]{3,63}$/.test(bucket))
    throw new Error(`STORAGE_URL 缺少桶的名称或名称不合法，应写成 ${urlFormat}`)

  const { region, ssl, path_style: pathStyle } = readOptions(url.searchParams)
  return {
    endpoint: `${ssl === 'true' ? 'https' : 'http'}://${url.host}`,
    region,
    pathStyle: pathStyle === 'true',
    accessKeyId,
    secretAccessKey,
    bucket,
    prefix: toPrefix(folders),
  }
}

function parse(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Error('STORAGE_URL 里的百分号编码不完整：字符 % 本身要写成 %25')
  }
}

function toPrefix(folders: string[]): string {
  const prefix = folders.map((folder) => `${folder}/`).join('')
  try {
    checkPrefix(prefix)
  } catch {
    throw new Error('STORAGE_URL 里桶之后的路径只能用字母、数字和 . _ -')
  }
  return prefix
}

const defaults = { region: 'us-east-1', ssl: 'true', path_style: 'true' }

function readOptions(params: URLSearchParams): typeof defaults {
  const options = { ...defaults }
  for (const [name, value] of params) {
    if (!isOption(name)) throw new Error(`STORAGE_URL 不认识参数 ${name}，可用的是 region、ssl 和 path_style`)
    const fits = name === 'region' ? /^[a-z0-9-]{1,64}$/i : /^(true|false)$/
    if (!fits.test(value)) throw new Error(`STORAGE_URL 的参数 ${name} 写错了，应写成 ${urlFormat}`)
    options[name] = value
  }
  return options
}

function isOption(name: string): name is keyof typeof defaults {
  return Object.hasOwn(defaults, name)
}
