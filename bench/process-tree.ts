import { readdirSync, readFileSync } from 'node:fs'

/** CPU time and memory of a process, this one by default, and its descendants; zero on systems without /proc. */
export function processTreeUsage(root = process.pid): { cpuMs: number; residentMb: number } {
  const all = processes()
  const tree = new Set([root])
  for (let before = 0; before !== tree.size;) {
    before = tree.size
    for (const { pid, parent } of all) if (tree.has(parent)) tree.add(pid)
  }
  const members = all.filter(({ pid }) => tree.has(pid))
  return {
    cpuMs: members.reduce((sum, { ticks }) => sum + ticks * 10, 0),
    residentMb: Math.round(members.reduce((sum, { pages }) => sum + pages, 0) / 256),
  }
}

interface ProcessStat {
  pid: number
  parent: number
  /** Hundredths of a second, with those of ended children. */
  ticks: number
  pages: number
}

function processes(): ProcessStat[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap(readStat)
  } catch {
    return []
  }
}

function readStat(pid: string): ProcessStat[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name, in parentheses, may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const field = (n: number) => Number(fields[n - 3])
    return [
      { pid: Number(pid), parent: field(4), ticks: field(14) + field(15) + field(16) + field(17), pages: field(24) },
    ]
  } catch {
    return []
  }
}
