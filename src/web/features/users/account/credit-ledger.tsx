import type { CreditEntry } from '#shared/contract/credits.ts'
import { formatTime } from '#shared/format.ts'
import { Amount } from '#web/features/users/account/amount.tsx'
import { SmartLink } from '#web/ui/navigation/smart-link.tsx'

/** The changes of a member's balance. On a narrow screen rows become cards. */
export function CreditLedger({ entries }: { entries: CreditEntry[] }) {
  return (
    <table className="w-full text-left text-sm max-md:block">
      <thead className="max-md:sr-only">
        <tr className="border-b border-line text-muted [&>th]:py-2.5 [&>th]:pr-4 [&>th]:font-normal [&>th]:whitespace-nowrap">
          <th>时间</th>
          <th className="w-full">事由</th>
          <th className="text-right">变动</th>
          <th className="pr-0! text-right">余额</th>
        </tr>
      </thead>
      <tbody className="max-md:block">
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </tbody>
    </table>
  )
}

function Entry({ entry: { amount, balance, title, subject, href, note, created_at } }: { entry: CreditEntry }) {
  return (
    <tr className="border-b border-line align-baseline last:border-0 max-md:grid max-md:grid-cols-[1fr_auto] max-md:gap-x-4 max-md:py-3">
      <td className="py-3 pr-4 whitespace-nowrap text-muted tabular-nums max-md:order-3 max-md:py-0">
        {created_at === null ? '—' : formatTime(created_at)}
      </td>
      <td className="min-w-0 py-3 pr-4 max-md:order-1 max-md:py-0">
        {title}
        {subject && (
          <SmartLink
            href={href}
            className="ml-1 text-muted decoration-edge underline-offset-4 [&[href]]:underline [&[href]]:hover:text-accent"
          >
            {`“${subject}”`}
          </SmartLink>
        )}
        {note && <span className="ml-1 wrap-anywhere text-muted">{note}</span>}
      </td>
      <td className="py-3 pr-4 text-right max-md:order-2 max-md:p-0">
        <Amount amount={amount} />
      </td>
      <td className="py-3 text-right whitespace-nowrap tabular-nums max-md:order-4 max-md:p-0 max-md:text-muted">
        <span className="mr-1 md:hidden">余额</span>
        {balance}
      </td>
    </tr>
  )
}
