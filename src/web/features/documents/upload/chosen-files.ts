import { isJunkFile } from '#web/features/documents/upload/acceptance.ts'

/** The files of a drop or a paste, with those in folders. Must be called synchronously in the event handler. */
export function filesInTransfer(transfer: DataTransfer): Promise<File[]> {
  const entries = [...transfer.items].flatMap((item) => (item.kind === 'file' ? (item.webkitGetAsEntry() ?? []) : []))
  // Pasted files have no file system entries.
  if (entries.length === 0) return Promise.resolve(withoutJunk([...transfer.files]))
  return walk(entries)
}

export function filesInInput(input: HTMLInputElement): File[] {
  return withoutJunk([...(input.files ?? [])])
}

async function walk(entries: readonly FileSystemEntry[]): Promise<File[]> {
  const files: File[] = []
  for (const entry of entries.filter(({ name }) => !isJunkFile(name))) {
    if (isDirectory(entry)) files.push(...(await walk(await childrenOf(entry))))
    else if (isFile(entry)) files.push(...(await fileOf(entry)))
  }
  return files
}

function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile
}

/** Browsers return a hundred entries at a time, and an empty list at the end. */
async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const entries: FileSystemEntry[] = []
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve) => {
      reader.readEntries(resolve, () => resolve([]))
    })
    if (batch.length === 0) return entries
    entries.push(...batch)
  }
}

/** Empty if the file cannot be opened. */
function fileOf(entry: FileSystemFileEntry): Promise<File[]> {
  return new Promise((resolve) => {
    entry.file(
      (file) => resolve([file]),
      () => resolve([]),
    )
  })
}

function withoutJunk(files: readonly File[]): File[] {
  return files.filter(({ name, webkitRelativePath }) => ![...webkitRelativePath.split('/'), name].some(isJunkFile))
}
