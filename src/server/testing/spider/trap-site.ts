import { linkPage } from './html-page.ts'
import { type Answer, type Handler, openWebServer, type WebRequest, type WebServer } from './web-server.ts'

/** A part of a hostile site: what some of its paths answer with. */
export interface Trap {
  /** Where a crawl begins. */
  start: string
  /** By path without query; a path that ends with `*` stands for all that begin so. */
  routes: Record<string, Answer | TrapHandler>
}

export interface TrapRequest extends WebRequest {
  origin: string
}

export type TrapHandler = (request: TrapRequest) => Answer | Promise<Answer>

export interface TrapSite extends WebServer {
  /** The addresses at which crawls begin, one for each trap. */
  starts: string[]
}

/** A hostile site, composed of traps. Without a trap for robots.txt it has none, which allows everything. */
export async function openTrapSite(...traps: Trap[]): Promise<TrapSite> {
  const routes = new Map(traps.flatMap((trap) => Object.entries(trap.routes)))
  const prefixes = [...routes.keys()].filter((path) => path.endsWith('*')).toSorted((a, b) => b.length - a.length)
  const find = (path: string) => {
    const prefix = prefixes.find((each) => path.startsWith(each.slice(0, -1)))
    return routes.get(path) ?? routes.get(prefix ?? '')
  }
  const home = linkPage(
    '陷阱',
    traps.map(({ start }) => start),
  )
  const handler: Handler = (request) => {
    const found = find(request.url.pathname) ?? (request.url.pathname === '/' ? home : notFound)
    return typeof found === 'function' ? found({ ...request, origin: server.origin }) : found
  }
  const server = await openWebServer(handler)
  return { ...server, starts: traps.map(({ start }) => server.origin + start) }
}

const notFound: Answer = { status: 404, headers: { 'content-type': 'text/plain' }, body: 'not found' }
