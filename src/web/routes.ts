import { index, layout, prefix, route, type RouteConfigEntry } from '@react-router/dev/routes'

export default caseSensitive([
  layout('routes/public/layout.tsx', [
    index('routes/public/home.tsx'),
    route('login', 'routes/public/sign-in/login.tsx'),
    route('register', 'routes/public/sign-in/register.tsx'),
    route('findpassword', 'routes/public/sign-in/findpassword.tsx'),
    route('findpassword-mobile', 'routes/public/sign-in/findpassword-mobile.tsx'),
    route('oauth/:type?', 'routes/public/sign-in/oauth.tsx'),
    route('spider', 'routes/public/spider.tsx'),
    route('unsubscribe', 'routes/public/unsubscribe.tsx'),
    route('category/:id?', 'routes/public/category.tsx'),
    route('document', 'routes/public/documents.tsx'),
    route('document/:id', 'routes/public/document.tsx'),
    route('share/:token', 'routes/public/share.tsx'),
    route('article', 'routes/public/articles.tsx'),
    route('article/:identifier', 'routes/public/article.tsx'),
    route('announcement', 'routes/public/announcement/list.tsx'),
    route('announcement/:id', 'routes/public/announcement/page.tsx'),
    route('topic', 'routes/public/topic/list.tsx'),
    route('topic/:id', 'routes/public/topic/page.tsx'),
    route('ranking', 'routes/public/ranking/page.tsx'),
    route('search', 'routes/public/search.tsx'),
    route('upload', 'routes/public/upload.tsx'),
    route('post', 'routes/public/post.tsx'),
    route('order', 'routes/public/orders/order.tsx'),
    route('order/topup', 'routes/public/orders/top-up.tsx'),
    route('order/trial', 'routes/public/orders/trial.tsx'),
    route('joinvip', 'routes/public/orders/join-vip.tsx'),
    route('user', 'routes/public/user-self.tsx'),
    route('user/:id', 'routes/public/user.tsx', [
      index('routes/public/user-profile.tsx'),
      route('document', 'routes/public/user-documents.tsx'),
      route('article', 'routes/public/user-articles.tsx'),
    ]),
    ...prefix('me', [
      layout('routes/me/layout.tsx', [
        index('routes/me/overview.tsx'),
        route('profile', 'routes/me/profile.tsx'),
        route('password', 'routes/me/password.tsx'),
        route('security', 'routes/me/security.tsx'),
        route('document', 'routes/me/documents.tsx'),
        route('article', 'routes/me/articles.tsx'),
        route('download', 'routes/me/downloads.tsx'),
        route('favorite', 'routes/me/favorites.tsx'),
        route('credit', 'routes/me/credits.tsx'),
        route('notification', 'routes/me/notifications.tsx'),
        route('notification/mail', 'routes/me/notification-mail.tsx'),
        route('report', 'routes/me/reports.tsx'),
        route('order', 'routes/me/orders.tsx'),
        route('order/:orderNo', 'routes/me/order.tsx'),
        route('vip', 'routes/me/vip.tsx'),
      ]),
    ]),
    route('*', 'routes/public/not-found.tsx'),
  ]),
  route('embed/:id', 'routes/public/embed.tsx'),
  route('admin', 'routes/admin/layout.tsx', [
    index('routes/admin/index.tsx'),
    route('dashboard', 'routes/admin/dashboard.tsx'),
    route('article/set', 'routes/admin/article-set.tsx'),
    route('report', 'routes/admin/report.tsx'),
    route('review', 'routes/admin/review.tsx'),
    route('config/:group', 'routes/admin/config.tsx'),
    route('*', 'routes/admin/resource.tsx'),
  ]),
])

/** Another spelling of a path would be another page for caches and search engines. */
function caseSensitive(entries: RouteConfigEntry[]): RouteConfigEntry[] {
  return entries.map((entry) => ({
    ...entry,
    caseSensitive: true,
    ...(entry.children && { children: caseSensitive(entry.children) }),
  }))
}
