import { CopyOutlined, LockOutlined, LogoutOutlined, UserOutlined } from '@ant-design/icons'
import { App, Avatar, Button, Dropdown } from 'antd'
import { useState } from 'react'
import { PasswordDialog } from '#web/admin/shell/password-dialog.tsx'
import { ProfileDialog } from '#web/admin/shell/profile-dialog.tsx'
import styles from '#web/admin/shell/shell.module.css'
import { signOutToLogin } from '#web/admin/shell/sign-out.ts'
import { copyText } from '#web/lib/browser/copy-text.ts'
import { currentSession, useSession } from '#web/lib/session.ts'

export function UserMenu() {
  const { user } = useSession()
  const { message } = App.useApp()
  const [openDialog, setOpenDialog] = useState<{ dialog: 'profile' | 'password'; userId: number }>()
  // Another user may sign in in another tab: the dialog closes with the session that opened it.
  const dialog = openDialog?.userId === user.id ? openDialog.dialog : undefined
  const open = (dialog: 'profile' | 'password') => setOpenDialog({ dialog, userId: user.id })
  const close = () => setOpenDialog(undefined)
  const copy = async () => {
    if (await copyText(currentSession().token)) void message.success('您的 JSON Web Token 已复制到剪贴板')
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
              onClick: () => void signOutToLogin('已退出登录'),
            },
          ],
        }}
      >
        <Button type="text" aria-label={user.username} className={styles.user}>
          <Avatar size={28} src={user.avatar || '/avatar.svg'} alt="" />
          <span className={styles.userName}>{user.username}</span>
        </Button>
      </Dropdown>
      {dialog === 'profile' && <ProfileDialog onClose={close} />}
      {dialog === 'password' && <PasswordDialog onClose={close} />}
    </>
  )
}
