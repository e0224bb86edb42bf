import { Outlet, useRouteLoaderData } from 'react-router'
import type { Route } from './+types/layout.ts'
import { describe, ErrorPage } from '#web/features/site/error-page.tsx'
import type { Friendlinks } from '#web/features/site/footer.tsx'
import { LastResort } from '#web/features/site/last-resort.tsx'
import { Shell } from '#web/features/site/shell.tsx'
import { pageMeta } from '#web/lib/seo.ts'

export default function FrontLayout() {
  const home = useRouteLoaderData<() => Promise<{ friends: Friendlinks }>>('routes/public/home')
  return (
    <Shell {...(home && { friends: home.friends })}>
      <Outlet />
    </Shell>
  )
}

export function meta({ matches, error }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, error ? { title: describe(error).message } : {})
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <LastResort>
      <Shell>
        <ErrorPage error={error} />
      </Shell>
    </LastResort>
  )
}
