import { createRequestHandler, type RouterContextProvider, type ServerBuild } from 'react-router'
import type { RenderDeps, Web } from './render.ts'

interface Entry {
  contextFor(deps: RenderDeps): RouterContextProvider
}

/** The web part as `react-router build` leaves it. */
export function builtWeb(build: ServerBuild): Web {
  const handle = createRequestHandler(build, 'production')
  return { dev: false, render: (request, deps) => handle(request, getEntry(build).contextFor(deps)) }
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

function getEntry(build: ServerBuild): Entry {
  const entry = build.entry.module as unknown as Partial<Entry>
  if (!entry.contextFor) throw new Error('entry.server must export contextFor')
  return { contextFor: entry.contextFor }
}
