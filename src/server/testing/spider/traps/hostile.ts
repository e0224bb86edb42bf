import { hostileFiles } from '../../hostile-files.ts'
import { linkPage } from '../html-page.ts'
import type { Trap } from '../trap-site.ts'

const served = hostileFiles.filter(({ slow }) => !slow)
const pathOf = (name: string) => `/hostile/${encodeURIComponent(name)}`

/** The files that break or attack converters: refused or failed with a reason, or shown, as when a member uploads them. */
export const hostile: Trap = {
  start: '/hostile/',
  routes: {
    '/hostile/': linkPage(
      '恶意文件',
      served.map(({ name }) => pathOf(name)),
    ),
    ...Object.fromEntries(
      served.map(({ name, bytes }) => [
        pathOf(name),
        () => ({ headers: { 'content-type': 'application/octet-stream' }, body: bytes('采集') }),
      ]),
    ),
  },
}
