import { accessSync, constants, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

/** The path of a program on PATH. */
export function findExecutable(name) {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find(isExecutable)
}

export const hasExecutable = (name) => findExecutable(name) !== undefined

/** The folder of a program, with symbolic links such as /usr/bin/soffice resolved. */
export function programFolder(name) {
  const path = findExecutable(name)
  return path && dirname(realpathSync(path))
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
