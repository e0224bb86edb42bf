import { Menu, Search } from 'lucide-react'
import { Suspense } from 'react'
import { Link, useLocation } from 'react-router'
import { AdSlot } from '#web/features/ads/ad-slot.tsx'
import { Logo } from '#web/features/site/shell/logo.tsx'
import { MainNavigation } from '#web/features/site/shell/navigation.tsx'
import { NetworkNotice } from '#web/features/site/network-notice.tsx'
import { frame } from '#web/ui/page.tsx'
import { SearchBox } from '#web/features/search/box/search-box.tsx'
import { ThemeButton } from '#web/features/site/shell/theme-switch.tsx'
import { useOnline } from '#web/lib/browser/online.ts'
import { isSignedIn, useSession } from '#web/lib/session.ts'
import { useSite } from '#web/domain/site.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { cx } from '#web/ui/class-names.ts'
import { HoldFirstPaint } from '#web/ui/hold-first-paint.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { useLazyMount } from '#web/ui/overlay/lazy-mount.ts'
import { useOpenOnThisPage } from '#web/ui/overlay/open-on-this-page.ts'
import { lazyOverlay, lazyPart } from '#web/ui/lazy-part.tsx'

// Loaded on demand: most visitors never open them.
const MemberControls = lazyPart(
  async () => (await import('#web/features/site/shell/member-controls.tsx')).MemberControls,
)
const MobileDrawer = lazyOverlay(async () => (await import('#web/features/site/shell/mobile-drawer.tsx')).MobileDrawer)

export function Header() {
  const site = useSite()
  const { pathname } = useLocation()
  // On tablets the notice of a lost network takes the place of the box.
  const online = useOnline()
  // The search and the home page have their own box; on the home page the header has one too unless its navigation is long.
  const hasSearch = pathname !== '/search' && !(pathname === '/' && site.navigations.length > 3)
  return (
    <>
      <div className={cx(frame, 'print:hidden')}>
        <AdSlot position="global_top" ads={site.ads} />
      </div>
      <header className="print:hidden sticky top-0 z-40 border-b border-line bg-canvas/95 backdrop-blur-sm transition-transform max-md:in-data-header-hidden:not-focus-within:-translate-y-full">
        <div className={cx(frame, 'flex h-[4rem] items-center gap-3 md:gap-5')}>
          <DrawerButton />
          <Logo />
          <MainNavigation />
          <div className={cx('ml-auto hidden max-w-64 flex-1 lg:block', online && 'md:block')}>
            {hasSearch && <SearchBox />}
          </div>
          <div className={cx('ml-auto flex items-center gap-1 lg:ml-0', online && 'md:ml-0')}>
            <NetworkNotice />
            {pathname !== '/search' && <SearchLink />}
            <div className="hidden md:block">
              <ThemeButton />
            </div>
            <AccountControls />
          </div>
        </div>
        <HoldFirstPaint id="header-end" />
      </header>
    </>
  )
}

/** On small screens, in place of the box. */
function SearchLink() {
  return (
    <Link
      to="/search"
      state="typing"
      aria-label="搜索"
      className="flex size-10 items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-ink md:hidden"
    >
      <Search size={20} aria-hidden />
    </Link>
  )
}

function DrawerButton() {
  const [open, setOpen] = useOpenOnThisPage()
  const isMounted = useLazyMount(open)
  return (
    <>
      <div className="-ml-2 md:hidden">
        <IconButton label="打开导航" aria-expanded={open} onClick={() => setOpen(true)}>
          <Menu size={22} aria-hidden />
        </IconButton>
      </div>
      {isMounted && (
        <Suspense>
          <MobileDrawer open={open} onOpenChange={setOpen} />
        </Suspense>
      )}
    </>
  )
}

function AccountControls() {
  const session = useSession()
  if (!isSignedIn(session)) {
    return (
      // As wide for members as what takes its place.
      <div
        data-for="guest"
        className="flex items-center text-sm in-[[data-member]]:h-[42px] in-[[data-member]]:w-[calc(42px+11*var(--spacing))] in-[[data-member]]:overflow-hidden"
      >
        <Link to="/login" className="flex h-10 items-center rounded-md px-3 font-medium text-nowrap hover:text-accent">
          登录
        </Link>
        <Link
          to="/register"
          className="hidden h-9 items-center rounded-md bg-accent px-4 font-medium text-on-accent hover:bg-accent-hover sm:flex"
        >
          注册
        </Link>
      </div>
    )
  }
  const { avatar } = session.user
  return (
    // The place of the bell is left free.
    <Suspense
      fallback={
        <div className="pl-11">
          <Avatar src={avatar} size={42} />
        </div>
      }
    >
      <MemberControls />
    </Suspense>
  )
}
