/** Open to all staff, whatever their permissions. */
export const alwaysAllowedPages = ['/admin', '/admin/index', '/admin/dashboard', '/admin/navigation']
