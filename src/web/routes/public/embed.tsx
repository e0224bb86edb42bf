import type { ReactNode } from 'react'
import type { Route } from './+types/embed.ts'
import { pageMeta } from '#web/domain/seo.ts'
import { documentPath } from '#web/domain/paths.ts'
import { ErrorPage } from '#web/features/site/error-page.tsx'
import { load } from '#web/lib/load.ts'

const page = load(async (args) => (await import('#web/features/documents/page/load-embed.ts')).loadEmbed(args))
export const loader = page.server
export const clientLoader = page.client

/** A document in a frame of another site: pages and links to the site itself, nothing that acts for a member. */
export default function EmbedPage({ loaderData: { uuid, title, hash, sitename, total, pages } }: Route.ComponentProps) {
  const rest = total - pages.length
  return (
    <main className="min-h-dvh bg-sunken">
      <header className="sticky top-0 z-10 flex items-center gap-3 border-b border-line bg-surface px-3 py-2 text-sm">
        <h1 className="min-w-0 flex-1 truncate font-title text-sm">
          <OutLink to={documentPath({ uuid })}>{title}</OutLink>
        </h1>
        <span className="shrink-0 text-muted tabular-nums">{total} 页</span>
        <OutLink to="/" className="shrink-0 text-accent">
          {sitename}
        </OutLink>
      </header>
      <ol className="mx-auto max-w-4xl space-y-3 p-3">
        {pages.map(({ page, width, height }) => (
          <li key={page}>
            <img
              src={`/view/page/${hash}/${page}.svg`}
              alt={`${title} 第 ${page} 页`}
              width={Math.round(width)}
              height={Math.round(height)}
              loading={page === 1 ? undefined : 'lazy'}
              className="h-auto w-full border border-line bg-[#fff]"
            />
          </li>
        ))}
      </ol>
      <p className="pb-6 text-center text-sm">
        <OutLink to={documentPath({ uuid })} className="text-accent">
          {rest > 0 ? `还有 ${rest} 页，在${sitename}阅读` : `在${sitename}打开`}
        </OutLink>
      </p>
    </main>
  )
}

function OutLink({ to, className, children }: { to: string; className?: string; children: ReactNode }) {
  return (
    <a href={to} target="_blank" rel="noopener" className={`${className ?? ''} hover:underline`}>
      {children}
    </a>
  )
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: loaderData?.title ?? '文档' })
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ErrorPage error={error} />
}
