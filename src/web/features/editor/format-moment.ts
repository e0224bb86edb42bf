/** The time of today, the date and time of other days. */
export function formatMoment(at: number): string {
  const moment = new Date(at)
  const time = moment.toLocaleTimeString('zh-CN', { hour: '2-digit', minute: '2-digit', hour12: false })
  if (moment.toDateString() === new Date().toDateString()) return time
  return `${moment.toLocaleDateString('zh-CN', { month: 'long', day: 'numeric' })} ${time}`
}
