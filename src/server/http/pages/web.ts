import {
  createRequestHandler,
  matchRoutes,
  type RouteObject,
  type RouterContextProvider,
  type ServerBuild,
} from 'react-router'
import { inlineStyles } from './inline-styles.ts'
import type { RenderDeps, Web } from './render.ts'

interface Entry {
  contextFor(deps: RenderDeps): RouterContextProvider
}

/** What a route module may export as `handle`. */
interface PageHandle {
  /** The query keys that its loader and its component know. */
  queryKeys?: readonly string[]
}

/** The web part as `react-router build` leaves it; the files for browsers are in `folder`. */
export function builtWeb(build: ServerBuild, folder: string): Web {
  const handle = createRequestHandler(build, 'production')
  const routes = childRoutes(build, undefined)
  return {
    dev: false,
    finish: inlineStyles(folder),
    render: (request, deps) => handle(request, getEntry(build).contextFor(deps)),
    queryKeys: (pathname) => (matchRoutes(routes, pathname) ?? []).flatMap(({ route }) => queryKeysOf(route)),
  }
}

/** The web part compiled on the fly; `load` gives it as it is at the moment. */
export function liveWeb(load: () => Promise<ServerBuild>): Web {
  return {
    dev: true,
    async render(request, deps) {
      const build = await load()
      return createRequestHandler(build, 'development')(request, getEntry(build).contextFor(deps))
    },
  }
}

function childRoutes(build: ServerBuild, parentId: string | undefined): RouteObject[] {
  return Object.values(build.routes)
    .filter((route) => route !== undefined)
    .filter((route) => route.parentId === parentId)
    .map(({ id, path, index, module: { handle } }) =>
      index ? { path, index, handle } : { path, handle, children: childRoutes(build, id) },
    )
}

function queryKeysOf({ handle }: RouteObject): readonly string[] {
  return (handle as PageHandle | undefined)?.queryKeys ?? []
}

function getEntry(build: ServerBuild): Entry {
  const entry = build.entry.module as unknown as Partial<Entry>
  if (!entry.contextFor) throw new Error('entry.server must export contextFor')
  return { contextFor: entry.contextFor }
}
