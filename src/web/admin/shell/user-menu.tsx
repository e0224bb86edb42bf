import { CopyOutlined, LockOutlined, LogoutOutlined, UserOutlined } from '@ant-design/icons'
import { App, Avatar, Button, Dropdown } from 'antd'
import { useState } from 'react'
import { PasswordDialog } from '#web/admin/shell/password-dialog.tsx'
import { ProfileDialog } from '#web/admin/shell/profile-dialog.tsx'
import { leaveForLogin } from '#web/admin/shell/leave.ts'
import { currentSession, useSession } from '#web/lib/session.ts'

export function UserMenu() {
  const { user } = useSession()
  const { message } = App.useApp()
  const [opened, setOpened] = useState<{ dialog: 'profile' | 'password'; userId: number }>()
  // Another tab may sign somebody else in: a form about oneself ends with the person who opened it.
  const dialog = opened?.userId === user.id ? opened.dialog : undefined
  const open = (dialog: 'profile' | 'password') => setOpened({ dialog, userId: user.id })
  const close = () => setOpened(undefined)
  const copy = async () => {
    const copied = await copyText(currentSession().token)
    if (copied) void message.success('您的 JSON Web Token 已复制到剪贴板')
    else void message.error('复制失败：浏览器不允许访问剪贴板')
  }
  return (
    <>
      <Dropdown
        trigger={['click']}
        placement="bottomRight"
        menu={{
          items: [
            { key: 'profile', icon: <UserOutlined />, label: '个人资料', onClick: () => open('profile') },
            { key: 'password', icon: <LockOutlined />, label: '修改密码', onClick: () => open('password') },
            { key: 'token', icon: <CopyOutlined />, label: '复制令牌', onClick: () => void copy() },
            { type: 'divider' },
            {
              key: 'logout',
              icon: <LogoutOutlined />,
              label: '退出登录',
              onClick: () => void leaveForLogin('已退出登录'),
            },
          ],
        }}
      >
        <Button type="text" className="wa-user">
          <Avatar size={28} src={user.avatar || undefined} alt="">
            {user.username.slice(0, 1).toUpperCase()}
          </Avatar>
          <span className="wa-user-name">{user.username}</span>
        </Button>
      </Dropdown>
      {dialog === 'profile' && <ProfileDialog onClose={close} />}
      {dialog === 'password' && <PasswordDialog onClose={close} />}
    </>
  )
}

/** Pages served without TLS have no clipboard; a selected text can still be copied. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const area = document.createElement('textarea')
    area.value = text
    document.body.append(area)
    area.select()
    const copied = document.execCommand('copy')
    area.remove()
    return copied
  }
}
