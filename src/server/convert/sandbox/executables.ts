import { accessSync, constants, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The path of the first of these that is installed. Not cached: programs may be installed while the site runs. */
export function findExecutable(...names: string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean)
  for (const name of names) {
    for (const folder of [...folders, '/usr/bin', '/bin', '/usr/sbin', '/sbin', '/usr/local/bin']) {
      if (isExecutable(join(folder, name))) return join(folder, name)
    }
  }
  return undefined
}

export function findOffice(): string | undefined {
  return findExecutable('soffice', 'libreoffice') ?? officeFromOpt()
}

/** The packages from libreoffice.org install into a folder of /opt that has the version in its name. */
function officeFromOpt(): string | undefined {
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
