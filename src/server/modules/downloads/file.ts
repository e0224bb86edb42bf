import { Punishment } from '#shared/enums.ts'
import { DocumentStatus } from '#shared/document-status.ts'
import { createHash } from 'node:crypto'
import { AppError, errors } from '#shared/errors.ts'
import { anonymous, type Ctx, type Viewer } from '#server/context.ts'
import { escapeHtml } from '#shared/escape-html.ts'
import { admit } from '#server/http/api/admit.ts'
import { fileResponse } from '#server/http/files/ranges.ts'
import { loadViewer } from '#server/modules/access/access.viewer.ts'
import { findUser } from '#server/modules/users/users.queries.ts'
import { contentKey } from '#server/modules/attachments/storage-keys.ts'
import { findLiveShares } from '#server/modules/documents/visibility/share-keys.ts'
import { findWaiting } from '#server/modules/documents/replacing/replacements.queries.ts'
import { canSee } from '#server/modules/documents/visibility/visibility.policy.ts'
import { assertDownloadable } from './eligibility.ts'
import { type DownloadLink, parseDownloadLink } from './link.ts'
import { toFileName } from './file-name.ts'
import { assertNotPunished } from '#server/modules/access/access.policy.ts'

/** The file behind a download link, or a page that gives the reason and leads back. */
export async function serveDownload(ctx: Ctx, token: string, request: Request): Promise<Response> {
  const link = await parseDownloadLink(ctx, token)
  if (!link || link.expired) return refusalPage(errors.documents.linkExpired(), await backLink(ctx, link))
  try {
    return await sendFile(ctx, link, request)
  } catch (error) {
    if (error instanceof AppError) return refusalPage(error, await backLink(ctx, link))
    throw error
  }
}

async function sendFile(ctx: Ctx, link: DownloadLink, request: Request): Promise<Response> {
  const viewer = await loadCurrentViewer(ctx, link)
  const document = await getLinkedDocument({ ...ctx, viewer }, link)
  const key = contentKey(document.hash)
  const stored = await ctx.storage.find(key)
  const response =
    stored &&
    (await fileResponse(request, {
      size: stored.size,
      type: 'application/octet-stream',
      open: (range) => ctx.storage.read(key, range),
      etag: document.hash,
      cache: 'private, no-store',
      name: toFileName(document.name ?? '', document),
    }))
  if (!response) throw errors.documents.fileMissing()
  return response
}

/** The site may have been closed, or the user punished, since the link was created. */
async function loadCurrentViewer(ctx: Ctx, { userId, shareId }: DownloadLink): Promise<Viewer> {
  const person = userId === 0 ? anonymous : await loadViewer(ctx, await getLinkOwner(ctx, userId))
  const viewer = shareId === 0 ? person : { ...person, shares: await findLiveShares(ctx, [shareId]) }
  admit('public', { ...ctx, viewer })
  assertNotPunished({ viewer }, Punishment.Disabled, Punishment.NoDownload)
  return viewer
}

async function getLinkOwner({ db }: Ctx, id: number) {
  const user = await findUser(db, id)
  if (!user) throw errors.documents.linkExpired()
  return { ...user, sessionId: 0 }
}

/** The document may have changed its status, its visibility or its file as well. */
async function getLinkedDocument(ctx: Ctx, { documentId, hash, review }: DownloadLink) {
  const row = await ctx.db
    .selectFrom('document')
    .leftJoin('attachment', 'attachment.id', 'document.attachment_id')
    .select(['document.id', 'document.user_id', 'document.hash', 'document.status', 'document.deleted_at'])
    .select(['document.visibility', 'document.downloadable'])
    .select(['document.title', 'document.ext', 'attachment.name'])
    .where('document.id', '=', documentId)
    .executeTakeFirst()
  if (!row || row.deleted_at !== null) throw errors.documents.notFound()
  if (review) {
    if (!ctx.viewer.can('DocumentAPI/DownloadDocumentToBeReviewed')) throw errors.access.denied()
    if (row.hash === hash) return row
    const waiting = (await findWaiting(ctx.db, { documentId })).find((replacement) => replacement.hash === hash)
    if (!waiting) throw errors.documents.linkExpired()
    return { ...row, hash, ext: waiting.ext, name: waiting.name }
  }
  if (row.hash !== hash) throw errors.documents.linkExpired()
  if (row.status === DocumentStatus.Disabled || !(await canSee(ctx, row))) throw errors.documents.notDownloadable()
  assertDownloadable(ctx, row)
  return row
}

async function backLink({ db }: Ctx, link: DownloadLink | undefined): Promise<{ href: string; label: string }> {
  const row =
    link &&
    (await db
      .selectFrom('document')
      .select('uuid')
      .where('id', '=', link.documentId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst())
  return row ? { href: `/document/${row.uuid}`, label: '返回文档页面' } : { href: '/', label: '返回首页' }
}

const style =
  'body{font:16px/1.8 system-ui,sans-serif;max-width:32em;margin:20vh auto;padding:0 1.5em;text-align:center}' +
  '@media(prefers-color-scheme:dark){body{background:#111;color:#ddd}a{color:#8ab4f8}}'
const styleHash = createHash('sha256').update(style).digest('base64')

/** Browsers follow the link directly, so that only a page can explain. */
function refusalPage({ message, status }: AppError, { href, label }: { href: string; label: string }): Response {
  const html =
    '<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><title>无法下载</title>' +
    `<meta name="viewport" content="width=device-width"><style>${style}</style></head>` +
    `<body><p>${escapeHtml(message)}</p><p><a href="${escapeHtml(href)}">${label}</a></p></body></html>`
  return new Response(html, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'`,
    },
  })
}
