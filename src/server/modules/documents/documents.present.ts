import type { Document } from '#shared/contract/documents.ts'
import type { Ctx } from '#server/context.ts'
import { usernamesOf } from '../users/users.queries.ts'
import { openingOf } from './documents.content.ts'
import { viewKey } from './documents.keys.ts'
import { owns, previewOf, readsAll, readsEveryPage } from './documents.policy.ts'
import { failureText } from './documents.progress.ts'
import { categoriesOf, type ListedRow, type RenditionOf, renditionsOf } from './documents.queries.ts'
import type { CategoryOf } from '#server/modules/catalog/categories.path.ts'

/** While a document has no size of its own it is laid out as A4, in points. */
const a4 = { width: 595, height: 842 }

/** Rows as the viewer may see them, with what belongs to them; the same few queries however many there are. */
export async function presentDocuments(ctx: Ctx, rows: readonly ListedRow[]): Promise<Document[]> {
  if (rows.length === 0) return []
  const [categories, usernames, renditions] = await Promise.all([
    categoriesOf(
      ctx.db,
      rows.map(({ id }) => id),
    ),
    usernamesOf(
      ctx.db,
      rows.flatMap(({ user_id, deleted_user_id }) => [user_id, deleted_user_id]),
    ),
    renditionsOf(
      ctx.db,
      rows.map(({ hash }) => hash),
    ),
  ])
  return rows.map((row) => ({
    ...facts(row),
    description: row.description || openingFor(ctx, row, renditions.get(row.hash)),
    ...pictures(ctx, row, renditions.get(row.hash)),
    ...counts(ctx, row),
    ...troubles(ctx, row, renditions.get(row.hash)),
    ...places(categories.get(row.id) ?? []),
    username: usernames.get(row.user_id) ?? '',
    deleted_username: usernames.get(row.deleted_user_id) ?? '',
  }))
}

/** What is written in the row; what is not for everybody is overwritten by the parts below. */
function facts(row: ListedRow) {
  const { hash: _hash, attachment_id: _attachment, ...shown } = row
  return { ...shown, content: '', user: null }
}

/** How the text begins, if no page of it is withheld: a few words may stand on more than the pages that are shown. */
function openingFor(ctx: Ctx, row: ListedRow, rendition: RenditionOf | undefined): string {
  return rendition && readsEveryPage(ctx, row, rendition.pages) ? openingOf(rendition.opening) : ''
}

function pictures(ctx: Ctx, row: ListedRow, rendition: RenditionOf | undefined) {
  const key = viewKey(ctx, row, rendition?.revision ?? 0)
  return {
    width: row.width || a4.width,
    height: row.height || a4.height,
    preview: previewOf(ctx, row),
    preview_ext: '.svg',
    enable_gzip: ctx.settings.converter.enable_gzip,
    cover: rendition?.has_cover ? `/view/cover/${key}` : '',
    attachment: { id: readsAll(ctx.viewer, row) ? row.attachment_id : 0, hash: key },
  }
}

function counts({ settings: { display }, viewer }: Ctx, row: ListedRow) {
  const seesAll = viewer.isStaff || owns(viewer, row)
  return {
    view_count: seesAll || display.show_document_view_count ? row.view_count : 0,
    download_count: seesAll || display.show_document_download_count ? row.download_count : 0,
    favorite_count: seesAll || display.show_document_favorite_count ? row.favorite_count : 0,
  }
}

/** What went wrong, for those whom it concerns; what the programs said is for the staff alone. */
function troubles(ctx: Ctx, row: ListedRow, rendition: RenditionOf | undefined) {
  const manages = ctx.viewer.can('DocumentAPI/ListDocument')
  const failed = rendition && rendition.state !== 'done' ? rendition : undefined
  return {
    convert_error: failureText(ctx, row, failed?.reason ?? ''),
    convert_detail: manages ? (failed?.detail ?? '') : '',
    reject_reason: manages || owns(ctx.viewer, row) ? row.reject_reason : '',
  }
}

function places(category: CategoryOf[]) {
  return { category, category_id: category.map(({ id }) => id) }
}
