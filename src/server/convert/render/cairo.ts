import { execFile } from 'node:child_process'

/** A page as SVG from poppler, for pages that MuPDF fails on. Undefined where it is not installed, or fails as well. */
export function runPdftocairo(path: string, page: number, maxBytes: number): Promise<Buffer | undefined> {
  const limits = ['--as=1500000000', '--cpu=8', '--core=0', '--']
  const command = ['pdftocairo', '-svg', '-f', String(page), '-l', String(page), path, '-']
  const options = { encoding: 'buffer', maxBuffer: maxBytes, timeout: 8000, killSignal: 'SIGKILL' } as const
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
