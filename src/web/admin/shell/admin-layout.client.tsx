import { ArrowLeftOutlined, BulbOutlined, MenuFoldOutlined, MenuUnfoldOutlined } from '@ant-design/icons'
import { Breadcrumb, Button, Drawer, Flex, Grid, Layout, Spin, Tooltip } from 'antd'
import { useState } from 'react'
import { Link, Outlet, useLocation, useNavigation } from 'react-router'
import { groupOf, pageLabel } from '#web/admin/menu.tsx'
import '#web/admin/admin.css'
import { SideMenu } from '#web/admin/shell/side-menu.tsx'
import { AdminTheme } from '#web/admin/shell/theme.tsx'
import { UserMenu } from '#web/admin/shell/user-menu.tsx'
import { useSite } from '#web/lib/site.ts'
import { useTheme } from '#web/lib/theme.ts'

const startsCollapsedUnder = 1000

export function AdminLayout() {
  return (
    <AdminTheme>
      <Frame />
    </AdminTheme>
  )
}

function Frame() {
  const [collapsed, setCollapsed] = useState(() => window.innerWidth < startsCollapsedUnder)
  const [drawer, setDrawer] = useState(false)
  const wide = Grid.useBreakpoint().md ?? true
  const { pathname } = useLocation()
  const navigation = useNavigation()
  const leaving = navigation.state === 'loading' && navigation.location.pathname !== pathname
  return (
    <Layout className="wa-layout" hasSider={wide}>
      {wide ? (
        <Layout.Sider
          width={240}
          collapsedWidth={64}
          collapsed={collapsed}
          trigger={null}
          theme="light"
          className="wa-sider"
        >
          <Brand short={collapsed} />
          <SideMenu collapsed={collapsed} />
        </Layout.Sider>
      ) : (
        <Drawer
          open={drawer}
          placement="left"
          size={240}
          closable={false}
          onClose={() => setDrawer(false)}
          className="wa-menu-drawer"
        >
          <Brand short={false} />
          <SideMenu collapsed={false} onChoose={() => setDrawer(false)} />
        </Drawer>
      )}
      <Layout className="wa-main">
        <Layout.Header className="wa-header">
          <Button
            type="text"
            icon={collapsed || !wide ? <MenuUnfoldOutlined /> : <MenuFoldOutlined />}
            aria-label={collapsed || !wide ? '展开菜单' : '收起菜单'}
            onClick={() => (wide ? setCollapsed(!collapsed) : setDrawer(true))}
          />
          <PageName />
          <Flex align="center" gap={4} className="wa-tools">
            <ThemeSwitch />
            <Tooltip title="返回网站">
              <Link to="/" className="wa-back" aria-label="返回网站">
                <ArrowLeftOutlined />
                <span className="wa-wide-only">返回网站</span>
              </Link>
            </Tooltip>
            <UserMenu />
          </Flex>
        </Layout.Header>
        <Layout.Content className="wa-content">
          <Spin spinning={leaving} delay={200}>
            <Outlet />
          </Spin>
        </Layout.Content>
      </Layout>
    </Layout>
  )
}

function Brand({ short }: { short: boolean }) {
  const { settings } = useSite()
  const { sitename, logo } = settings.system
  return (
    <Link to="/admin/dashboard" className="wa-brand" aria-label={`${sitename} 管理后台`}>
      {logo ? <img src={logo} alt="" /> : <span className="wa-mark">{sitename.slice(0, 1)}</span>}
      {!short && <span className="wa-brand-name">{sitename} · 管理后台</span>}
    </Link>
  )
}

function PageName() {
  const { pathname } = useLocation()
  const page = pathname.replace(/\/+$/, '')
  const label = pageLabel(page) ?? '页面不存在'
  const group = groupOf(page)
  const { settings } = useSite()
  return (
    <>
      <title>{`${label} - ${settings.system.sitename}管理后台`}</title>
      <Breadcrumb
        className="wa-crumbs"
        items={[...(group ? [{ title: group.title }] : []), { title: <h1>{label}</h1> }]}
      />
    </>
  )
}

function ThemeSwitch() {
  const { choose } = useTheme()
  const toggle = () => choose(document.documentElement.dataset['theme'] === 'dark' ? 'light' : 'dark')
  return (
    <Tooltip title="切换深色或浅色">
      <Button type="text" icon={<BulbOutlined />} aria-label="切换深色或浅色" onClick={toggle} />
    </Tooltip>
  )
}
