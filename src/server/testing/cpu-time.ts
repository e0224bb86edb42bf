/** What this thread has worked so far, in ms. Unlike a clock, it stands still while others have the machine. */
export function workedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
