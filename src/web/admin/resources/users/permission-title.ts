import { permissionCatalogue } from '#shared/permissions.ts'

const builtInTitles = new Map(permissionCatalogue.map(({ path, title }) => [path, title]))

/** As the owner has named it, or as it came. */
export function getPermissionTitle({ title, path }: { title: string; path: string }): string {
  return title || builtInTitles.get(path) || '（没有名称）'
}
