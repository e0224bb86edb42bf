import { readdirSync, readFileSync } from 'node:fs'

/** The descendants of a process, for tests that inspect or kill them. */
export function descendantPids(pid = process.pid): number[] {
  try {
    const own = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
    return own.flatMap((child) => [child, ...descendantPids(child)])
  } catch {
    return []
  }
}

/** The renderer processes that this process has started. */
export function rendererPids(): number[] {
  return descendantPids().filter((pid) => {
    const [executable = '', ...args] = readCommand(pid)
    return executable.endsWith('node') && args.at(-1)?.endsWith('render.worker.ts')
  })
}

export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')
  return (Number(fields[13]) + Number(fields[14])) / 100
}

function readCommand(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean)
  } catch {
    return []
  }
}
