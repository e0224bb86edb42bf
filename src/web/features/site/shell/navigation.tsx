import { ChevronDown } from 'lucide-react'
import { useLocation } from 'react-router'
import { useSite, type CategoryNode, type NavigationNode } from '#web/domain/site.ts'
import { CategoryCard } from '#web/features/site/shell/category-card.tsx'
import { EntryTitle } from '#web/features/site/shell/entry-title.tsx'
import { cx } from '#web/ui/class-names.ts'
import { HoverCard, OpenButton } from '#web/ui/overlay/hover-card.tsx'
import { SmartLink } from '#web/ui/navigation/smart-link.tsx'

/** The number of entries on tablets and on desktops; the others are in the menu 更多. */
const tabletEntries = 3
const desktopEntries = 6

export function MainNavigation() {
  const { navigations } = useSite()
  const rest = navigations.slice(tabletEntries)
  return (
    <nav aria-label="主导航" className="hidden items-center md:flex">
      {navigations.slice(0, desktopEntries).map((item, index) => (
        <div key={item.id} className={index < tabletEntries ? '' : 'hidden lg:block'}>
          <Entry item={item} />
        </div>
      ))}
      {rest.length > 0 && (
        <div className={navigations.length > desktopEntries ? '' : 'lg:hidden'}>
          <HoverCard
            className="min-w-40 p-1.5"
            trigger={
              <OpenButton className={entryClass(false)}>
                更多 <ChevronDown size={14} aria-hidden />
              </OpenButton>
            }
          >
            {rest.map((item, index) => (
              <div key={item.id} className={index < desktopEntries - tabletEntries ? 'lg:hidden' : ''}>
                <MenuEntry item={item} />
                {item.children.map((child) => (
                  <MenuEntry key={child.id} item={child} nested />
                ))}
              </div>
            ))}
          </HoverCard>
        </div>
      )}
    </nav>
  )
}

/** The categories of the list that an entry links to. */
export function categoriesFor(
  href: string,
  site: { documentCategories: CategoryNode[]; articleCategories: CategoryNode[] },
): CategoryNode[] {
  if (href === '/category') return site.documentCategories
  return href === '/article' ? site.articleCategories : []
}

function Entry({ item }: { item: NavigationNode }) {
  const site = useSite()
  const categories = categoriesFor(item.href, site)
  if (categories.length > 0) {
    return (
      <HoverCard delay={600} className="w-[520px] max-w-[calc(100vw-2rem)]" trigger={<EntryLink item={item} opens />}>
        <CategoryCard categories={categories} />
        <ChildEntries item={item} className="border-t border-line p-1.5 empty:hidden" />
      </HoverCard>
    )
  }
  if (item.children.length > 0) {
    return (
      <HoverCard className="min-w-40 p-1.5" trigger={<EntryLink item={item} opens />}>
        <ChildEntries item={item} />
      </HoverCard>
    )
  }
  return <EntryLink item={item} />
}

function ChildEntries({ item, className }: { item: NavigationNode; className?: string }) {
  return (
    <div className={className}>
      {item.children.map((child) => (
        <MenuEntry key={child.id} item={child} />
      ))}
    </div>
  )
}

function EntryLink({ item, opens = false }: { item: NavigationNode; opens?: boolean }) {
  const current = isCurrent(item.href, useLocation().pathname)
  return (
    <span className="flex items-center">
      <SmartLink
        href={item.href}
        target={item.target}
        aria-current={current ? 'page' : undefined}
        className={cx(entryClass(current), 'max-w-44', opens && 'pr-1')}
      >
        <EntryTitle {...item} />
      </SmartLink>
      {opens && (
        <OpenButton
          aria-label={`展开${item.title}`}
          className="flex h-10 w-6 items-center justify-center rounded-sm text-muted hover:text-ink"
        >
          <ChevronDown size={14} aria-hidden />
        </OpenButton>
      )}
    </span>
  )
}

function MenuEntry({ item, nested = false }: { item: NavigationNode; nested?: boolean }) {
  return (
    <SmartLink
      href={item.href}
      target={item.target}
      className={cx('block rounded-md px-3 py-2 text-sm hover:bg-sunken', nested && 'pl-6 text-muted')}
    >
      <EntryTitle {...item} />
    </SmartLink>
  )
}

function entryClass(current: boolean): string {
  return cx(
    'relative flex h-10 items-center gap-1 rounded-md px-3 text-[0.9375rem] whitespace-nowrap transition-colors hover:text-accent',
    current ? 'font-semibold text-accent' : 'text-ink',
  )
}

function isCurrent(href: string, pathname: string): boolean {
  if (href === '/' || href === '') return href === pathname
  const areas = href === '/category' ? ['/category', '/document'] : [href]
  return areas.some((area) => pathname === area || pathname.startsWith(`${area}/`))
}
