import { useRevalidator } from 'react-router'
import { contract } from '#shared/contract/contract.ts'
import type { Config } from '#shared/contract/system.ts'
import { catalogue } from '#shared/settings.ts'
import { reasonOf } from '#web/admin/engine/feedback.ts'
import { Failed } from '#web/admin/engine/states.tsx'
import { NoSuchPage } from '#web/admin/screen.client.tsx'
import { SettingsForm } from '#web/admin/settings/settings-form.tsx'
import { api } from '#web/lib/api.ts'

interface Loaded {
  rows?: Config[]
  problem?: string
}

export async function loadConfig(group: string): Promise<Loaded> {
  if (!Object.hasOwn(catalogue, group)) return {}
  try {
    const { config } = await api(contract.settings.list, { category: [group] })
    return { rows: config }
  } catch (error) {
    return { problem: reasonOf(error) }
  }
}

export function ConfigPage({ group, loaded }: { group: string; loaded: Loaded }) {
  const { revalidate } = useRevalidator()
  if (loaded.problem) return <Failed reason={loaded.problem} onRetry={() => void revalidate()} />
  if (!loaded.rows) return <NoSuchPage />
  return <SettingsForm key={group} group={group} rows={loaded.rows} />
}
