import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import type axe from 'axe-core'
import { HtmlValidate } from 'html-validate'
import type { Page } from 'playwright-core'
import { desktop, phone } from './browser.ts'

/** Checks for every page; each gives a list of faults. */

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Theme = 'light' | 'dark'
type Appearance = [viewport: typeof desktop, theme: Theme]

const appearances: Appearance[] = [
  [desktop, 'light'],
  [desktop, 'dark'],
  [phone, 'light'],
]

/** Of axe, beside its documented interface. */
interface RuleImpacts {
  _audit: { rules: { id: string; impact?: string }[] }
}

/**
 * Accessibility violations at both widths. Contrast, the most expensive rule, is measured at one of them, in both themes:
 * colours do not depend on the width.
 */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  const faults = new Set<string>()
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource)
  await page.evaluate(stopTransitions)
  for (const [viewport, theme] of appearances) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme: theme })
    for (const fault of await page.evaluate(runAxe, { theme, isNarrow: viewport === phone }))
      faults.add(`${viewport.width} ${theme}: ${fault}`)
  }
  return [...faults]
}

/** Colours in the middle of a transition would be measured wrongly. */
function stopTransitions(): void {
  const still = new CSSStyleSheet()
  still.replaceSync('* { transition: none !important; animation-duration: 0s !important }')
  document.adoptedStyleSheets = [still]
}

async function runAxe({ theme, isNarrow }: { theme: Theme; isNarrow: boolean }): Promise<string[]> {
  // Pages without our scripts are coloured by the browser, and documents may have a ground of their own.
  const { dataset } = document.documentElement
  while (dataset['theme'] && !dataset['room'] && dataset['theme'] !== theme) await frame()
  await frame()
  await frame()

  const { axe: checker } = window as unknown as { axe: typeof axe & RuleImpacts }
  // Axe gives every violation the impact of its rule: what these rules find would be filtered out below.
  const mild = checker._audit.rules.filter(({ impact }) => impact === 'minor' || impact === 'moderate')
  const skipped = [...mild.map(({ id }) => id), ...(isNarrow ? ['color-contrast'] : [])]
  const { violations } = await checker.run(document, {
    resultTypes: ['violations'],
    // What the owner pastes into an advertisement runs in a frame of its own.
    iframes: false,
    // Films and sounds, of which there are none.
    preload: false,
    ...(theme === 'dark'
      ? { runOnly: ['color-contrast'] }
      : { rules: Object.fromEntries(skipped.map((id) => [id, { enabled: false }])) }),
  })
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, any, all }) => [id, html.slice(0, 200), [...any, ...all][0]?.message].join(' ')),
    )

  function frame() {
    return new Promise((painted) => requestAnimationFrame(painted))
  }
}

const validator = new HtmlValidate({
  extends: ['html-validate:recommended'],
  rules: {
    // How React writes HTML: <br/>, charSet, hidden="". Parsers make the same of it.
    'void-style': 'off',
    'doctype-style': 'off',
    'attr-case': 'off',
    'attribute-boolean-style': 'off',
    'attribute-empty-style': 'off',
    // React's ids begin with an underscore, which the standard allows.
    'valid-id': ['error', { relaxed: true }],
    // Sizes and colours that come from data; our content policy allows them.
    'no-inline-style': 'off',
    // A group may have its name from a label, and a form of one field is sent with Enter.
    'wcag/h71': 'off',
    'wcag/h32': 'off',
    // A list item may have a name.
    'aria-label-misuse': ['error', { allowAnyNamable: true }],
    // Without a type an input is one for text.
    'no-implicit-input-type': 'off',
  },
})

export async function htmlFaults(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html)
  return results
    .flatMap(({ messages }) => messages)
    .map(({ ruleId, message, line, column, selector }) => `${ruleId} ${line}:${column} ${message} ${selector ?? ''}`)
}

/** How much wider than the window a page is: 0 if nothing runs off it. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth))
}

/** Records the requests of a window that fail from now on. */
export function recordFailedRequests(page: Page): string[] {
  const failed: string[] = []
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? ''
    // The navigation to the next page aborted it.
    if (reason !== 'net::ERR_ABORTED') failed.push(`${reason} ${request.url()}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`)
  })
  return failed
}

/** The styles that a page carries itself. */
export function stylesOf(html: string): string {
  return [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, css = '']) => css).join('\n')
}

export function withoutStyles(html: string): string {
  return html.replaceAll(/<style>.*?<\/style>/gs, '')
}
