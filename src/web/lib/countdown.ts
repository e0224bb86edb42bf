const secondMs = 1000
const dayMs = 24 * 3600 * secondMs

/** Days, hours, minutes and seconds that are left; 00:00:00 when the time is over. */
export function formatCountdown(ms: number): string {
  const left = Math.max(0, Math.ceil(ms / secondMs) * secondMs)
  const days = Math.floor(left / dayMs)
  // A time of the first day in UTC has the hours, minutes and seconds of the rest.
  const time = new Date(left % dayMs).toISOString().slice(11, 19)
  return days > 0 ? `${days} 天 ${time}` : time
}

/** The server's time, and the device's when the answer with it arrived: the device's clock may be wrong. */
export interface ServerTime {
  now: number
  arrivedAt: number
}

/** The server's time at a time of the device. */
export function serverNow({ now, arrivedAt }: ServerTime, deviceNow: number): number {
  return now + (deviceNow - arrivedAt)
}
