import { useSite } from '#web/domain/site.ts'

/** Beside the name of a VIP member: the owner's icon, or a small mark. */
export function VipBadge({ isVip }: { isVip: boolean }) {
  const { enable, icon } = useSite().settings.vip
  if (!isVip || !enable) return null
  if (icon) return <img src={icon} alt="VIP" className="inline-block h-[1.1em] w-auto shrink-0" />
  return <span className="shrink-0 rounded-sm bg-warning-soft px-1 text-xs font-semibold text-warning">VIP</span>
}
