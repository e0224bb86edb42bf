import { DashboardOutlined } from '@ant-design/icons'
import { Menu, type MenuRef } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { Link, useLocation, useNavigation } from 'react-router'
import { useMay } from '#web/admin/engine/gate.ts'
import { dashboardPath, groupOf, menuFor, menuPageOf } from '#web/admin/menu.tsx'
import { pageExists } from '#web/admin/registry.ts'
import { alwaysAllowedPages } from '#shared/admin-pages.ts'

/** The dashboard, then every group with a page that exists and that the user may open. */
export function SideMenu({ collapsed, onChoose }: { collapsed: boolean; onChoose?: () => void }) {
  const { pathname } = useLocation()
  const navigation = useNavigation()
  const may = useMay()
  // The page one is going to is marked at once, not when its data has come.
  const here = navigation.location?.pathname.startsWith('/admin') ? navigation.location.pathname : pathname
  const [open, setOpen] = useState(() => [groupOf(here)?.key ?? 'user'])
  const marked = here === '/admin' ? dashboardPath : menuPageOf(here)
  const menu = useRef<MenuRef>(null)
  // The settings alone are more than fit on a small screen.
  useEffect(() => {
    menu.current?.menu?.list.querySelector(`li:has(> * > a[href="${marked}"])`)?.scrollIntoView({ block: 'nearest' })
  }, [marked])
  const groups = menuFor((page) => pageExists(page) && (may.open(page) || alwaysAllowedPages.includes(page)))
  return (
    <Menu
      ref={menu}
      mode="inline"
      className="wa-menu"
      inlineIndent={16}
      selectedKeys={[marked]}
      {...(collapsed ? {} : { openKeys: open, onOpenChange: setOpen })}
      onClick={onChoose}
      items={[
        { key: dashboardPath, icon: <DashboardOutlined />, label: <Link to={dashboardPath}>仪表盘</Link> },
        ...groups.map(({ key, title, icon, pages }) => ({
          key,
          icon,
          label: title,
          children: pages.map(([path, label]) => ({ key: path, label: <Link to={path}>{label}</Link> })),
        })),
      ]}
    />
  )
}
