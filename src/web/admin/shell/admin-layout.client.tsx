import { ArrowLeftOutlined, BulbOutlined, MenuFoldOutlined, MenuUnfoldOutlined } from '@ant-design/icons'
import { Breadcrumb, Button, Drawer, Flex, Grid, Layout, Spin, Tag, Tooltip } from 'antd'
import { useState } from 'react'
import { Link, Outlet, useLocation, useNavigation } from 'react-router'
import { contract } from '#shared/contract/contract.ts'
import { findGroup, pageLabel } from '#web/admin/menu.tsx'
import { PageLabels } from '#web/admin/page-labels.ts'
import styles from '#web/admin/shell/shell.module.css'
import { SideMenu } from '#web/admin/shell/side-menu.tsx'
import { AdminTheme } from '#web/admin/shell/theme.tsx'
import { UserMenu } from '#web/admin/shell/user-menu.tsx'
import { useSite } from '#web/domain/site.ts'
import { api } from '#web/lib/api.ts'
import { useOnline } from '#web/lib/browser/online.ts'
import { useTheme } from '#web/lib/theme.ts'
import { useQuery } from '#web/lib/use-query.ts'

const minExpandedWidth = 1000

export function AdminLayout() {
  return (
    <AdminTheme>
      <PageLabels value={pageLabel}>
        <Frame />
      </PageLabels>
    </AdminTheme>
  )
}

function Frame() {
  const [isCollapsed, setCollapsed] = useState(() => window.innerWidth < minExpandedWidth)
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  const isWide = Grid.useBreakpoint().md ?? true
  const isMenuHidden = isCollapsed || !isWide
  const { pathname } = useLocation()
  const navigation = useNavigation()
  const online = useOnline()
  const isLeaving = navigation.state === 'loading' && navigation.location.pathname !== pathname
  return (
    <Layout className={styles.layout} hasSider={isWide}>
      <a href="#main" className={styles.skipLink}>
        跳到正文
      </a>
      {isWide ? (
        <Layout.Sider
          width={240}
          collapsedWidth={64}
          collapsed={isCollapsed}
          trigger={null}
          theme="light"
          className={styles.sider}
        >
          <div className={styles.siderBody}>
            <Brand isShort={isCollapsed} />
            <SideMenu collapsed={isCollapsed} />
            {!isCollapsed && <RunningVersion />}
          </div>
        </Layout.Sider>
      ) : (
        <Drawer
          open={isDrawerOpen}
          placement="left"
          size={240}
          closable={false}
          onClose={() => setDrawerOpen(false)}
          styles={{ body: { padding: 0 } }}
        >
          <Brand isShort={false} />
          <SideMenu collapsed={false} onSelect={() => setDrawerOpen(false)} />
          <RunningVersion />
        </Drawer>
      )}
      <Layout className={styles.main}>
        <header className={styles.header}>
          <Button
            type="text"
            icon={isMenuHidden ? <MenuUnfoldOutlined /> : <MenuFoldOutlined />}
            aria-label={isMenuHidden ? '展开菜单' : '收起菜单'}
            onClick={() => (isWide ? setCollapsed(!isCollapsed) : setDrawerOpen(true))}
          />
          <PageName />
          <Flex align="center" gap={4} className={styles.tools}>
            {!online && <Tag>网络已断开</Tag>}
            <ThemeSwitch />
            <Tooltip title="返回网站">
              <Link to="/" className={styles.back} aria-label="返回网站">
                <ArrowLeftOutlined />
                <span className={styles.wideOnly}>返回网站</span>
              </Link>
            </Tooltip>
            <UserMenu />
          </Flex>
        </header>
        <Layout.Content id="main" tabIndex={-1} className={styles.content}>
          <Spin spinning={isLeaving} delay={200}>
            <Outlet />
          </Spin>
        </Layout.Content>
      </Layout>
    </Layout>
  )
}

function Brand({ isShort }: { isShort: boolean }) {
  const { settings } = useSite()
  const { sitename, logo } = settings.system
  return (
    <Link to="/admin/dashboard" className={styles.brand} aria-label={isShort ? `${sitename} 管理后台` : undefined}>
      {logo ? <img src={logo} alt="" /> : <BrandMark name={sitename} />}
      {!isShort && <span>{sitename} · 管理后台</span>}
    </Link>
  )
}

function RunningVersion() {
  const { data } = useQuery('about', () => api(contract.machine.about))
  // Its place is kept while it loads: the menu above does not shrink under the page that it shows.
  return (
    <p className={styles.version} title={data?.hash || undefined}>
      文豆 {data?.version}
      {data?.hash && `（${data.hash.slice(0, 7)}）`}
    </p>
  )
}

function BrandMark({ name }: { name: string }) {
  return (
    <span aria-hidden className={styles.mark}>
      {name.slice(0, 1)}
    </span>
  )
}

function PageName() {
  const { pathname } = useLocation()
  const page = pathname.replace(/\/+$/, '')
  const label = pageLabel(page) ?? '页面不存在'
  const group = findGroup(page)
  const { settings } = useSite()
  return (
    <>
      <title>{`${label} - ${settings.system.sitename}管理后台`}</title>
      <Breadcrumb
        className={styles.breadcrumb}
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
