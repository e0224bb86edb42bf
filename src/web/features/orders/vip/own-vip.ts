import type { UserVip } from '#shared/contract/vip.ts'
import { formatTime } from '#shared/format.ts'

export type CardState = 'active' | 'waiting' | 'over'

type CardTimes = Pick<UserVip, 'joined_at' | 'expired_at'>

export function cardState({ joined_at, expired_at }: CardTimes, now: number): CardState {
  if (expired_at === null || expired_at <= now) return 'over'
  return joined_at !== null && joined_at > now ? 'waiting' : 'active'
}

/** When the last of the cards ends; undefined if none is left. */
export function lastEnd(cards: readonly CardTimes[], now: number): number | undefined {
  const ends = cards.map(({ expired_at }) => expired_at ?? 0).filter((end) => end > now)
  return ends.length > 0 ? Math.max(...ends) : undefined
}

/** From when until when. */
export function periodText({ joined_at, expired_at }: CardTimes): string {
  const [from, to] = [joined_at, expired_at].map((at) => (at === null ? '—' : formatTime(at)))
  return `${from} 至 ${to}`
}

/** The free documents of a card. */
export function downloadsText(
  { download, download_used }: Pick<UserVip, 'download' | 'download_used'>,
  state: CardState,
): string {
  const used = `已免费下载 ${download_used} 份`
  const any = '不限份数'
  if (state === 'over') return used
  if (state === 'waiting') return `可以免费下载 VIP 文档${download === 0 ? `，${any}` : ` ${download} 份`}`
  return `${used}，${download === 0 ? any : `还剩 ${Math.max(0, download - download_used)} 份`}`
}
