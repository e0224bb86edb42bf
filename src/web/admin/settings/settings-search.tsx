import { SearchOutlined } from '@ant-design/icons'
import { AutoComplete, Input, type RefSelectProps } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { usePermissions } from '#web/admin/engine/use-permissions.ts'
import { searchedPages } from '#web/admin/menu.tsx'
import { findPages, type FoundSetting, findSettings, settingsPage } from '#web/admin/settings/find-settings.ts'
import { useCreditName } from '#web/domain/site.ts'
import styles from '#web/admin/settings/settings.module.css'

const maxResults = 30
/** They come first, so they are few. */
const maxPages = 4

/** Finds settings of all screens, and other pages of the back office; `/` leads here. */
export function SettingsSearch() {
  const [query, setQuery] = useState('')
  const { canOpen } = usePermissions()
  const creditName = useCreditName()
  const navigate = useNavigate()
  const box = useRef<RefSelectProps>(null)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      event.preventDefault()
      box.current?.focus()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  const known = searchedPages(canOpen)
  const pages = findPages(query, known).slice(0, maxPages)
  const found = findSettings(query, canOpen, creditName).slice(0, maxResults)
  const groups = [...new Set(known.map(({ groupTitle }) => groupTitle))]
  return (
    <search className={styles.search}>
      <AutoComplete
        ref={box}
        value={query}
        defaultActiveFirstOption
        virtual={false}
        options={[
          ...pages.map(({ path, label, groupTitle }) => ({
            value: path,
            label: <Result label={label} place={`${groupTitle} › 页面`} />,
          })),
          ...found.map((setting) => ({
            value: `${settingsPage(setting.group)}#${setting.name}`,
            label: <SettingResult setting={setting} />,
          })),
        ]}
        notFoundContent={null}
        onChange={setQuery}
        onSelect={(address) => {
          setQuery('')
          void navigate(address)
        }}
        className={styles.searchBox}
      >
        <Input
          aria-label="搜索设置"
          placeholder="搜索设置和页面：名称、说明或键名"
          prefix={<SearchOutlined aria-hidden />}
          suffix={<kbd className={styles.key}>/</kbd>}
          maxLength={64}
          // Not under the header.
          onFocus={(event) => event.target.scrollIntoView({ block: 'nearest' })}
        />
      </AutoComplete>
      <output className={styles.nothing}>
        {query.trim() !== '' &&
          found.length + pages.length === 0 &&
          `没有找到“${query.trim()}”。请换一个词，如“水印”“邮件”“备案”，或者到左边的菜单里找：${groups.join('、')}`}
      </output>
    </search>
  )
}

function SettingResult({ setting: { label, groupTitle, section, group, name, help } }: { setting: FoundSetting }) {
  const place = [groupTitle, section].filter(Boolean).join(' › ')
  return <Result label={label} place={place} about={help || `${group}.${name}`} />
}

function Result({ label, place, about }: { label: string; place: string; about?: string }) {
  return (
    <div className={styles.result}>
      <span>{label}</span>
      <span className={styles.place}>{place}</span>
      {about && <span className={styles.place}>{about}</span>}
    </div>
  )
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}
