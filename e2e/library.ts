import type { Browser } from 'playwright-core'
import type { Engine } from '#server/db/open.ts'
import { openBrowser } from './browser.ts'
import { type RunningSite, startSite } from './running-site.ts'
import { allowContributions, createMember, type Member, signInAsRoot } from './site-setup.ts'

/** A browser, and a site whose members publish without review. */
export interface Library {
  browser: Browser
  site: RunningSite
  root: Member
  /** Has published nothing yet. */
  author: Member
}

const password = 'root password'

export async function startLibrary(authorName: string, engine: Engine = 'sqlite'): Promise<Library> {
  const browser = await openBrowser()
  const site = await startSite(engine, { ADMIN_PASSWORD: password }).catch(async (error: unknown) => {
    await browser.close()
    throw error
  })
  const root = await signInAsRoot(site, password)
  await allowContributions(root, { reviewed: false })
  return { browser, site, root, author: await createMember(site, root, authorName) }
}
