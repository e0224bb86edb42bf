import type { privacy } from '#shared/contract/privacy.ts'
import { emptyReply, type Handlers } from '#server/http/api/mount.ts'
import { cancelOwnDeletion, previewDeletion, requestDeletion } from './deletion/request.ts'
import { getExport, requestExport } from './export/export.ts'
import { revealIdentity } from './identity.ts'

export const privacyRoutes: Handlers<typeof privacy> = {
  identity: revealIdentity,
  requestExport,
  getExport,
  deletion: previewDeletion,
  requestDeletion,
  cancelDeletion: emptyReply(cancelOwnDeletion),
}
