/** How fast bytes go, from the last few seconds. */
export function pace(windowMs = 5000): { note(bytes: number, at: number): number; reset(): void } {
  let samples: { bytes: number; at: number }[] = []
  return {
    /** Bytes a second so far; 0 while it cannot be told. */
    note(bytes, at) {
      samples = [...samples.filter((sample) => at - sample.at <= windowMs), { bytes, at }]
      const [first] = samples
      const passed = first ? at - first.at : 0
      return first && passed >= 500 ? Math.max(0, ((bytes - first.bytes) / passed) * 1000) : 0
    },
    reset() {
      samples = []
    },
  }
}

/** What is left to wait, in words; empty while nobody can tell. */
export function remaining(bytes: number, speed: number): string {
  if (speed <= 0) return ''
  const seconds = Math.ceil(bytes / speed)
  if (seconds < 60) return `还剩 ${seconds} 秒`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 60 ? `还剩 ${minutes} 分钟` : `还剩 ${Math.floor(minutes / 60)} 小时 ${minutes % 60} 分钟`
}
