import type { Document } from '#shared/contract/documents.ts'
import { toWireStatus } from '#shared/document-status.ts'
import { Visibility } from '#shared/enums.ts'
import type { Ctx } from '#server/context.ts'
import { findNames } from '../users/authors.ts'
import { countCopies } from './documents.copies.ts'
import { toDescription } from './documents.content.ts'
import { viewKey } from './documents.keys.ts'
import { withPayment } from './documents.paid.ts'
import { oversees, owns, countVisiblePages, readsEveryPage, seesUnpublished } from './documents.policy.ts'
import { describeFailure } from './documents.progress.ts'
import {
  findCategories,
  findGroupIds,
  type DocumentRow,
  type RenditionSummary,
  findRenditions,
} from './documents.queries.ts'
import type { LinkedCategory } from '#server/modules/catalog/categories.path.ts'

type PaidRow = DocumentRow & { isPaidFor: boolean }

/** The size of a page, in points, while a document has none of its own. */
const a4 = { width: 595, height: 842 }

/** Rows as the viewer may see them; a constant number of queries however many there are. */
export async function presentDocuments(ctx: Ctx, shown: readonly DocumentRow[]): Promise<Document[]> {
  if (shown.length === 0) return []
  const [rows, categories, names, renditions, groups, copies] = await Promise.all([
    withPayment(ctx, shown),
    findCategories(
      ctx.db,
      shown.map(({ id }) => id),
    ),
    findNames(
      ctx,
      shown.flatMap(({ user_id, deleted_user_id }) => [user_id, deleted_user_id]),
    ),
    findRenditions(
      ctx.db,
      shown.map(({ hash }) => hash),
    ),
    findGroupIds(
      ctx.db,
      shown.filter((row) => row.visibility === Visibility.Groups && oversees(ctx.viewer, row)).map(({ id }) => id),
    ),
    countCopies(
      ctx.db,
      shown.map(({ id }) => id),
    ),
  ])
  return rows.map((row) => ({
    ...columns(row),
    description: row.description || describeByText(ctx, row, renditions.get(row.hash)),
    ...images(ctx, row, renditions.get(row.hash)),
    ...counts(ctx, row),
    ...failures(ctx, row, renditions.get(row.hash)),
    ...categoryFields(categories.get(row.id) ?? []),
    downloadable: row.downloadable === 1,
    group_id: groups.get(row.id) ?? [],
    copies: copies.get(row.id) ?? 0,
    is_vip: row.is_vip === 1 && (ctx.settings.vip.enable || ctx.viewer.isStaff),
    username: names.get(row.user_id)?.username ?? '',
    user_is_vip: names.get(row.user_id)?.isVip ?? false,
    deleted_username: names.get(row.deleted_user_id)?.username ?? '',
  }))
}

/** The columns of the row; those that are not public are overwritten by the parts below. */
function columns(row: PaidRow) {
  const { hash: _hash, attachment_id: _attachment, isPaidFor: _paid, ...rest } = row
  return { ...rest, status: toWireStatus(row.status), content: '', user: null }
}

/** The beginning of the text, unless a page is withheld: even a few words may go beyond the preview. */
function describeByText(ctx: Ctx, row: PaidRow, rendition: RenditionSummary | undefined): string {
  return rendition && readsEveryPage(ctx, row, rendition.pages) ? toDescription(rendition.beginning) : ''
}

function images(ctx: Ctx, row: PaidRow, rendition: RenditionSummary | undefined) {
  const revision = rendition?.revision ?? 0
  const key = viewKey(ctx, row, revision)
  return {
    width: row.width || a4.width,
    height: row.height || a4.height,
    preview: countVisiblePages(ctx, row),
    preview_ext: '.svg',
    enable_gzip: ctx.settings.converter.enable_gzip,
    // The cover is for everyone who sees the document: viewers who have paid keep the address that caches know.
    cover: rendition?.has_cover ? `/view/cover/${viewKey(ctx, { ...row, isPaidFor: false }, revision)}` : '',
    cover_tint: rendition?.cover_tint ?? '',
    attachment: { id: oversees(ctx.viewer, row) ? row.attachment_id : 0, hash: key },
  }
}

function counts({ settings: { display }, viewer }: Ctx, row: DocumentRow) {
  const seesAll = viewer.isStaff || owns(viewer, row)
  return {
    view_count: seesAll || display.show_document_view_count ? row.view_count : 0,
    download_count: seesAll || display.show_document_download_count ? row.download_count : 0,
    favorite_count: seesAll || display.show_document_favorite_count ? row.favorite_count : 0,
  }
}

/** Why it is not shown, for its owner and staff; the output of programs is for staff alone. */
function failures(ctx: Ctx, row: DocumentRow, rendition: RenditionSummary | undefined) {
  const manages = seesUnpublished(ctx.viewer)
  const failed = rendition && rendition.state !== 'done' ? rendition : undefined
  return {
    convert_error: describeFailure(ctx, row, failed?.reason ?? ''),
    convert_detail: manages ? (failed?.detail ?? '') : '',
    reject_reason: manages || owns(ctx.viewer, row) ? row.reject_reason : '',
  }
}

function categoryFields(category: LinkedCategory[]) {
  return { category, category_id: category.map(({ id }) => id) }
}
