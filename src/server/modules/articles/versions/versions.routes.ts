import type { articleVersions } from '#shared/contract/article-versions.ts'
import { emptyReply, type Handlers } from '#server/http/api/mount.ts'
import type { Sanitizer } from '../articles.sanitizer.ts'
import { getVersion, listVersions, restoreVersion } from './versions.ts'

export function articleVersionRoutes(sanitizer: Sanitizer): Handlers<typeof articleVersions> {
  return {
    list: listVersions,
    get: getVersion,
    restore: emptyReply((ctx, input) => restoreVersion(ctx, input, sanitizer)),
  }
}
