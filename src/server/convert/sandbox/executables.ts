import { accessSync, constants, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Where a program is, or undefined. Looked for each time: people install programs while the site runs. */
export function findProgram(...names: string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean)
  for (const name of names) {
    for (const folder of [...folders, '/usr/bin', '/bin', '/usr/sbin', '/sbin', '/usr/local/bin']) {
      if (isExecutable(join(folder, name))) return join(folder, name)
    }
  }
  return undefined
}

export function findOffice(): string | undefined {
  return findProgram('soffice', 'libreoffice') ?? officeOfItsMakers()
}

/** The packages of LibreOffice's makers install into a folder with the version's number. */
function officeOfItsMakers(): string | undefined {
  try {
    const folders = readdirSync('/opt').filter((name) => /^libreoffice[\d.]*$/.test(name))
    return folders
      .toSorted()
      .toReversed()
      .map((name) => join('/opt', name, 'program/soffice'))
      .find(isExecutable)
  } catch {
    return undefined
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
