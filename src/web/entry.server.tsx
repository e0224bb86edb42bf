import pLimit from 'p-limit'
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

interface RenderDeps {
  fetch: (request: Request) => Response | Promise<Response>
  nonce: string
  replies: Map<string, Promise<unknown>>
}

const maxCachedReplies = 50
/** React renders a page without a pause: other requests are answered between two pages. */
const oneAtATime = pLimit(1)

const nonceContext = createContext('')

/**
 * What rendering needs from the server. The client is created here because the built pages have their own copy of the
 * contract.
 */
export function contextFor({ fetch, nonce, replies }: RenderDeps): RouterContextProvider {
  const context = new RouterContextProvider()
  const freshApi = client({ fetch, origin: 'http://localhost' })
  context.set(apiContext, { api: withCache(freshApi, replies), freshApi })
  context.set(nonceContext, nonce)
  return context
}

/** Every page requests the same settings, navigation and categories: replies are cached as long as pages are. */
function withCache(call: Call, replies: RenderDeps['replies']): Call {
  return (endpoint, ...args) => {
    if (endpoint.method !== 'GET') return call(endpoint, ...args)
    const key = `${endpoint.path} ${JSON.stringify(args)}`
    const cached = replies.get(key) as ReturnType<typeof call<typeof endpoint>> | undefined
    if (cached) return cached
    const reply = call(endpoint, ...args)
    if (replies.size < maxCachedReplies) replies.set(key, reply)
    reply.catch(() => replies.delete(key))
    return reply
  }
}

/** Pages are not streamed: the server caches and compresses them as a whole. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  headers.set('content-type', 'text/html; charset=utf-8')
  try {
    return new Response(await oneAtATime(render, request, entry, context.get(nonceContext)), { status, headers })
  } catch (error) {
    // The first failure renders the error page; here the error page itself has failed.
    if (!entry.staticHandlerContext.errors) throw error
    console.error(error)
    return new Response(fatalError, { status: 500, headers })
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

const fatalError = `<!doctype html><html lang="zh-CN"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>出错了</title>
<body style="max-width:36rem;margin:18vh auto;padding:0 1.5rem;font:16px/1.7 system-ui,sans-serif"><h1 style="font-size:1.5rem">显示错误页面时发生错误</h1>
<p>服务器没能显示这个页面，也没能显示错误说明。详情已写入服务器日志。</p><p><a href="/">返回首页</a></p></body></html>`
