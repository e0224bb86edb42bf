/** Replaces a known error by a message that tells the owner what to check. */
export function explainS3Error(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  const message = messages[code] ?? messages[String(getS3Status(error))]
  return message ? Object.assign(new Error(message, { cause: error }), { code }) : error
}

/** The HTTP status of the response, if there was one. */
export function getS3Status(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('$metadata' in error)) return undefined
  const { $metadata } = error
  if (typeof $metadata !== 'object' || !$metadata || !('httpStatusCode' in $metadata)) return undefined
  return Number($metadata.httpStatusCode)
}

const wrongKeys = '对象存储不认可密钥，请检查 STORAGE_URL 里的密钥、区域和桶的权限'
const unreachable = '连接不上对象存储，请检查 STORAGE_URL 里的地址和端口，以及它是否在运行'

const messages: Record<string, string> = {
  401: wrongKeys,
  403: wrongKeys,
  RequestTimeTooSkewed: '对象存储不接受请求，因为本机的时间不准，请校准后再试',
  NoSuchBucket: '对象存储里没有这个桶，请先创建它，或检查 STORAGE_URL 里桶的名称',
  ENOTFOUND: unreachable,
  ECONNREFUSED: unreachable,
}
