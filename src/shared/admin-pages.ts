/** Reachable by everyone whom the admin guard lets in at all. */
export const alwaysAllowedPages = ['/admin', '/admin/index', '/admin/dashboard', '/admin/navigation']
