import type { Route } from './+types/credits.ts'
import { credits } from '#shared/contract/credits.ts'
import { RedeemForm } from '#web/features/orders/redeem-form.tsx'
import { MemberList } from '#web/features/lists/member-list.tsx'
import { CreditLedger } from '#web/features/users/account/credit-ledger.tsx'
import { load } from '#web/lib/load.ts'
import { useInvitations } from '#web/domain/contributions.ts'
import { topUpPath, useTakesMoney } from '#web/domain/orders.ts'
import { pageMeta } from '#web/domain/seo.ts'
import { creditNameOf, useCreditName, useSite } from '#web/domain/site.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { parsePage } from '#web/ui/navigation/pagination.tsx'
import { ReceiptDrawing } from '#web/ui/drawings/receipt.tsx'

const size = 20

export const clientLoader = load(async ({ api, url }) =>
  api(credits.entries, { page: parsePage(url.searchParams), size }),
).client

export default function MyCredits({ matches, loaderData: { total, entry } }: Route.ComponentProps) {
  const creditName = useCreditName()
  const { upload } = useInvitations()
  const { settings } = useSite()
  const canTopUp = useTakesMoney()
  const balance = `${matches[2].loaderData.user.credit_count} ${creditName}`
  return (
    <div className="space-y-6">
      {settings.download.enable_code_download && (
        <Card title="使用下载码">
          <RedeemForm />
        </Card>
      )}
      <Card
        title={`${creditName}明细`}
        aside={
          <div className="flex items-center gap-3">
            <p className="text-sm text-muted">
              现有 <b className="text-lg font-semibold text-ink tabular-nums">{balance}</b>
            </p>
            {canTopUp && (
              <ButtonLink to={topUpPath} variant="primary" size="sm">
                充值
              </ButtonLink>
            )}
          </div>
        }
      >
        <MemberList
          total={total}
          size={size}
          rows={entry.length}
          empty={
            <EmptyState
              title={`还没有${creditName}的变动`}
              drawing={<ReceiptDrawing />}
              action={upload && <ButtonLink to="/upload">上传文档</ButtonLink>}
            >
              {`${upload ? '签到、上传文档' : '签到'}可以得到${creditName}，下载付费文档会用掉${creditName}，每一笔都记在这里。`}
            </EmptyState>
          }
        >
          <CreditLedger entries={entry} />
        </MemberList>
      </Card>
    </div>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  const site = matches[0].loaderData
  return pageMeta(site, { title: `${creditNameOf(site)}明细` })
}
