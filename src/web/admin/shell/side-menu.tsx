import { DashboardOutlined } from '@ant-design/icons'
import { Menu, type MenuRef } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { Link, useLocation, useNavigation } from 'react-router'
import { usePermissions } from '#web/admin/engine/use-permissions.ts'
import { dashboardPath, filterMenu, findGroup, reviewPath, toMenuPage } from '#web/admin/menu.tsx'
import { PendingBadge } from '#web/admin/review/pending-badge.tsx'
import styles from '#web/admin/shell/shell.module.css'

/** The dashboard, then the groups with the pages that the user may open. */
export function SideMenu({ collapsed, onSelect }: { collapsed: boolean; onSelect?: () => void }) {
  const { pathname } = useLocation()
  const navigation = useNavigation()
  const { canOpen } = usePermissions()
  // The next page is highlighted at once, not after its data has arrived.
  const path = navigation.location?.pathname.startsWith('/admin') ? navigation.location.pathname : pathname
  const selected = toMenuPage(path)
  const group = findGroup(path)?.key
  const groups = filterMenu(canOpen)
  // A menu of few pages needs no folding.
  const [open, setOpen] = useState(() => (groups.length <= 2 ? groups.map(({ key }) => key) : []))
  // The menu follows: the group of the page is opened whenever another one is entered, and may be closed again.
  const [followed, setFollowed] = useState<string>()
  if (group !== followed) {
    setFollowed(group)
    if (group !== undefined && !open.includes(group)) setOpen([...open, group])
  }
  const menu = useRef<MenuRef>(null)
  // The menu may be longer than the screen.
  useEffect(() => {
    menu.current?.menu?.list.querySelector(`li:has(> * > a[href="${selected}"])`)?.scrollIntoView({ block: 'nearest' })
  }, [selected])
  const entry = (path: string, label: string) => (
    <>
      <Link to={path} aria-current={path === selected ? 'page' : undefined}>
        {label}
      </Link>
      {path === reviewPath && <PendingBadge />}
    </>
  )
  return (
    <Menu
      ref={menu}
      mode="inline"
      className={styles.menu}
      inlineIndent={16}
      selectedKeys={[selected]}
      {...(collapsed ? {} : { openKeys: open, onOpenChange: setOpen })}
      onClick={onSelect}
      items={[
        { key: dashboardPath, icon: <DashboardOutlined />, label: entry(dashboardPath, '仪表盘') },
        ...groups.map(({ key, title, icon, pages }) => ({
          key,
          icon,
          label: title,
          children: pages.map(([path, label]) => ({ key: path, label: entry(path, label) })),
        })),
      ]}
    />
  )
}
