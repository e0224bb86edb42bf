import { readdirSync, readFileSync } from 'node:fs'

/** What this process and all that it started have used. Zero where the system does not tell (no Linux). */
export function familyUse(): { cpuMs: number; residentMb: number } {
  const all = processes()
  const family = new Set([process.pid])
  for (let before = 0; before !== family.size;) {
    before = family.size
    for (const { pid, parent } of all) if (family.has(parent)) family.add(pid)
  }
  const members = all.filter(({ pid }) => family.has(pid))
  return {
    cpuMs: members.reduce((sum, { ticks }) => sum + ticks * 10, 0),
    residentMb: Math.round(members.reduce((sum, { pages }) => sum + pages, 0) / 256),
  }
}

interface Member {
  pid: number
  parent: number
  /** Hundredths of a second, with those of the children that have ended. */
  ticks: number
  pages: number
}

function processes(): Member[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap(member)
  } catch {
    return []
  }
}

function member(pid: string): Member[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name, in brackets, may hold blanks.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const field = (n: number) => Number(fields[n - 3])
    return [
      { pid: Number(pid), parent: field(4), ticks: field(14) + field(15) + field(16) + field(17), pages: field(24) },
    ]
  } catch {
    return []
  }
}
