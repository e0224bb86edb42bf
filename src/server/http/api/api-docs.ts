import { Hono } from 'hono'
import * as z from 'zod/mini'
import type { Contract, Endpoint } from '#shared/endpoint.ts'
import { escapeHtml } from '#shared/escape-html.ts'
import { compressors, type Encoding, negotiateEncoding } from '../pages/encodings.ts'
import { describeAccess, openApi } from './openapi.ts'

/** The contract as OpenAPI and as a page: made on demand, once. */
export function docsRoutes(contract: Record<string, Contract>, version: string): Hono {
  const docs = new Hono()
  let specification: Buffer<ArrayBuffer> | undefined
  const compressed: Partial<Record<Encoding, Promise<Buffer<ArrayBuffer>>>> = {}
  let page: string | undefined
  docs.get('/api/v1/openapi.json', async (context) => {
    const encoding = negotiateEncoding(context.req.header('accept-encoding') ?? '')
    specification ??= Buffer.from(JSON.stringify(openApi(contract, version)))
    const body = (compressed[encoding] ??= compressors[encoding](specification))
    return context.body(await body, 200, {
      'content-type': 'application/json',
      vary: 'accept-encoding',
      ...(encoding !== 'identity' && { 'content-encoding': encoding }),
    })
  })
  docs.get('/api/docs', (context) =>
    context.html((page ??= renderDocs(contract, version)), 200, { 'content-security-policy': docsPolicy }),
  )
  return docs
}

/** An HTML page without scripts. */
function renderDocs(contract: Record<string, Contract>, version: string): string {
  const areas = Object.entries(contract)
  const index = areas.map(([area]) => `<li><a href="#${area}">${area}</a></li>`).join('')
  const sections = areas
    .map(
      ([area, endpoints]) =>
        `<section><h2 id="${area}">${area}</h2>${Object.values(endpoints).map(renderEndpoint).join('')}</section>`,
    )
    .join('')
  return `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><title>文豆接口 ${version}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${css}</style></head><body>
<nav><b>文豆接口</b><ul>${index}</ul><a href="/api/v1/openapi.json">OpenAPI 3.1</a></nav><main><h1>文豆接口</h1>
<p>地址以 <code>/api/v1</code> 开头，内容为 JSON。登录后带上 <code>Authorization: Bearer 令牌</code>。查询中的数组写成重复的键；
回复省略值为零的键；时间为 RFC 3339。失败时回复 <code>{"error","code","message","reason"}</code>。</p>${sections}</main></body></html>`
}

const docsPolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"

function renderEndpoint({ method, path, summary, access, input, reply }: Endpoint): string {
  return `<article><h3><span class="${method}">${method}</span> <code>/api/v1${path}</code></h3>
<p>${escapeHtml(summary)} <small>${escapeHtml(describeAccess(access))}</small></p>
${renderTable('请求', input)}${renderTable('回复', reply)}</article>`
}

function renderTable(title: string, schema: z.core.$ZodType): string {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const rows = Object.entries(json.properties ?? {}).map(
    ([key, value]) => `<tr><td><code>${key}</code></td><td>${escapeHtml(describeType(value as Json))}</td></tr>`,
  )
  return rows.length === 0 ? '' : `<details><summary>${title}</summary><table>${rows.join('')}</table></details>`
}

interface Json {
  type?: string
  items?: Json
  anyOf?: Json[]
  enum?: unknown[]
  properties?: Record<string, Json>
}

function describeType(json: Json): string {
  if (json.enum) return json.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (json.anyOf) return json.anyOf.map(describeType).join(' | ')
  if (json.type === 'array' && json.items) return `${describeType(json.items)}[]`
  if (json.type === 'object' && json.properties) return `{ ${Object.keys(json.properties).join(', ')} }`
  return json.type ?? '任意'
}

const css = `:root{color-scheme:light dark;--line:#8884}body{margin:0;font:15px/1.6 system-ui,"PingFang SC","Microsoft YaHei",sans-serif;display:flex}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:24px;box-sizing:border-box;width:220px;border-right:1px solid var(--line);flex:none}
nav ul{list-style:none;padding:0}main{padding:24px 32px;max-width:860px;min-width:0}article{border:1px solid var(--line);border-radius:8px;padding:12px 16px;margin:12px 0}
h3{margin:0;font-size:15px;overflow-wrap:anywhere}p{margin:6px 0}small{opacity:.7;margin-left:8px}table{border-collapse:collapse;width:100%;font-size:13px}
td{border-top:1px solid var(--line);padding:3px 8px 3px 0;vertical-align:top;overflow-wrap:anywhere}summary{cursor:pointer}h3 span{font-size:12px;padding:1px 6px;border-radius:4px;color:#fff;background:#555}
.GET{background:#1f6f5c}.POST{background:#1d4ed8}.PUT,.PATCH{background:#a16207}.DELETE{background:#b91c1c}@media(max-width:767px){body{display:block}nav{position:static;width:auto;height:auto}}`
