import { renderToReadableStream } from 'react-dom/server'
import {
  createContext,
  isRouteErrorResponse,
  RouterContextProvider,
  ServerRouter,
  type EntryContext,
  type HandleErrorFunction,
} from 'react-router'
import { type Call, client } from '#shared/client.ts'
import { apiContext } from '#web/lib/load.ts'
import { NonceContext } from '#web/lib/nonce.ts'

interface Rendering {
  fetch: (request: Request) => Response | Promise<Response>
  nonce: string
  memory: Map<string, Promise<unknown>>
}

/** Of what pages have asked for, so much is remembered. */
const mostRemembered = 200

const nonceContext = createContext('')

/**
 * What rendering needs from the server: a way to the interface, and the mark of its own scripts. The client is made here:
 * the contract in the built pages is another copy than the server's, and each reads replies by its own.
 */
export function contextFor({ fetch, nonce, memory }: Rendering): RouterContextProvider {
  const context = new RouterContextProvider()
  context.set(apiContext, remembering(client({ fetch, origin: 'http://localhost' }), memory))
  context.set(nonceContext, nonce)
  return context
}

/** Every page asks for the same settings, navigation and categories: as long as pages are kept, so are these. */
function remembering(call: Call, memory: Rendering['memory']): Call {
  return (endpoint, ...ask) => {
    if (endpoint.method !== 'GET') return call(endpoint, ...ask)
    const key = `${endpoint.path} ${JSON.stringify(ask)}`
    const known = memory.get(key) as ReturnType<typeof call<typeof endpoint>> | undefined
    if (known) return known
    const reply = call(endpoint, ...ask)
    if (memory.size < mostRemembered) memory.set(key, reply)
    reply.catch(() => memory.delete(key))
    return reply
  }
}

/** Pages are rendered whole: they are kept and compressed as they are. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  headers.set('content-type', 'text/html; charset=utf-8')
  try {
    return new Response(await render(request, entry, context.get(nonceContext)), { status, headers })
  } catch (error) {
    // The first failure is answered with the error page; this one came from showing it.
    if (!entry.staticHandlerContext.errors) throw error
    console.error(error)
    return new Response(lastWords, { status: 500, headers })
  }
}

export const handleError: HandleErrorFunction = (error, { request }) => {
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return
  console.error(error)
}

async function render(request: Request, entry: EntryContext, nonce: string): Promise<ReadableStream> {
  const page = (
    <NonceContext value={nonce}>
      <ServerRouter context={entry} url={request.url} nonce={nonce} />
    </NonceContext>
  )
  const stream = await renderToReadableStream(page, { nonce, signal: request.signal, onError: () => undefined })
  await stream.allReady
  return stream
}

const lastWords = `<!doctype html><html lang="zh-CN"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>出错了</title>
<body style="max-width:36rem;margin:18vh auto;padding:0 1.5rem;font:16px/1.7 system-ui,sans-serif"><h1 style="font-size:1.5rem">显示错误页面时发生错误</h1>
<p>服务器没能显示这个页面，也没能显示错误说明。详情已写入服务器日志。</p><p><a href="/">返回首页</a></p></body></html>`
