import { readdirSync, readFileSync } from 'node:fs'

/** The processes that this one started, and those that they started: for tests that look at them or end them. */
export function descendants(pid = process.pid): number[] {
  try {
    const own = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
    return own.flatMap((child) => [child, ...descendants(child)])
  } catch {
    return []
  }
}

/** Those of them that draw. */
export function drawingProcesses(): number[] {
  return descendants().filter((pid) => {
    const [program = '', ...words] = commandOf(pid)
    return program.endsWith('node') && words.at(-1)?.endsWith('child.ts')
  })
}

/** Seconds of processor time that it has used. */
export function usedSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')
  return (Number(fields[13]) + Number(fields[14])) / 100
}

function commandOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean)
  } catch {
    return []
  }
}
