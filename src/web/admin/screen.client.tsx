import { Button, Result } from 'antd'
import { Link, redirect } from 'react-router'
import { type Listing, loadListing } from '#web/admin/engine/listing/listing.ts'
import { ResourcePage } from '#web/admin/engine/resource-page.tsx'
import { findScreen, findStartPage } from '#web/admin/menu.tsx'
import { currentSession } from '#web/lib/session.ts'

/** The described screen at a path. The file's name keeps Ant Design out of the server's build. */
export async function loadScreen(url: URL): Promise<Listing | null> {
  const { allowPages } = currentSession()
  const start = findStartPage(url.pathname.replace(/\/+$/, ''), (page) => allowPages.includes(page))
  if (start) throw redirect(start)
  const resource = findScreen(url.pathname)
  return resource ? loadListing(resource, url) : null
}

export function Screen({ path, listing }: { path: string; listing: Listing | null }) {
  const resource = findScreen(path)
  if (!resource || !listing) return <NoSuchPage />
  return <ResourcePage resource={resource} listing={listing} />
}

export function NoSuchPage() {
  return (
    <Result
      status="404"
      title="页面不存在"
      subTitle="地址可能写错了，或者这个功能还没有开放。"
      extra={
        <Link to="/admin/dashboard">
          <Button type="primary">返回仪表盘</Button>
        </Link>
      }
    />
  )
}
