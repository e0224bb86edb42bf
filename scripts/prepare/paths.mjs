import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** A path inside the project. */
export const at = (...parts) => join(root, ...parts)
