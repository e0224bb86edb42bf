import { Radio } from 'antd'
import { palettes } from '#shared/palettes.ts'
import styles from '#web/admin/settings/settings.module.css'

interface PaletteInputProps {
  id?: string
  value?: string
  onChange?: (value: string) => void
}

/** Each palette as a small page in its colours. */
export function PaletteInput({ id, value, onChange }: PaletteInputProps) {
  return (
    <Radio.Group
      {...(id !== undefined && { id })}
      value={value}
      onChange={({ target }) => onChange?.(String(target.value))}
      className={styles.palettes ?? ''}
    >
      {Object.entries(palettes).map(([name, { label, accent }]) => (
        <Radio key={name} value={name}>
          <span className={styles.palette} data-palette={name} aria-hidden>
            <i style={{ background: accent }} />
            <b />
            <b />
          </span>
          {label}
        </Radio>
      ))}
    </Radio.Group>
  )
}
