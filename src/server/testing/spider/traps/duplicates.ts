import { makePdf } from '#server/samples/pdf.ts'
import { linkPage } from '../html-page.ts'
import type { Trap } from '../trap-site.ts'

const duplicateFile = makePdf({ title: '同一份文件' })
const same = { headers: { 'content-type': 'application/pdf' }, body: duplicateFile }

/** One content under three addresses and names: one document, to which all three lead. */
export const duplicates: Trap = {
  start: '/same/',
  routes: {
    '/same/': linkPage('重复', ['/same/a.pdf', '/same/b.pdf', '/same/c.pdf?version=2']),
    '/same/a.pdf': same,
    '/same/b.pdf': same,
    '/same/c.pdf': { ...same, headers: { ...same.headers, 'content-disposition': 'attachment; filename="z.pdf"' } },
  },
}
