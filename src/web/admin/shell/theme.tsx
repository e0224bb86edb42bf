import { App, ConfigProvider, theme, type ThemeConfig } from 'antd'
import zhCN from 'antd/locale/zh_CN'
import dayjs from 'dayjs'
import 'dayjs/locale/zh-cn'
import { type ReactNode, useSyncExternalStore } from 'react'
import { accentOf } from '#shared/palettes.ts'
import { toAccent, parseColor } from '#web/lib/accent.ts'
import { useSite } from '#web/domain/site.ts'

dayjs.locale('zh-cn')

type MappingAlgorithm = Extract<NonNullable<ThemeConfig['algorithm']>, (...args: never[]) => unknown>

const fontFamily = '"PingFang SC", "HarmonyOS Sans SC", "Microsoft YaHei", "Noto Sans CJK SC", system-ui, sans-serif'

const isTouch = matchMedia('(pointer: coarse)').matches

/** Ant Design with the site's accent colour, language and theme. */
export function AdminTheme({ children }: { children: ReactNode }) {
  const { settings } = useSite()
  const isDark = useDark()
  const isMotionReduced = useSyncExternalStore(subscribeToMotion, prefersReducedMotion)
  const accent = toAccent(accentOf(settings.display.palette, settings.system.theme_color))
  const [color, textColor] = isDark ? [accent.dark, accent.onDark] : [accent.light, accent.onLight]
  const surface = readCssVariable('--surface')
  const softColor = mixColors(color, surface, isDark ? 0.16 : 0.09)
  return (
    <ConfigProvider
      locale={zhCN}
      form={{ styles: { extra: { minHeight: 0, marginTop: 2, fontSize: 12 } } }}
      theme={{
        algorithm: [
          isDark ? theme.darkAlgorithm : theme.defaultAlgorithm,
          withAccent({ color, textColor, softColor, isDark }),
        ],
        cssVar: { key: 'wendou' },
        token: {
          colorPrimary: color,
          colorInfo: color,
          colorLink: color,
          colorTextLightSolid: textColor,
          colorTextPlaceholder: readCssVariable('--muted'),
          borderRadius: 8,
          fontFamily,
          motion: !isMotionReduced,
        },
        components: {
          // The initial of a user without a picture.
          Avatar: { colorTextPlaceholder: softColor, colorTextLightSolid: color },
          Button: { primaryShadow: 'none', defaultShadow: 'none', dangerShadow: 'none' },
          // Fingers need larger targets than pointers.
          Dropdown: isTouch ? { paddingBlock: 9 } : {},
          Form: { itemMarginBottom: 18 },
          Layout: { siderBg: surface, lightSiderBg: surface },
          Menu: {
            itemSelectedBg: softColor,
            subMenuItemBg: 'transparent',
            itemBg: 'transparent',
            activeBarBorderWidth: 0,
          },
          Table: { cellPaddingBlockMD: 9, rowSelectedBg: softColor, rowSelectedHoverBg: softColor },
          Select: { optionSelectedBg: softColor },
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

interface AccentColors {
  color: string
  /** On the accent colour. */
  textColor: string
  /** Behind selected items. */
  softColor: string
  isDark: boolean
}

/** Text on light tags, with enough contrast to their pale background. */
const tagTextColors = { green7: '#1d7043', gold7: '#8a5200', volcano7: '#a8290a', red7: '#b42318', blue7: '#1f5bb5' }

/** Ant Design derives shades of its own; the site's accent already has enough contrast to this background. */
function withAccent({ color, textColor, softColor, isDark }: AccentColors): MappingAlgorithm {
  return (seed, map = theme.defaultAlgorithm(seed)) => ({
    ...map,
    ...(!isDark && tagTextColors),
    colorPrimary: color,
    colorLink: color,
    colorInfo: color,
    colorPrimaryBg: softColor,
    colorPrimaryBgHover: softColor,
    colorInfoBg: softColor,
    colorInfoBorder: readCssVariable('--line'),
    colorTextLightSolid: textColor,
    colorError: readCssVariable('--danger'),
    colorErrorText: readCssVariable('--danger'),
    colorBgLayout: readCssVariable('--canvas'),
    colorBgContainer: readCssVariable('--surface'),
    colorBorderSecondary: readCssVariable('--line'),
    colorText: readCssVariable('--ink'),
    colorTextSecondary: readCssVariable('--muted'),
    colorTextTertiary: readCssVariable('--muted'),
  })
}

/** A colour of the site (app.css) in the current theme. */
function readCssVariable(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim()
}

function mixColors(front: string, back: string, share: number): string {
  const [frontRgb, backRgb] = [parseColor(front), parseColor(back)]
  if (!frontRgb || !backRgb) return front
  const channels = frontRgb.map((value, index) => Math.round(value * share + (backRgb[index] ?? value) * (1 - share)))
  return `rgb(${channels.join(', ')})`
}

/** Ant Design waits for the end of its animations, which the site's own style cuts short for users who prefer less motion. */
const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)')

function prefersReducedMotion(): boolean {
  return reducedMotion.matches
}

function subscribeToMotion(onChange: () => void): () => void {
  reducedMotion.addEventListener('change', onChange)
  return () => reducedMotion.removeEventListener('change', onChange)
}

/** The root element has the theme that the site's switch and the system have led to. */
function useDark(): boolean {
  return useSyncExternalStore(subscribeToTheme, isDarkTheme)
}

function isDarkTheme(): boolean {
  return document.documentElement.dataset['theme'] === 'dark'
}

function subscribeToTheme(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => observer.disconnect()
}
