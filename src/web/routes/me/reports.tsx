import type { Route } from './+types/reports.ts'
import { reports, type OwnReport } from '#shared/contract/reports.ts'
import { reportOutcomeLabels, reportReasonLabels } from '#shared/enums.ts'
import { formatTime } from '#shared/format.ts'
import { MemberList } from '#web/features/lists/member-list.tsx'
import { documentPath } from '#web/domain/paths.ts'
import { load } from '#web/lib/load.ts'
import { pageMeta } from '#web/domain/seo.ts'
import { Card } from '#web/ui/card.tsx'
import { cx } from '#web/ui/class-names.ts'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { parsePage } from '#web/ui/navigation/pagination.tsx'
import { SmartLink } from '#web/ui/navigation/smart-link.tsx'

const size = 20

export const clientLoader = load(async ({ api, url }) =>
  api(reports.own, { page: parsePage(url.searchParams), size }),
).client

export default function MyReports({ loaderData: { total, report } }: Route.ComponentProps) {
  return (
    <Card title="我的举报">
      <MemberList
        total={total}
        size={size}
        rows={report.length}
        empty={
          <EmptyState title="还没有举报">
            在文档页面可以举报有问题的文档，处理结果和管理人员的答复会列在这里。
          </EmptyState>
        }
      >
        <ul className="divide-y divide-line">
          {report.map((row) => (
            <ReportRow key={row.id} report={row} />
          ))}
        </ul>
      </MemberList>
    </Card>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: '我的举报' })
}

function ReportRow({ report }: { report: OwnReport }) {
  const { document_title, document_uuid, reason, content, status, outcome, answer, created_at } = report
  return (
    <li className="py-4 first:pt-0 last:pb-0">
      <div className="flex items-start justify-between gap-4">
        <SmartLink
          href={document_uuid && documentPath({ uuid: document_uuid })}
          className="min-w-0 font-medium wrap-anywhere [&[href]]:hover:text-accent"
        >
          {document_title}
        </SmartLink>
        <span className={cx('shrink-0 text-sm', status ? 'text-ink' : 'text-muted')}>
          {status ? reportOutcomeLabels[outcome] : '等待处理'}
        </span>
      </div>
      <p className="mt-1 flex flex-wrap gap-x-3 text-sm text-muted tabular-nums">
        <span>{reportReasonLabels[reason]}</span>
        {created_at !== null && <span>{formatTime(created_at)}</span>}
      </p>
      {content && <p className="mt-2 text-sm wrap-anywhere whitespace-pre-line text-muted">{content}</p>}
      {answer && (
        <div className="mt-2.5 rounded-md bg-sunken px-3.5 py-2.5 text-sm">
          <p className="text-muted">管理人员的答复</p>
          <p className="mt-0.5 wrap-anywhere whitespace-pre-line">{answer}</p>
        </div>
      )}
    </li>
  )
}
