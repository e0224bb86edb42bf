/** CPU time of this thread. Unlike wall-clock time it does not grow while other processes run. */
export function cpuTimeMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
