import { createRequestHandler, type RouterContextProvider, type ServerBuild } from 'react-router'
import type { Rendering, Web } from './page-cache.ts'

interface Entry {
  contextFor(given: Rendering): RouterContextProvider
}

/** The web part as `react-router build` leaves it. */
export function builtWeb(build: ServerBuild): Web {
  const handle = createRequestHandler(build, 'production')
  return { dev: false, render: (request, given) => handle(request, entryOf(build).contextFor(given)) }
}

/** The web part compiled on the fly; `load` gives it as it is at the moment. */
export function liveWeb(load: () => Promise<ServerBuild>): Web {
  return {
    dev: true,
    async render(request, given) {
      const build = await load()
      return createRequestHandler(build, 'development')(request, entryOf(build).contextFor(given))
    },
  }
}

function entryOf(build: ServerBuild): Entry {
  const entry = build.entry.module as unknown as Partial<Entry>
  if (!entry.contextFor) throw new Error('entry.server must export contextFor')
  return { contextFor: entry.contextFor }
}
