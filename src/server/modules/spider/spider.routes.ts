import type { spiderDocuments, spiderSources, spiderUrls } from '#shared/contract/spider.ts'
import { errors } from '#shared/errors.ts'
import type { Handlers } from '#server/http/api/mount.ts'

function notYet(): Promise<never> {
  return Promise.reject(errors.spider.off())
}

export const spiderSourceRoutes: Handlers<typeof spiderSources> = {
  list: notYet,
  get: notYet,
  create: notYet,
  update: notYet,
  delete: notYet,
  start: notYet,
  pause: notYet,
  try: notYet,
}

export const spiderUrlRoutes: Handlers<typeof spiderUrls> = {
  list: notYet,
  create: notYet,
  retry: notYet,
  delete: notYet,
  log: notYet,
}

export const spiderDocumentRoutes: Handlers<typeof spiderDocuments> = {
  list: notYet,
  update: notYet,
  setCategory: notYet,
  setPrice: notYet,
  download: notYet,
  publish: notYet,
  retry: notYet,
  delete: notYet,
  log: notYet,
  today: notYet,
}
