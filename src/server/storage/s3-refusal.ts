/** The server's refusal in a sentence that tells the owner what to look at; other errors as they are. */
export function s3Refusal(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  const sentence = sentences[code] ?? sentences[String(s3Status(error))]
  return sentence ? Object.assign(new Error(sentence, { cause: error }), { code }) : error
}

/** The HTTP status that the server answered with, if it came to an answer. */
export function s3Status(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('$metadata' in error)) return undefined
  const { $metadata } = error
  if (typeof $metadata !== 'object' || !$metadata || !('httpStatusCode' in $metadata)) return undefined
  return Number($metadata.httpStatusCode)
}

const keys = '对象存储不认可密钥，请检查 STORAGE_URL 里的密钥、区域和桶的权限'
const unreachable = '连接不上对象存储，请检查 STORAGE_URL 里的地址和端口，以及它是否在运行'

const sentences: Record<string, string> = {
  401: keys,
  403: keys,
  RequestTimeTooSkewed: '对象存储不接受请求，因为本机的时间不准，请校准后再试',
  NoSuchBucket: '对象存储里没有这个桶，请先创建它，或检查 STORAGE_URL 里桶的名称',
  ENOTFOUND: unreachable,
  ECONNREFUSED: unreachable,
}
