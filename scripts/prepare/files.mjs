import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Every file below a folder, in a fixed order. */
export function filesUnder(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .toSorted()
}
