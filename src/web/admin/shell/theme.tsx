import { App, ConfigProvider, theme, type ThemeConfig } from 'antd'
import zhCN from 'antd/locale/zh_CN'
import dayjs from 'dayjs'
import 'dayjs/locale/zh-cn'
import { type ReactNode, useSyncExternalStore } from 'react'
import { accentOf, parse } from '#web/lib/accent.ts'
import { useSite } from '#web/lib/site.ts'

dayjs.locale('zh-cn')

type MappingAlgorithm = Extract<NonNullable<ThemeConfig['algorithm']>, (...given: never[]) => unknown>

const fontFamily = '"PingFang SC", "HarmonyOS Sans SC", "Microsoft YaHei", "Noto Sans CJK SC", system-ui, sans-serif'

/** Ant Design in the site's colour, language and light. */
export function AdminTheme({ children }: { children: ReactNode }) {
  const { settings } = useSite()
  const dark = useDark()
  const still = useSyncExternalStore(watchMotion, isStill)
  const accent = accentOf(settings.system.theme_color)
  const [tone, onTone] = dark ? [accent.dark, accent.onDark] : [accent.light, accent.onLight]
  const soft = mixed(tone, paper('--surface'), dark ? 0.16 : 0.09)
  return (
    <ConfigProvider
      locale={zhCN}
      theme={{
        algorithm: [dark ? theme.darkAlgorithm : theme.defaultAlgorithm, inTone({ tone, onTone, soft, dark })],
        cssVar: { key: 'wendou' },
        token: {
          colorPrimary: tone,
          colorInfo: tone,
          colorLink: tone,
          colorTextLightSolid: onTone,
          colorTextPlaceholder: paper('--muted'),
          borderRadius: 8,
          fontFamily,
          motion: !still,
        },
        components: {
          Button: { primaryShadow: 'none', defaultShadow: 'none', dangerShadow: 'none' },
          Form: { itemMarginBottom: 18 },
          Layout: { siderBg: paper('--surface'), lightSiderBg: paper('--surface') },
          Menu: { itemSelectedBg: soft, subMenuItemBg: 'transparent', itemBg: 'transparent' },
          Table: { cellPaddingBlockMD: 9, rowSelectedBg: soft, rowSelectedHoverBg: soft },
          Select: { optionSelectedBg: soft },
          Tooltip: { colorTextLightSolid: '#fff' },
        },
      }}
    >
      <App message={{ maxCount: 3 }} className="wa-app">
        {children}
      </App>
    </ConfigProvider>
  )
}

interface Tones {
  tone: string
  onTone: string
  /** Behind what is chosen. */
  soft: string
  dark: boolean
}

/** Words on light tags, dark enough to be read on their pale ground. */
const tagWords = { green7: '#1d7043', gold7: '#8a5200', volcano7: '#a8290a', red7: '#b42318', blue7: '#1f5bb5' }

/** Ant Design shades the accent by rules of its own; the site's is already made to be read on this paper. */
function inTone({ tone, onTone, soft, dark }: Tones): MappingAlgorithm {
  return (seed, map = theme.defaultAlgorithm(seed)) => ({
    ...map,
    ...(!dark && tagWords),
    colorPrimary: tone,
    colorLink: tone,
    colorInfo: tone,
    colorPrimaryBg: soft,
    colorPrimaryBgHover: soft,
    colorInfoBg: soft,
    colorInfoBorder: paper('--line'),
    colorTextLightSolid: onTone,
    colorError: paper('--danger'),
    colorErrorText: paper('--danger'),
    colorBgLayout: paper('--canvas'),
    colorBgContainer: paper('--surface'),
    colorBorderSecondary: paper('--line'),
    colorText: paper('--ink'),
    colorTextSecondary: paper('--muted'),
    colorTextTertiary: paper('--muted'),
  })
}

/** The site's own paper and ink, as they are in the present light. */
function paper(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim()
}

function mixed(front: string, back: string, share: number): string {
  const [over, under] = [parse(front), parse(back)]
  if (!over || !under) return front
  const channels = over.map((value, index) => Math.round(value * share + (under[index] ?? value) * (1 - share)))
  return `rgb(${channels.join(', ')})`
}

/** Who wants nothing to move: Ant Design waits for the end of movements, which the site's own style cuts short. */
const lessMotion = matchMedia('(prefers-reduced-motion: reduce)')

function isStill(): boolean {
  return lessMotion.matches
}

function watchMotion(changed: () => void): () => void {
  lessMotion.addEventListener('change', changed)
  return () => lessMotion.removeEventListener('change', changed)
}

/** What the site's switch and the system made of the page; the root element says it. */
function useDark(): boolean {
  return useSyncExternalStore(watchTheme, isDark)
}

function isDark(): boolean {
  return document.documentElement.dataset['theme'] === 'dark'
}

function watchTheme(changed: () => void): () => void {
  const observer = new MutationObserver(changed)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => observer.disconnect()
}
