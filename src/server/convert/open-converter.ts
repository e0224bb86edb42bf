import { availableParallelism } from 'node:os'
import { stat } from 'node:fs/promises'
import { toBook } from './formats/to-epub.ts'
import { type Converter, type Source, Unconvertible } from './converter.ts'
import { openOffice } from './office/office.ts'
import { startRenderers } from './render/pool/pool.ts'
import { findWalls } from './sandbox/sandbox.ts'
import { sniff } from './sniff.ts'
import { findTools } from './tools.ts'
import type { Walls } from './sandbox/isolation.ts'

export interface ConverterOptions {
  /** For what is needed between start and end; emptied by `close`. */
  folder: string
  /** The owner accepts that office files are read without walls where the machine has none. */
  unsandboxed?: boolean
  /** The folders that documents lie in: renderers see no other. Without them they see, and only see, everything. */
  documents?: readonly string[]
  /** How many documents are drawn at a time. */
  processes?: number
}

export function openConverter(options: ConverterOptions): Converter {
  const walls = async (): Promise<Walls> => {
    const found = await findWalls()
    if (found === 'none' && !options.unsandboxed) throw new Unconvertible('noSandbox')
    return found
  }
  const processes = options.processes ?? availableParallelism()
  const renderers = startRenderers({ processes, ...(options.documents && { folders: options.documents }) })
  const office = openOffice({ folder: options.folder, walls, processes })
  return {
    probe: (source) => withExisting(source, () => sniff(source)),
    prepare: (source, probe, folder, limits) =>
      withExisting(source, async () => {
        const { content } = probe
        if (content === 'pdf' || content === 'mobi') return { path: source.path, type: content }
        if (content === 'office' || content === 'csv') return office.toPdf({ source, probe, folder, limits })
        return toBook[content]({ source, folder, limits, walls })
      }),
    open: renderers.open,
    page: renderers.page,
    lines: renderers.lines,
    picture: renderers.picture,
    tools: findTools,
    close: async () => {
      await Promise.all([renderers.close(), office.close()])
    },
  }
}

/** What the file system says, in the words of conversion. */
async function withExisting<T>(source: Source, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOSPC' || code === 'EDQUOT') throw new Unconvertible('diskFull', String(error))
    if (code === 'ENOENT' && !(await exists(source.path))) throw new Unconvertible('missing', source.path)
    throw error
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
