import { availableParallelism } from 'node:os'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { extractBlocks } from './formats/blocks/extract-blocks.ts'
import { toEpub } from './formats/to-epub.ts'
import { type Converter, type OriginalFile, Unconvertible } from './converter.ts'
import { openOffice } from './office/office.ts'
import { extractTable } from './tables/extract.ts'
import { createRendererPool } from './render/pool/pool.ts'
import { detectIsolation } from './sandbox/sandbox.ts'
import { detectExt, sniff } from './sniff.ts'
import { findTools } from './tools.ts'
import type { Isolation } from './sandbox/isolation.ts'

export interface ConverterOptions {
  /** For temporary files; emptied by `close`. */
  workDir: string
  /** Office files are converted even where the machine offers no isolation. */
  allowUnsandboxed?: boolean
  /** Where render sources lie: renderers see no other folder. Without it they may read all files. */
  documentFolders?: readonly string[]
  /** How many documents of one owner are converted, and how many pages rendered, at the same time. */
  processes?: number
}

export function openConverter(options: ConverterOptions): Converter {
  const requireIsolation = async (): Promise<Isolation> => {
    const isolation = await detectIsolation()
    if (isolation === 'none' && !options.allowUnsandboxed) throw new Unconvertible('noSandbox')
    return isolation
  }
  const processes = options.processes ?? availableParallelism()
  const pool = createRendererPool({ processes, ...(options.documentFolders && { folders: options.documentFolders }) })
  // One more than one owner's documents can take.
  const office = openOffice({ workDir: options.workDir, isolation: requireIsolation, processes: processes + 1 })
  return {
    probe: (original) => withFileErrors(original, () => sniff(original)),
    detectExt,
    prepare: (original, probe, folder, limits) =>
      withFileErrors(original, async () => {
        const { format } = probe
        if (format === 'pdf' || format === 'mobi') return { path: original.path, type: format }
        if (format === 'office' || format === 'csv') return office.toPdf({ original, probe, folder, limits })
        return toEpub[format]({ original, folder, limits, isolation: requireIsolation })
      }),
    extractTable: (original, probe, folder, limits) =>
      withFileErrors(original, () => extractTable(office, { original, probe, folder, limits })),
    open: pool.open,
    renderPage: pool.renderPage,
    extractLines: pool.extractLines,
    extractBlocks: (source, limits) => extractBlocks(source, join(options.workDir, 'blocks'), limits),
    renderImage: pool.renderImage,
    renderCover: pool.renderCover,
    tools: findTools,
    close: async () => {
      await Promise.all([pool.close(), office.close()])
    },
  }
}

/** Turns errors of the file system into reasons for the failed conversion. */
async function withFileErrors<T>(original: OriginalFile, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOSPC' || code === 'EDQUOT') throw new Unconvertible('diskFull', String(error))
    if (code === 'ENOENT' && !(await exists(original.path))) throw new Unconvertible('missing', original.path)
    throw error
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
