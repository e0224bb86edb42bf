import { documentShares } from '#shared/contract/document-shares.ts'
import { ApiError } from '#shared/errors.ts'
import { loadDocument } from '#web/features/documents/page/load-document.ts'
import { api } from '#web/lib/api.ts'
import type { LoadArgs } from '#web/lib/load.ts'
import { addShareKey } from '#web/lib/share-keys.ts'

/** The document behind a share link, or undefined while its password is missing. */
export async function loadShare(args: LoadArgs) {
  const token = args.params['token'] ?? ''
  try {
    const uuid = await openShare(token)
    return { token, shared: await loadDocument({ ...args, params: { id: uuid } }) }
  } catch (error) {
    if (error instanceof ApiError && error.reason === 'shares.passwordNeeded') return { token, shared: undefined }
    throw error
  }
}

/** From now on this tab may see the document. Returns its uuid. */
export async function openShare(token: string, password = ''): Promise<string> {
  const { key, uuid } = await api(documentShares.open, { token, password })
  if (key !== '') addShareKey(key)
  return uuid
}
