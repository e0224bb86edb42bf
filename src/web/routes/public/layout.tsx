import { Outlet, useRouteLoaderData } from 'react-router'
import type { Route } from './+types/layout.ts'
import { describeError, ErrorPage } from '#web/features/site/error-page.tsx'
import type { Friendlinks } from '#web/features/site/shell/footer.tsx'
import { RootErrorBoundary } from '#web/features/site/root-error-boundary.tsx'
import { Shell } from '#web/features/site/shell/shell.tsx'
import { pageMeta } from '#web/domain/seo.ts'

export default function FrontLayout() {
  const home = useRouteLoaderData<() => Promise<{ friends: Friendlinks }>>('routes/public/home')
  return (
    <Shell {...(home && { friends: home.friends })}>
      <Outlet />
    </Shell>
  )
}

export function meta({ matches, error }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, error ? { title: describeError(error).message } : {})
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <RootErrorBoundary>
      <Shell>
        <ErrorPage error={error} />
      </Shell>
    </RootErrorBoundary>
  )
}
