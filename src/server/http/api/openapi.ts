import * as z from 'zod/mini'
import { isFile, isTime } from '#shared/fields.ts'
import type { Access, Contract, Endpoint } from '#shared/endpoint.ts'
import { getFieldLabel } from '#shared/labels.ts'

type Schema = Record<string, unknown>

/** The whole contract as OpenAPI 3.1. */
export function openApi(contract: Record<string, Contract>, version: string): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const [area, endpoints] of Object.entries(contract)) {
    for (const [name, endpoint] of Object.entries(endpoints)) {
      const path = (paths[`/api/v1${endpoint.path}`] ??= {})
      path[endpoint.method.toLowerCase()] = operation(area, name, endpoint)
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: '文豆接口', version, license: { name: 'AGPL-3.0-or-later' } },
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: { Error: errorSchema },
    },
  }
}

export function describeAccess(access: Access): string {
  if (typeof access === 'object') return `需要权限 ${access.permission}`
  return accessDescriptions[access]
}

const accessDescriptions: Record<Exclude<Access, object>, string> = {
  open: '任何人，闭站时也可用',
  public: '任何人',
  self: '登录用户，闭站时也可用',
  member: '登录用户',
  staff: '持有任一权限的用户',
  administrator: '超级管理员',
  root: '站长',
}

export const errorSchema = {
  type: 'object',
  required: ['error', 'code', 'message'],
  properties: {
    error: { type: 'string' },
    code: { type: 'integer', description: 'gRPC 状态码' },
    message: { type: 'string' },
    reason: { type: 'string', description: '不变的错误代号' },
    details: {
      type: 'array',
      items: { type: 'object', properties: { field: { type: 'string' }, message: { type: 'string' } } },
    },
    challenge: { type: 'object', description: '登录还要做的一步' },
  },
}

function operation(area: string, name: string, endpoint: Endpoint): object {
  const input = toSchema(endpoint.input)
  const { password, ...withoutPassword } = getProperties(input)
  const inQuery = endpoint.method === 'GET' || endpoint.method === 'DELETE'
  const hasInput = Object.keys(getProperties(input)).length > 0
  return {
    operationId: `${area}.${name}`,
    tags: [area],
    summary: endpoint.summary,
    description: describeAccess(endpoint.access),
    security: endpoint.access === 'open' || endpoint.access === 'public' ? [{}, { bearer: [] }] : [{ bearer: [] }],
    ...(inQuery && hasInput && { parameters: toParameters({ ...input, properties: withoutPassword }) }),
    ...(!inQuery && hasInput && toBody(input)),
    // Never in the address.
    ...(inQuery && password && toBody({ type: 'object', properties: { password }, required: ['password'] })),
    responses: {
      200: {
        description: '成功；值为零的键会省略',
        content: isFile(endpoint.reply)
          ? { '*/*': { schema: { type: 'string', format: 'binary' } } }
          : { 'application/json': { schema: replySchema(endpoint.reply) } },
      },
      default: {
        description: '失败',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  }
}

function toBody(schema: Schema): object {
  return { requestBody: { required: true, content: { 'application/json': { schema } } } }
}

function toParameters(input: Schema): object[] {
  const required = new Set(Array.isArray(input.required) ? input.required : [])
  return Object.entries(getProperties(input)).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.has(name),
    description: getFieldLabel(name),
    schema,
    explode: true,
  }))
}

function toSchema(schema: z.core.$ZodType): Schema {
  const json = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (!isTime(zodSchema)) return
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key]
      Object.assign(jsonSchema, { type: 'string', format: 'date-time' })
    },
  })
  const { $schema: _dialect, ...rest } = json as Schema
  return rest
}

/**
 * What `wire` makes of a reply: zero values are left out, so that no key is required. Bounds are for what is sent to the
 * site: what it holds may be older than they are.
 */
export function replySchema(schema: z.core.$ZodType): Schema {
  return JSON.parse(JSON.stringify(toSchema(schema)), (key, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || key === 'properties') return value
    return Object.fromEntries(Object.entries(value).filter(([name]) => !bounds.has(name)))
  }) as Schema
}

const bounds = new Set([
  'required',
  'default',
  'pattern',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
])

function getProperties(schema: Schema): Record<string, Schema> {
  return (schema.properties ?? {}) as Record<string, Schema>
}
