/**
 * After an upgrade the scripts of an open page are gone. It reloads to get the new ones, at most once in 60 seconds, and
 * only if the server itself says that they are gone: without a network, a reload would take away what is on the screen.
 */

/** Also serialized into the page (first-paint.ts), so it may use nothing from outside itself. */
export function mayReload(last: string | null, now: number): boolean {
  const passed = now - Number(last)
  return !(passed >= 0 && passed < 60_000)
}

/** Serialized too. Never resolves if the page is about to reload. */
export async function reloadIfGone(file: string, may: typeof mayReload, key: string): Promise<void> {
  try {
    const { status } = await fetch(file, { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(5000) })
    if (status !== 404 || !may(sessionStorage.getItem(key), Date.now())) return
    sessionStorage.setItem(key, String(Date.now()))
  } catch {
    // Without a network there is nothing to load, and without a storage the reload would be repeated forever.
    return
  }
  location.reload()
  await new Promise(() => {})
}

export const reloadKey = 'wendou-reloaded-at'

/** Every build has a manifest of its own. */
export async function reloadIfUpgraded(): Promise<undefined> {
  const { url } = (window as unknown as { __reactRouterManifest: { url: string } }).__reactRouterManifest
  await (checking ??= reloadIfGone(url, mayReload, reloadKey))
  checking = undefined
}

let checking: Promise<void> | undefined

export function isLostScript(error: unknown): error is TypeError {
  return error instanceof TypeError && /dynamically imported module|importing a module/i.test(error.message)
}

export function reloadWhenScriptsFail(): void {
  window.addEventListener('vite:preloadError', (event) => {
    // The script that loads pages waits for it (vite.config.ts).
    Object.assign(event, { decided: reloadIfUpgraded() })
  })
}
