import { Form } from 'antd'
import { useEffect, useRef } from 'react'
import { accentOf } from '#shared/palettes.ts'
import styles from '#web/admin/settings/settings.module.css'
import { useSite } from '#web/domain/site.ts'
import { toAccent } from '#web/lib/accent.ts'
import { useQuery } from '#web/lib/use-query.ts'

/** The home page with the chosen palette and density, before they are saved: as visitors see it, without its scripts. */
export function AppearancePreview() {
  const { settings } = useSite()
  const form = Form.useFormInstance()
  const palette: unknown = Form.useWatch('palette', form)
  const density: unknown = Form.useWatch('density', form)
  const { data: html } = useQuery('home', loadHome)
  const frame = useRef<HTMLIFrameElement>(null)
  const apply = () => {
    const root = frame.current?.contentDocument?.documentElement
    if (!root || typeof palette !== 'string' || typeof density !== 'string') return
    root.dataset['palette'] = palette
    root.dataset['density'] = density
    const accent = toAccent(accentOf(palette, settings.system.theme_color))
    root.style.setProperty('--accent-on-light', accent.light)
    root.style.setProperty('--text-on-light-accent', accent.onLight)
    root.style.setProperty('--accent-on-dark', accent.dark)
    root.style.setProperty('--text-on-dark-accent', accent.onDark)
  }
  useEffect(apply)
  if (html === undefined) return null
  return (
    <div className={styles.preview}>
      <iframe
        ref={frame}
        srcDoc={html}
        title="首页预览"
        tabIndex={-1}
        inert
        sandbox="allow-same-origin"
        onLoad={apply}
      />
    </div>
  )
}

async function loadHome(signal: AbortSignal): Promise<string> {
  const html = await (await fetch('/', { signal })).text()
  return html.replaceAll(/<script[\s\S]*?<\/script>|<link rel="modulepreload"[^>]*>/g, '')
}
