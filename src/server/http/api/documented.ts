import { Ajv2020 } from 'ajv/dist/2020.js'
import { contract } from '#shared/contract/contract.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import { isFile } from '#shared/fields.ts'
import { errorSchema, replySchema } from './openapi.ts'

const ajv = new Ajv2020({ formats: { 'date-time': isTime }, strict: false })
const endpointAt = new Map<string, Endpoint>(
  Object.values(contract)
    .flatMap((area) => Object.values<Endpoint>(area))
    .map((endpoint) => [`${endpoint.method} /api/v1${endpoint.path}`, endpoint]),
)
const validators = new Map<string, ReturnType<typeof ajv.compile>>()

/** Fails unless the reply is what the published document says of the call. */
export async function assertDocumented({ method, url }: Request, response: Response): Promise<void> {
  const call = `${method} ${new URL(url).pathname}`
  const endpoint = endpointAt.get(call)
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  if (!endpoint || response.body === null || response.status === 304 || response.headers.has('content-encoding')) return
  if (response.ok && isFile(endpoint.reply)) return
  if (!isJson) throw new Error(`${call}: the reply is no JSON`)
  const validate = validatorOf(response.ok ? call : 'error', () =>
    response.ok ? replySchema(endpoint.reply) : errorSchema,
  )
  const reply: unknown = await response.clone().json()
  if (validate(reply)) return
  throw new Error(`${call} ${response.status} contradicts openapi.json: ${ajv.errorsText(validate.errors)}`)
}

function validatorOf(name: string, schema: () => object) {
  const validate = validators.get(name) ?? ajv.compile(schema())
  validators.set(name, validate)
  return validate
}

function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text)
}
