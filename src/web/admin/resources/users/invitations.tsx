import { Alert, Button, Input, Modal, Tag, Typography } from 'antd'
import { contract } from '#shared/contract/contract.ts'
import type { Invitation } from '#shared/contract/invitations.ts'
import type { CallInput, Reply } from '#shared/endpoint.ts'
import { call } from '#web/admin/actions.ts'
import { customColumn, timeColumn, userColumn } from '#web/admin/columns.tsx'
import { number, text, time } from '#web/admin/fields.tsx'
import { type CreatedProps, resource } from '#web/admin/resource.ts'
import { groupNames, groupSelect, GroupTags } from '#web/admin/resources/users/group-select.tsx'

const api = contract.invitations

export const invitations = resource({
  title: '邀请',
  api: { list: api.list, create: api.create },
  created: NewInvitation,
  hint: '被邀请的人自己起用户名、设密码，别人不知道他的密码。写邮箱就寄过去，不写就得到一个链接，由您转交。',
  emptyText: '还没有邀请过人',
  columns: [
    { key: 'id', width: 72, hiddenByDefault: true },
    customColumn('email', '给谁', ({ email }: Invitation) => email || '得到链接的人', {
      text: ({ email }: Invitation) => email || '得到链接的人',
    }),
    customColumn('group_id', '用户组', ({ group_id }: Invitation) => <GroupTags ids={group_id} />, {
      text: ({ group_id }: Invitation) => groupNames(group_id),
    }),
    timeColumn('member_until', { label: '在组里到', unset: '没有期限' }),
    customColumn('used_at', '状态', (row: Invitation) => <Tag color={stateOf(row).color}>{stateOf(row).label}</Tag>, {
      text: (row: Invitation) => stateOf(row).label,
    }),
    timeColumn('expires_at', { label: '链接有效到' }),
    userColumn('username', 'user_id', { label: '邀请人' }),
    timeColumn('created_at'),
  ],
  filters: ['wd'],
  form: {
    create: [
      groupSelect('group_id', '用户组'),
      text('email', '邮箱', { help: '不填就得到一个链接，由您转交' }),
      time('member_until', '在组里到', { placeholder: '没有期限', help: '到时自动离开这些组，账号还在' }),
      number('days', '链接有效', { empty: 7, min: 1, max: 30, unit: '天' }),
    ],
  },
  errorFields: { 'users.groupUnknown': 'group_id', 'invitations.endsBefore': 'member_until' },
  actions: [
    call(api.withdraw, '撤回', {
      danger: true,
      bulk: true,
      confirm: '撤回以后链接不能再用，可以重新邀请。',
      disabledReason: (row: Invitation) => (stateOf(row) === states.open ? undefined : stateOf(row).label),
    }),
  ],
})

const states = {
  open: { label: '等待接受', color: 'blue' },
  used: { label: '已接受', color: 'green' },
  withdrawn: { label: '已撤回', color: 'default' },
  expired: { label: '已过期', color: 'default' },
} as const

function stateOf({ used_at, withdrawn_at, expires_at }: Invitation): (typeof states)[keyof typeof states] {
  if (used_at !== null) return states.used
  if (withdrawn_at !== null) return states.withdrawn
  return (expires_at ?? 0) > Date.now() ? states.open : states.expired
}

type Create = typeof api.create

/** The link is seen here and never again; one that is mailed is not shown, as it proves the address. */
function NewInvitation({ reply: { link }, values, onClose }: CreatedProps<CallInput<Create>, Reply<Create>>) {
  const address = link && new URL(link, location.origin).href
  return (
    <Modal
      open
      title={link ? '邀请链接' : '邀请已寄出'}
      onCancel={onClose}
      footer={<Button onClick={onClose}>完成</Button>}
    >
      {link ? (
        <>
          <Alert type="warning" showIcon title="请现在复制：关闭之后不能再看到。" style={{ marginBottom: 16 }} />
          <Typography.Paragraph copyable={{ text: address }}>只能用一次，谁先打开谁就可以接受。</Typography.Paragraph>
          <Input.TextArea readOnly aria-label="邀请链接" value={address} autoSize />
        </>
      ) : (
        <p>链接已寄到 {values.email}，没有收到时可以撤回再邀请一次。</p>
      )}
    </Modal>
  )
}
