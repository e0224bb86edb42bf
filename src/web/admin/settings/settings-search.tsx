import { SearchOutlined } from '@ant-design/icons'
import { AutoComplete, Input, type RefSelectProps } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { usePermissions } from '#web/admin/engine/use-permissions.ts'
import { type FoundSetting, findSettings, settingsPage } from '#web/admin/settings/find-settings.ts'
import styles from '#web/admin/settings/settings.module.css'

const maxResults = 30

/** Finds settings of all screens; `/` leads here. */
export function SettingsSearch() {
  const [query, setQuery] = useState('')
  const { canOpen } = usePermissions()
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
  const found = findSettings(query, canOpen).slice(0, maxResults)
  return (
    <search className={styles.search}>
      <AutoComplete
        ref={box}
        value={query}
        defaultActiveFirstOption
        virtual={false}
        options={found.map((setting) => ({
          value: `${settingsPage(setting.group)}#${setting.name}`,
          label: <Result setting={setting} />,
        }))}
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
          placeholder="搜索设置：名称、说明或键名"
          prefix={<SearchOutlined aria-hidden />}
          suffix={<kbd className={styles.key}>/</kbd>}
          maxLength={64}
          // Not under the header.
          onFocus={(event) => event.target.scrollIntoView({ block: 'nearest' })}
        />
      </AutoComplete>
      <output className={styles.nothing}>
        {query.trim() !== '' && found.length === 0 && `没有找到“${query.trim()}”，请换一个词，如“水印”“邮件”“备案”`}
      </output>
    </search>
  )
}

function Result({ setting }: { setting: FoundSetting }) {
  const { label, groupTitle, section, group, name, help } = setting
  return (
    <div className={styles.result}>
      <span>{label}</span>
      <span className={styles.place}>{[groupTitle, section].filter(Boolean).join(' › ')}</span>
      <span className={styles.place}>{help || `${group}.${name}`}</span>
    </div>
  )
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}
