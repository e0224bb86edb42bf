/** Sizes and times as users read them. */

const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB', 'ZB', 'YB']

export function formatSize(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(Math.floor(Math.log(bytes) / Math.log(1024)), units.length - 1)
  const value = bytes / 1024 ** step
  return `${step === 0 ? value : value.toFixed(2)} ${units[step]}`
}

const minute = 60_000
const spans: [number, string][] = [
  [12 * 30 * 24 * 60 * minute, '年'],
  [30 * 24 * 60 * minute, '个月'],
  [24 * 60 * minute, '天'],
  [60 * minute, '小时'],
  [minute, '分钟'],
]

export function formatRelative(at: number, now: number): string {
  const passed = now - at
  const span = spans.find(([ms]) => passed >= ms)
  return span ? `${Math.floor(passed / span[0])} ${span[1]}前` : '刚刚'
}

export function formatTime(at: number): string {
  const date = new Date(at)
  const two = (value: number) => String(value).padStart(2, '0')
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
}

/** The time that is left: days, hours, minutes and seconds, or 00:00:00 when it is over. */
export function formatCountdown(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / 1000))
  const days = Math.floor(seconds / 86_400)
  const clock = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60]
    .map((value) => String(value).padStart(2, '0'))
    .join(':')
  return days > 0 ? `${days} 天 ${clock}` : clock
}
