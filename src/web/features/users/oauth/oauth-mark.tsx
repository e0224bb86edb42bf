import type { OauthType } from '#shared/enums.ts'

/** A provider at a glance: its colour and a character, or the owner's picture. */
export function OauthMark({ type, icon = '' }: { type: OauthType; icon?: string }) {
  if (icon) return <img src={icon} alt="" width={24} height={24} className="size-6 rounded-sm object-contain" />
  const { text, color } = marks[type]
  return (
    <span
      aria-hidden
      style={{ backgroundColor: color }}
      className="inline-flex size-6 shrink-0 items-center justify-center rounded-full text-xs font-bold text-[#fff]"
    >
      {text}
    </span>
  )
}

/** Dark enough for white characters. */
const marks: Record<OauthType, { text: string; color: string }> = {
  wechat: { text: '微', color: '#0b7a3b' },
  wechatoa: { text: '微', color: '#0b7a3b' },
  wechatmp: { text: '扫', color: '#0b7a3b' },
  qq: { text: 'Q', color: '#0b6bcb' },
  weibo: { text: '博', color: '#c0392b' },
  github: { text: 'GH', color: '#24292f' },
  gitee: { text: 'GE', color: '#a61b1f' },
  google: { text: 'G', color: '#1a5fb4' },
  oidc: { text: 'ID', color: '#4b4f8a' },
}
