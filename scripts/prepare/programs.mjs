import { accessSync, constants, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

/** Where a program is on PATH, without starting anything. */
export function findProgram(name) {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find(isExecutable)
}

export const hasProgram = (name) => findProgram(name) !== undefined

/** The folder a program really lives in, behind links such as /usr/bin/soffice. */
export function programFolder(name) {
  const found = findProgram(name)
  return found && dirname(realpathSync(found))
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
