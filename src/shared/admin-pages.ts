/** The groups of the menu: each leads to its first page that one may open. */
const groupPaths = ['document', 'article', 'user', 'check', 'trade', 'biz', 'spider', 'config'].map(
  (group) => `/admin/${group}`,
)

/** Open to all staff, whatever their permissions. */
export const alwaysAllowedPages = ['/admin', '/admin/index', '/admin/dashboard', '/admin/navigation', ...groupPaths]
