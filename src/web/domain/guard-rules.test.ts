import { expect, test } from 'vitest'
import { redirectFor } from '#web/domain/guard-rules.ts'

const guest = { token: '', user: { id: 0 }, permissions: [], allowPages: [] }
const member = { token: 't', user: { id: 7 }, permissions: [], allowPages: [] }
const editor = {
  token: 't',
  user: { id: 8 },
  permissions: [{ id: 3, method: 'GRPC', path: '/api.v1.UserAPI/ListUser', title: '' }],
  allowPages: ['/admin/user', '/admin/user/list'],
}
const open = { is_close: false, login_required: false }
const closed = { is_close: true, login_required: false }
const byLogin = { is_close: false, login_required: true }

test.each([
  ['open site', open, guest, '/', undefined],
  ['open site', open, guest, '/category/3', undefined],
  ['open site', open, guest, '/login', undefined],
  ['open site', open, guest, '/me', '/login?redirect=%2Fme'],
  ['open site', open, guest, '/me/profile?x=1', '/login?redirect=%2Fme%2Fprofile%3Fx%3D1'],
  ['open site', open, guest, '/menu', undefined],
  ['open site', open, guest, '/upload', '/login?redirect=%2Fupload'],
  ['open site', open, guest, '/post', '/login?redirect=%2Fpost'],
  ['open site', open, guest, '/order?order_no=A1', '/login?redirect=%2Forder%3Forder_no%3DA1'],
  ['open site', open, guest, '/order/topup', '/login?redirect=%2Forder%2Ftopup'],
  ['open site', open, guest, '/joinvip', undefined],
  ['open site', open, member, '/me', undefined],
  ['open site', open, member, '/login', '/user/7'],
  ['open site', open, member, '/register', '/user/7'],
  ['open site', open, member, '/findpassword?token=a&email=b', undefined],
  ['login required', byLogin, guest, '/', '/login?redirect=%2F'],
  ['login required', byLogin, guest, '/article/about', '/login?redirect=%2Farticle%2Fabout'],
  ['login required', byLogin, guest, '/login', undefined],
  ['login required', byLogin, guest, '/register/', undefined],
  ['login required', byLogin, guest, '/findpassword', undefined],
  ['login required', byLogin, guest, '/unsubscribe?token=a', undefined],
  ['login required', byLogin, guest, '/spider', undefined],
  ['login required', byLogin, guest, '/oauth', undefined],
  ['login required', byLogin, guest, '/oauth/qq', undefined],
  ['login required', byLogin, guest, '/admin', '/login?redirect=%2Fadmin'],
  ['login required', byLogin, member, '/', undefined],
  ['closed site', closed, guest, '/', '/login?redirect=%2F'],
  ['closed site', closed, guest, '/login', undefined],
  ['closed site', closed, guest, '/register', '/login'],
  ['closed site', closed, guest, '/findpassword', '/login?redirect=%2Ffindpassword'],
  ['closed site', closed, guest, '/unsubscribe?token=a', undefined],
  ['closed site', closed, guest, '/spider', undefined],
  ['closed site', closed, member, '/me', '/login?redirect=%2Fme'],
  ['closed site', closed, member, '/login', undefined],
  ['closed site', closed, editor, '/', undefined],
  ['closed site', closed, editor, '/login', '/user/8'],
  ['admin', open, guest, '/admin', '/login?redirect=%2Fadmin'],
  ['admin', open, guest, '/admin/user/list?wd=a', '/login?redirect=%2Fadmin%2Fuser%2Flist%3Fwd%3Da'],
  ['admin', open, member, '/admin', undefined],
  ['admin', open, member, '/admin/user/list', undefined],
  ['admin', open, { ...editor, token: '' }, '/admin', '/login?redirect=%2Fadmin'],
  ['admin', open, editor, '/admin', undefined],
  ['admin', open, editor, '/admin/index', undefined],
  ['admin', open, editor, '/admin/biz', undefined],
  ['admin', open, editor, '/admin/document', undefined],
  ['admin', open, editor, '/admin/dashboard', undefined],
  ['admin', open, editor, '/admin/navigation', undefined],
  ['admin', open, editor, '/admin/user/list', undefined],
  ['admin', open, editor, '/admin/user/list/', undefined],
  ['admin', open, editor, '/admin/user/group', '/admin'],
  ['admin', open, editor, '/admin/config/system', '/admin'],
  ['admin', open, editor, '/administrator', undefined],
])('%s: %o %o at %s goes to %s', (_name, access, visitor, path, target) => {
  const { pathname, search } = new URL(path, 'https://own.invalid')
  expect(redirectFor({ pathname, search }, visitor, access)).toBe(target)
})

test.each([
  ['/login', '/category/3?page=2', '/login?redirect=%2Fcategory%2F3%3Fpage%3D2'],
  ['/register', '/', '/register?redirect=%2F'],
  ['/login?redirect=/a', '/b', undefined],
  ['/register', '/login?redirect=%2Fa', '/register?redirect=%2Fa'],
  ['/login', '/register', undefined],
  ['/login', '/findpassword?token=a', undefined],
])('%s from %s', (path, from, target) => {
  const { pathname, search } = new URL(path, 'https://own.invalid')
  expect(redirectFor({ pathname, search, from }, guest, open)).toBe(target)
})
