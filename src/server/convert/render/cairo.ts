import { execFile } from 'node:child_process'

/** A page drawn by poppler, for what mupdf cannot draw. Nothing where it is not installed or does no better. */
export function cairoPage(path: string, page: number, mostBytes: number): Promise<Buffer | undefined> {
  const limits = ['--as=1500000000', '--cpu=8', '--core=0', '--']
  const command = ['pdftocairo', '-svg', '-f', String(page), '-l', String(page), path, '-']
  const options = { encoding: 'buffer', maxBuffer: mostBytes, timeout: 8000, killSignal: 'SIGKILL' } as const
  return new Promise((resolve) => {
    try {
      execFile('prlimit', [...limits, ...command], options, (error, output) => {
        resolve(error || output.length === 0 ? undefined : output)
      })
    } catch {
      resolve(undefined)
    }
  })
}
