/** The speed of a transfer over the last few seconds. */
export function transferSpeed(windowMs = 5000): { measure(bytes: number, at: number): number; reset(): void } {
  let samples: { bytes: number; at: number }[] = []
  return {
    /** Bytes a second; 0 until there are enough samples. */
    measure(bytes, at) {
      samples = [...samples.filter((sample) => at - sample.at <= windowMs), { bytes, at }]
      const [first] = samples
      const elapsed = first ? at - first.at : 0
      return first && elapsed >= 500 ? Math.max(0, ((bytes - first.bytes) / elapsed) * 1000) : 0
    },
    reset() {
      samples = []
    },
  }
}

/** The remaining time; empty while the speed is unknown. */
export function remainingText(bytes: number, speed: number): string {
  if (speed <= 0) return ''
  const seconds = Math.ceil(bytes / speed)
  if (seconds < 60) return `还剩 ${seconds} 秒`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 60 ? `还剩 ${minutes} 分钟` : `还剩 ${Math.floor(minutes / 60)} 小时 ${minutes % 60} 分钟`
}
