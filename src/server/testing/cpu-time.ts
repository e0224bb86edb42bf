import { readdirSync, readFileSync } from 'node:fs'

/** CPU time of this thread. Unlike wall-clock time it does not grow while other processes run. */
export function cpuTimeMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** The CPU time that `work` takes in this process and in its child processes. */
export async function measureCpuMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  const childrenBefore = childrenCpuMs()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 + childrenCpuMs() - childrenBefore
}

/** Linux counts it in hundredths of a second. Grandchildren, and children that have ended, are left out. */
function childrenCpuMs(): number {
  let ticks = 0
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const [, parent, ...rest] = readStat(pid)
    if (Number(parent) === process.pid) ticks += Number(rest[9]) + Number(rest[10])
  }
  return ticks * 10
}

/** From the third field on: the second, the command, may contain spaces. */
function readStat(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
  } catch {
    // The process has ended.
    return []
  }
}
