import type { spiderAbout } from '#shared/contract/spider-about.ts'
import type { spiderDocuments, spiderSources, spiderUrls } from '#shared/contract/spider.ts'
import { emptyReply, type Handlers } from '#server/http/api/mount.ts'
import { deleteDocuments } from './documents/delete.ts'
import { setCategory, setPrice, updateDocument } from './documents/edit.ts'
import { listDocumentLog, listDocuments } from './documents/list.ts'
import { downloadDocuments, publishDocuments, retryDocuments } from './documents/queue.ts'
import { countToday } from './documents/today.ts'
import { getProduct, getUserAgent } from './fetch/user-agent.ts'
import { deleteSources } from './sources/delete.ts'
import { getSource, listSources } from './sources/list.ts'
import { pauseSources, startSources, stopSources } from './sources/run.ts'
import { createSource, updateSource } from './sources/save.ts'
import { type TryDeps, trySource } from './sources/try.ts'
import { deleteUrls, retryUrls } from './urls/change.ts'
import { listUrlLog, listUrls } from './urls/list.ts'
import { pasteUrls } from './urls/paste.ts'

export function spiderSourceRoutes(deps: TryDeps): Handlers<typeof spiderSources> {
  return {
    list: listSources,
    get: getSource,
    create: createSource,
    update: emptyReply(updateSource),
    delete: emptyReply(deleteSources),
    start: startSources,
    pause: pauseSources,
    stop: stopSources,
    try: (ctx, input) => trySource(ctx, deps, input),
  }
}

export const spiderUrlRoutes: Handlers<typeof spiderUrls> = {
  list: listUrls,
  create: pasteUrls,
  retry: retryUrls,
  delete: emptyReply(deleteUrls),
  log: listUrlLog,
}

export const spiderDocumentRoutes: Handlers<typeof spiderDocuments> = {
  list: listDocuments,
  update: emptyReply(updateDocument),
  setCategory,
  setPrice,
  download: downloadDocuments,
  publish: publishDocuments,
  retry: retryDocuments,
  delete: emptyReply(deleteDocuments),
  log: listDocumentLog,
  today: countToday,
}

export const spiderAboutRoutes: Handlers<typeof spiderAbout> = {
  get: async ({ settings }) => ({ user_agent: getUserAgent(settings), product: getProduct(settings) }),
}
