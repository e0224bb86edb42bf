import type { downloads } from '#shared/contract/downloads.ts'
import { listRows } from '#server/db/list.ts'
import type { Handlers } from '#server/http/api/mount.ts'
import { isOpenTo } from '#server/modules/documents/visibility/visibility.policy.ts'
import {
  type BuyDocument,
  downloadDocument,
  downloadForReview,
  downloadReplacement,
  downloadWithCard,
} from './download.ts'
import { getTerms, listBought } from './terms.ts'

export const downloadRoutes = ({ buy }: { buy: BuyDocument }): Handlers<typeof downloads> => ({
  terms: getTerms,
  bought: listBought,
  download: (ctx, input) => downloadDocument(ctx, input, buy),
  downloadVip: (ctx, input) => downloadWithCard(ctx, input, buy),
  downloadForReview,
  downloadReplacement,
  async list(ctx, input) {
    const query = ctx.db
      .selectFrom('download')
      .innerJoin('document', 'document.id', 'download.document_id')
      .selectAll('download')
      .select(['document.uuid as document_uuid', 'document.title', 'document.ext', 'document.score'])
      .select(['document.size', 'document.pages'])
      .where('download.user_id', '=', ctx.viewer.id)
      .where('document.deleted_at', 'is', null)
      .where(isOpenTo(ctx.viewer))
    const { total, rows } = await listRows(query, input, {
      search: ['document.title'],
      order: [['download.id', 'desc']],
    })
    return { total, download: rows.map((row) => ({ ...row, is_pay: row.is_pay === 1 })) }
  },
})
