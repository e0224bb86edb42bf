import { contract } from '#shared/contract/contract.ts'
import { maxTopUp } from '#shared/top-up-bonus.ts'
import type { User } from '#shared/contract/user.ts'
import { RecordStatus, recordStatusLabels } from '#shared/enums.ts'
import { administratorsId } from '#shared/permissions.ts'
import { call, goto, panel } from '#web/admin/actions.ts'
import { CreditName, dash, Timestamp, TwoLines } from '#web/admin/cells.tsx'
import { customColumn, numberColumn, textColumn, timeColumn, userColumn } from '#web/admin/columns.tsx'
import { dateRange, number, password, select, text, textarea, time } from '#web/admin/fields.tsx'
import { resource } from '#web/admin/resource.ts'
import { CreditAdjustment } from '#web/admin/resources/users/credit-adjustment.tsx'
import { groupNames, groupSelect, GroupTags } from '#web/admin/resources/users/group-select.tsx'
import { describeStatus, StatusTag } from '#web/admin/resources/users/account-status.tsx'
import { IdentityDialog } from '#web/admin/resources/users/identity-dialog.tsx'
import { HandOverDialog } from '#web/admin/resources/users/hand-over-dialog.tsx'

const api = contract.users
const { Normal, Disabled } = RecordStatus
const userStatusLabels = { [Normal]: recordStatusLabels[Normal], [Disabled]: recordStatusLabels[Disabled] }

export const users = resource({
  title: '用户',
  api: { list: api.list, get: api.get, create: api.create, update: api.profile },
  errorFields: {
    'users.nameTaken': 'username',
    'users.nameLength': 'username',
    'users.nameNeeded': 'username',
    'users.nameLooksLikeAddress': 'username',
    'users.nameHasOddCharacters': 'username',
    'users.realnameWrong': 'realname',
    'users.identityWrong': 'identity',
    'users.ownPasswordWrong': 'password',
    'users.passwordCommon': 'password',
    'users.passwordNamed': 'password',
    'users.groupUnknown': 'group_id',
  },
  // Without the permission the server sends only a user's public fields, and saving those would erase the others.
  requires: { get: 'UserAPI/GetUser', update: 'UserAPI/UpdateUserProfile' },
  columns: [
    { key: 'id', width: 72, sort: true },
    userColumn('username', 'id'),
    customColumn('status', '状态', (user: User) => <StatusTag user={user} />, { width: 84, text: describeStatus }),
    customColumn('group_id', '用户组', ({ group_id, is_root }: User) => <GroupTags ids={group_id} isRoot={is_root} />, {
      text: ({ group_id }: User) => groupNames(group_id),
    }),
    timeColumn('member_until', { label: '在组里到', unset: '没有期限', hiddenByDefault: true }),
    textColumn('realname'),
    customColumn('email', '邮箱和手机', ({ email, mobile }: User) => (
      <TwoLines primary={email || mobile || dash} secondary={email && mobile} />
    )),
    numberColumn('doc_count', { label: '文档', sort: true }),
    numberColumn('article_count', { label: '文章', sort: true }),
    numberColumn('credit_count', { label: <CreditName />, sort: true }),
    numberColumn('comment_count', { label: '评论', hiddenByDefault: true }),
    textColumn('remark', { hiddenByDefault: true }),
    textColumn('register_ip', { label: '注册 IP', hiddenByDefault: true }),
    customColumn(
      'login_at',
      '最近登录',
      ({ login_at, last_login_ip }: User) => (
        <TwoLines primary={<Timestamp at={login_at} />} secondary={last_login_ip} />
      ),
      {
        sort: true,
      },
    ),
    timeColumn('created_at', { label: '注册时间', sort: true }),
  ],
  filters: [
    'wd',
    groupSelect('group_id', '用户组'),
    select('status', '状态', userStatusLabels),
    dateRange('created_at', '注册时间'),
  ],
  form: {
    create: [
      text('username', '用户名', { help: '3 到 32 个字符，不能是邮箱或手机号的样式' }),
      password('password', '密码', { help: '至少 8 个字符，不能是常见的密码；本人第一次登录时要换成自己的' }),
      text('email', '邮箱'),
      groupSelect('group_id', '用户组'),
    ],
    update: [
      text('username', '用户名', { required: true }),
      text('realname', '姓名', { half: true, help: '打星号的不会改动；要改就重新填写完整' }),
      text('identity', '身份证号', { half: true }),
      text('email', '邮箱', { half: true }),
      text('mobile', '手机号', { half: true }),
      text('address', '地址'),
      textarea('signature', '个性签名'),
      textarea('remark', '备注', { help: '只有管理人员能看到' }),
    ],
  },
  actions: [
    goto('/admin/user/punishment', '处罚', ({ id }: User) => `new=1&user_id=${id}`, {
      disabledReason: getUnpunishableReason,
    }),
    call(api.set, '用户组和密码', {
      input: { sets_end: true },
      fields: [
        groupSelect('group_id', '用户组'),
        time('member_until', '在组里到', {
          placeholder: '没有期限',
          help: '到时自动离开这些组；账号还在，默认的用户组也还在',
        }),
        password('password', '新密码', { help: '留空则不修改；修改后该用户的登录全部失效，再登录时要换成自己的密码' }),
      ],
    }),
    panel(contract.privacy.identity, '查看实名', IdentityDialog, {
      requires: 'UserAPI/GetUserIdentity',
      disabledReason: ({ realname, identity }: User) => (realname || identity ? undefined : '没有填写'),
    }),
    panel(contract.credits.adjust, '调整余额', CreditAdjustment),
    call(contract.orders.systemTopUp, '系统充值', {
      startsEmpty: true,
      confirm: '立即到账，并记为一个已支付的订单；买家不付钱。',
      fields: [
        number('amount', '数量', { min: 1, max: maxTopUp }),
        textarea('remark', '原因', { help: '写入订单的备注，只有管理人员能看到' }),
      ],
    }),
    goto('/admin/user/vip', '开通 VIP', ({ id }: User) => `new=1&user_id=${id}`, { requires: 'VIPAPI/CreateVIP' }),
    panel(api.handOver, '移交网站', HandOverDialog, { disabledReason: getHandOverObstacle }),
    call(api.delete, '删除', {
      danger: true,
      bulk: true,
      confirm: '删除用户及其评论、收藏等记录，不能恢复。请输入您自己的登录密码确认。',
      fields: [password('password', '您的登录密码', { own: true })],
      disabledReason: getUndeletableReason,
    }),
  ],
})

function getUnpunishableReason({ is_root, deleted_at }: User): string | undefined {
  if (deleted_at !== null) return '账号已注销'
  return is_root ? '站长不受处罚' : undefined
}

function getHandOverObstacle({ is_root, group_id, status }: User): string | undefined {
  if (is_root) return '已经是站长'
  if (!group_id.includes(administratorsId)) return '请先把对方加入超级管理员用户组'
  return status === Disabled ? '对方的账号已被禁用' : undefined
}

function getUndeletableReason({ is_root, doc_count, article_count }: User): string | undefined {
  if (is_root) return '不能删除站长'
  const owns = [doc_count > 0 && `${doc_count} 篇文档`, article_count > 0 && `${article_count} 篇文章`].filter(Boolean)
  return owns.length > 0 ? `名下有 ${owns.join('、')}，请先处理` : undefined
}
