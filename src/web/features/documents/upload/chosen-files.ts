import { isClutter } from '#web/features/documents/upload/acceptance.ts'

/** What came with a drop or a paste, folders included. Must be called while the event is being handled. */
export function filesIn(transfer: DataTransfer): Promise<File[]> {
  const entries = [...transfer.items].flatMap((item) => (item.kind === 'file' ? (item.webkitGetAsEntry() ?? []) : []))
  // What is pasted has no place in a file system.
  if (entries.length === 0) return Promise.resolve(withoutClutter([...transfer.files]))
  return walk(entries)
}

/** What the browser's own dialog gave. */
export function filesOf(input: HTMLInputElement): File[] {
  return withoutClutter([...(input.files ?? [])])
}

async function walk(entries: readonly FileSystemEntry[]): Promise<File[]> {
  const files: File[] = []
  for (const entry of entries.filter(({ name }) => !isClutter(name))) {
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

/** Browsers hand out a hundred at a time, and an empty list at the end. */
async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const found: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve) => {
      reader.readEntries(resolve, () => resolve([]))
    })
    if (some.length === 0) return found
    found.push(...some)
  }
}

/** Nothing when it cannot be opened. */
function fileOf(entry: FileSystemFileEntry): Promise<File[]> {
  return new Promise((resolve) => {
    entry.file(
      (file) => resolve([file]),
      () => resolve([]),
    )
  })
}

function withoutClutter(files: readonly File[]): File[] {
  return files.filter(({ name, webkitRelativePath }) => ![...webkitRelativePath.split('/'), name].some(isClutter))
}
