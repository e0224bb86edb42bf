import * as z from 'zod/mini'
import { reports } from '#shared/contract/reports.ts'
import { allCodes } from '#shared/codes.ts'
import { ReportReason } from '#shared/enums.ts'
import { decode, queryToObject } from '#shared/wire.ts'

export interface InboxQuery {
  isHandled: boolean
  reasons: ReportReason[]
  wd: string
  page: number
}

const { status, reason } = reports.inbox.input.shape

/** The open reports unless the address says otherwise: `status` as in the list call. */
export function readInboxQuery(params: URLSearchParams): InboxQuery {
  const query = queryToObject(params)
  const read = <T extends z.ZodMiniType>(schema: T, key: string) => z.safeParse(schema, decode(schema, query[key])).data
  const statuses = read(status, 'status') ?? []
  const page = Math.floor(Number(params.get('page')))
  return {
    isHandled: statuses.length === 1 && statuses[0] === true,
    reasons: (read(reason, 'reason') ?? []).filter((code) => allCodes(ReportReason).includes(code)),
    wd: params.get('wd') ?? '',
    page: page > 0 ? page : 1,
  }
}

/** The address of a query; a change of a filter starts on its first page. */
export function toInboxParams({ isHandled, reasons, wd, page }: InboxQuery): URLSearchParams {
  const params = new URLSearchParams({ status: String(isHandled) })
  for (const code of reasons) params.append('reason', String(code))
  if (wd) params.set('wd', wd)
  if (page > 1) params.set('page', String(page))
  return params
}
